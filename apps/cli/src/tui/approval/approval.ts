/**
 * A request for permission: what is asked, which answers there are, and what keys do to it. Pure.
 * The full command is shown with control characters made visible; nothing is preselected that cannot be undone.
 */

import type { ServerRequest } from "../../client/app-connection.js";
import { isBound, type Keymap } from "../keymap/keymap.js";
import type { Block } from "../terminal/block.js";
import type { KeyPress } from "../terminal/key-decoder.js";
import { bold, dim, type Line, plain, type Span, tinted, truncateLine, wrapLine } from "../terminal/style.js";
import { visibleControls } from "../terminal/text-width.js";
import { shownCommand } from "../transcript/terminal-text.js";

export interface Choice {
  readonly label: string;
  readonly shortcut: string;
  /** The result sent to the server. */
  readonly response: unknown;
  /** What the transcript says was decided. */
  readonly verdict: string;
}

export interface Approval {
  readonly requestId: string | number;
  readonly turnId: string;
  readonly itemId: string;
  readonly title: string;
  /** `label: text` rows; the text of commands may have several lines. */
  readonly details: readonly { readonly label: string; readonly text: string; readonly code: boolean }[];
  readonly choices: readonly Choice[];
  readonly selected: number;
}

const detail = (label: string, text: string | null | undefined, code = false): Approval["details"] =>
  text ? [{ label, text, code }] : [];

type CommandApproval = Extract<ServerRequest, { method: "item/commandExecution/requestApproval" }>;
type FileApproval = Extract<ServerRequest, { method: "item/fileChange/requestApproval" }>;
type PermissionApproval = Extract<ServerRequest, { method: "item/permissions/requestApproval" }>;

const choice = (label: string, shortcut: string, decision: unknown, verdict: string): Choice => ({
  label,
  shortcut,
  response: { decision },
  verdict,
});

export function commandApproval(request: CommandApproval): Approval {
  const { params } = request;
  const network = params.networkApprovalContext;
  const prefix = params.proposedExecpolicyAmendment;
  const amendment = params.proposedNetworkPolicyAmendments?.find((entry) => entry.action === "allow");
  return {
    requestId: request.id,
    turnId: params.turnId,
    itemId: params.itemId,
    title: network
      ? `Allow a connection to ${visibleControls(network.host)}?`
      : params.kind === "writeStdin"
        ? "Type this into a running program?"
        : "Run this command?",
    details: [
      ...detail("", params.command ? shownCommand(params.command) : null, true),
      ...detail("reason", params.reason),
      ...detail("folder", params.cwd),
      ...detail("protocol", network?.protocol),
    ],
    choices: [
      choice("Yes, once", "y", "accept", "allowed once"),
      choice("Yes, and the same again in this session", "a", "acceptForSession", "allowed for this session"),
      ...(prefix && prefix.length > 0 && !network
        ? [
            choice(
              `Yes, and whatever begins with \`${visibleControls(prefix.join(" "))}\` from now on`,
              "p",
              { acceptWithExecpolicyAmendment: { execpolicy_amendment: prefix } },
              `allowed, with the rule \`${prefix.join(" ")}\``,
            ),
          ]
        : []),
      ...(amendment
        ? [
            choice(
              `Yes, and always ${amendment.host}`,
              "p",
              { applyNetworkPolicyAmendment: { network_policy_amendment: amendment } },
              `allowed, with a rule for ${amendment.host}`,
            ),
          ]
        : []),
      choice("No, go on without it", "n", "decline", "declined"),
      choice("No, and stop", "esc", "cancel", "declined; the turn was stopped"),
    ],
    selected: 0,
  };
}

export function fileApproval(request: FileApproval, diffs: Approval["details"]): Approval {
  const { params } = request;
  return {
    requestId: request.id,
    turnId: params.turnId,
    itemId: params.itemId,
    title: "Make these changes?",
    details: [...diffs, ...detail("reason", params.reason), ...detail("grants writing under", params.grantRoot)],
    choices: [
      choice("Yes, once", "y", "accept", "allowed once"),
      choice("Yes, and changes to the same files in this session", "a", "acceptForSession", "allowed for this session"),
      choice("No, go on without it", "n", "decline", "declined"),
      choice("No, and stop", "esc", "cancel", "declined; the turn was stopped"),
    ],
    selected: 0,
  };
}

export function permissionApproval(request: PermissionApproval): Approval {
  const { params } = request;
  const grant = (scope: "turn" | "session"): unknown => ({ permissions: params.permissions, scope });
  return {
    requestId: request.id,
    turnId: params.turnId,
    itemId: params.itemId,
    title: "Grant these permissions?",
    details: [
      ...detail("", JSON.stringify(params.permissions, null, 1), true),
      ...detail("reason", params.reason),
      ...detail("folder", params.cwd),
    ],
    choices: [
      { label: "Yes, for this turn", shortcut: "y", response: grant("turn"), verdict: "granted for this turn" },
      {
        label: "Yes, for this session",
        shortcut: "a",
        response: grant("session"),
        verdict: "granted for this session",
      },
      { label: "No", shortcut: "n", response: { permissions: {}, scope: "turn" }, verdict: "not granted" },
    ],
    selected: 0,
  };
}

export interface ApprovalStep {
  readonly approval: Approval;
  readonly chosen: Choice | null;
}

export function approvalKey(approval: Approval, press: KeyPress, keymap: Keymap): ApprovalStep {
  const count = approval.choices.length;
  const move = (delta: number): ApprovalStep => ({
    approval: { ...approval, selected: (approval.selected + delta + count) % count },
    chosen: null,
  });
  if (isBound(keymap.list.move_up, press)) return move(-1);
  if (isBound(keymap.list.move_down, press)) return move(1);
  const last = approval.choices.at(-1) ?? null;
  if (isBound(keymap.list.cancel, press) || isBound(keymap.global.interrupt, press)) return { approval, chosen: last };
  if (isBound(keymap.list.accept, press)) return { approval, chosen: approval.choices[approval.selected] ?? null };
  const typed = press.text;
  if (typed === null) return { approval, chosen: null };
  const byDigit = /^[1-9]$/.test(typed) ? approval.choices[Number(typed) - 1] : undefined;
  return { approval, chosen: byDigit ?? approval.choices.find((entry) => entry.shortcut === typed) ?? null };
}

const MAX_DETAIL_ROWS = 30;
const MIN_DETAIL_ROWS = 3;

/** The title, the choices and how to choose are always in sight; the details take what is left. */
export function viewApproval(approval: Approval, width: number, height: number): Block {
  const details = approval.details.flatMap(({ label, text, code }) =>
    text.split("\n").flatMap((row, index) => {
      const lead: Span = dim(index === 0 && label !== "" ? `  ${label}: ` : "    ");
      const shown = visibleControls(row);
      return wrapLine([lead, code ? tinted("code", shown) : plain(shown)], width, [plain("    ")]);
    }),
  );
  const choices = approval.choices.flatMap((entry, index) => choiceLines(entry, index, approval, width));
  const tips = wrapLine([dim("  enter to choose | ↑/↓ or a shortcut")], width, [plain("  ")]);
  const others = 1 + choices.length + tips.length;
  // Empty rows between the parts are the first that a small screen does without.
  const gap = height - others - Math.min(details.length, MIN_DETAIL_ROWS) >= 3 ? [[]] : [];
  const room = Math.max(MIN_DETAIL_ROWS - 1, Math.min(MAX_DETAIL_ROWS, height - others - 3 * gap.length));
  const cut = details.length > room ? details.slice(0, Math.max(1, room - 1)) : details;
  const more = details.length - cut.length;
  return {
    lines: [
      [bold(`  ${approval.title}`)],
      ...gap,
      ...cut,
      ...(more > 0 ? [truncateLine([dim(`    … ${more} more lines (ctrl + o shows all)`)], width)] : []),
      ...gap,
      ...choices,
      ...gap,
      ...tips,
    ],
    cursor: null,
  };
}

function choiceLines(entry: Choice, index: number, approval: Approval, width: number): Line[] {
  const selected = index === approval.selected;
  const label: Span = {
    text: `${selected ? "› " : "  "}${index + 1}. ${entry.label}`,
    style: { bold: selected, role: selected ? "accent" : undefined },
  };
  return wrapLine([plain("  "), label, dim(` (${entry.shortcut})`)], width, [plain("       ")]);
}
