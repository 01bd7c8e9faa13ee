// The genuine program as a client of our exec-server: its own tools run commands through us.
import { spawn } from "node:child_process";
import { mkdtempSync } from "node:fs";
import { tmpdir } from "node:os";
import path from "node:path";
import { functionCall, message, startScriptedModel } from "@turnkit/core/scripted-model";
import { removeFolder } from "@turnkit/tooling-vitest/remove-folder";
import { expect, test } from "vitest";
import { sessionOf } from "../src/app-server/scenarios/command-case.mjs";
import { Server } from "../src/exec-server/server.mjs";
import { Relay } from "./relay.js";

const cli = path.resolve(import.meta.dirname, "../../../apps/cli/dist/main.js");

interface Input {
  type: string;
  output?: unknown;
}

function outputs(body: unknown): string[] {
  const { input } = body as { input: Input[] };
  return input.filter(({ type }) => type === "function_call_output").map(({ output }) => JSON.stringify(output));
}

/** What the model does, and what it must have seen before it goes on. */
const steps = [
  { cmd: "echo hi; read x; echo got $x; sleep 1", tty: true, seen: /hi/ },
  { chars: "abc\n", seen: /Process exited with code 0/ },
  { cmd: "echo plain; sleep 30", seen: /plain/ },
  { chars: "\u0003", seen: /Process exited with code 130/ },
];

/** A model that takes the steps, and polls the session opened last until it has seen what it waits for. */
function steppingModel() {
  let step = -1;
  let shown = 0;
  const write = (sessionId: number, chars: string) =>
    functionCall("write_stdin", { session_id: sessionId, chars, yield_time_ms: 1000 });
  return (body: unknown) => {
    const all = outputs(body);
    const session = all.map(sessionOf).findLast((id) => id > 0) ?? -1;
    const waiting = step >= 0 && !steps[step]!.seen.test(all.slice(shown).join());
    if (waiting) return { items: [write(session, "")] };
    step += 1;
    shown = all.length;
    const next = steps[step];
    if (next === undefined) return { items: [message("done")] };
    const { cmd, chars, tty } = next;
    if (chars !== undefined) return { items: [write(session, chars)] };
    return { items: [functionCall("exec_command", { cmd, tty, yield_time_ms: 1000 })] };
  };
}

/** Runs `codex exec` to its end. */
function runGenuine(
  modelUrl: string,
  execServerUrl: string,
  home: string,
): Promise<{ code: number | null; log: string }> {
  const program = process.env.TURNKIT_PEER_CODEX;
  if (program === undefined) throw new Error("TURNKIT_PEER_CODEX must name the genuine program");
  const provider = `{name="mock",base_url="${modelUrl}",wire_api="responses"}`;
  const settings = [
    'model_provider="mock"',
    'model="gpt-5"',
    `model_providers.mock=${provider}`,
    "features.unified_exec=true",
  ];
  const args = ["exec", "--skip-git-repo-check", "--dangerously-bypass-approvals-and-sandbox", "-C", tmpdir()];
  return new Promise((resolve, reject) => {
    let log = "";
    const child = spawn(program, [...args, ...settings.flatMap((setting) => ["-c", setting]), "go"], {
      env: { ...process.env, HOME: home, CODEX_HOME: home, CODEX_EXEC_SERVER_URL: execServerUrl },
      stdio: ["ignore", "pipe", "pipe"],
      timeout: 60_000,
    });
    child.stdout.on("data", (text) => (log += text));
    child.stderr.on("data", (text) => (log += text));
    child.on("error", reject);
    child.on("close", (code) => resolve({ code, log }));
  });
}

test.each([
  ["undisturbed", undefined, 1],
  ["cut after a write", "process/write", 2],
])(
  "%s, it runs its commands to the end",
  async (_, cutAfter, connections) => {
    const home = mkdtempSync(path.join(tmpdir(), "genuine-client-"));
    // A home of its own: login shells must not run the start-up files of whoever runs the tests.
    const server = new Server([process.execPath, cli, "exec-server"], { env: { HOME: home, TURNKIT_HOME: home } });
    try {
      await server.start();
      await using relay = await Relay.start(server.url, cutAfter);
      await using model = await startScriptedModel({ fallback: steppingModel() });
      const { code, log } = await runGenuine(model.url, relay.url, home);
      expect({ code, log: code === 0 ? "" : log }).toEqual({ code: 0, log: "" });
      expect(model.errors).toEqual([]);
      expect(relay.connections).toBe(connections);
      const all = outputs(model.calls.at(-1)!.body).join();
      for (const { seen } of steps) expect(all).toMatch(seen);
      expect(all.match(/got abc/g)).toHaveLength(1);
    } finally {
      await server.stop();
      await removeFolder(home);
    }
  },
  120_000,
);
