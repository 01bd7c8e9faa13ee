/**
 * Which hooks may run. A hook is trusted as what it does, not as where it stands: a changed command has to be
 * trusted anew.
 */
import { createHash } from "node:crypto";
import type { HookEvent } from "./hook-event.js";

export type TrustStatus = "managed" | "untrusted" | "trusted" | "modified";

/** What the configuration keeps about one hook, under its key. */
export interface HookState {
  readonly trustedHash: string | undefined;
  readonly enabled: boolean;
}

export interface TrustFacts {
  readonly states: Readonly<Record<string, HookState>>;
  /** Every hook runs, trusted or not. */
  readonly bypass: boolean;
}

interface Subject {
  readonly key: string;
  readonly hash: string;
  readonly source: string;
}

export function trustOf(hook: Subject, { states }: TrustFacts): TrustStatus {
  if (hook.source === "managed") return "managed";
  const trusted = states[hook.key]?.trustedHash;
  if (trusted === undefined) return "untrusted";
  return trusted === hook.hash ? "trusted" : "modified";
}

export function isEnabled(hook: Subject, { states }: TrustFacts): boolean {
  return states[hook.key]?.enabled ?? true;
}

export function mayRun(hook: Subject, facts: TrustFacts): boolean {
  if (!isEnabled(hook, facts)) return false;
  const status = trustOf(hook, facts);
  return facts.bypass || status === "managed" || status === "trusted";
}

/** Reads the `state` table of the `[hooks]` configuration. Entries that do not fit are as good as absent. */
export function readHookStates(table: unknown): Readonly<Record<string, HookState>> {
  if (typeof table !== "object" || table === null) return {};
  return Object.fromEntries(
    Object.entries(table).map(([key, entry]: [string, unknown]) => {
      const { trusted_hash: hash, enabled } = (entry ?? {}) as { trusted_hash?: unknown; enabled?: unknown };
      return [key, { trustedHash: typeof hash === "string" ? hash : undefined, enabled: enabled !== false }];
    }),
  );
}

/** `position` is the handler's group and its place in the group. */
export function hookKey(file: string, event: HookEvent, [group, handler]: readonly [number, number]): string {
  return `${file}:${event.name}:${group}:${handler}`;
}

export interface HashedDeclaration {
  readonly command: string;
  readonly timeout: number;
  readonly async: boolean;
  readonly statusMessage: string | undefined;
  readonly additionalContextLimit: number | undefined;
}

/** The same text for the same behaviour, whatever the order of keys in the file. */
export function hookHash(event: HookEvent, matcher: string | undefined, hook: HashedDeclaration): string {
  const canonical = JSON.stringify({
    event_name: event.name,
    hooks: [
      {
        additionalContextLimit: hook.additionalContextLimit,
        async: hook.async,
        command: hook.command,
        statusMessage: hook.statusMessage,
        timeout: hook.timeout,
        type: "command",
      },
    ],
    matcher,
  });
  return `sha256:${createHash("sha256").update(canonical).digest("hex")}`;
}
