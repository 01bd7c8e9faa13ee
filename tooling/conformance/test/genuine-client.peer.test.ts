// The genuine program as a client of our exec-server: its own tools run commands through us.
import { spawn } from "node:child_process";
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import path from "node:path";
import { functionCall, message, startScriptedModel } from "@turnkit/core/scripted-model";
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

const exec = (cmd: string, more: object = {}) => ({ items: [functionCall("exec_command", { cmd, ...more })] });
/** Writes to the session that was opened last, and waits for the end of its program. */
const write = (chars: string) => ({
  fn: (body: unknown) => {
    const opened = outputs(body)
      .map(sessionOf)
      .filter((id) => id > 0);
    return { items: [functionCall("write_stdin", { session_id: opened.at(-1), chars, yield_time_ms: 15_000 })] };
  },
});

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
      env: { ...process.env, CODEX_HOME: home, CODEX_EXEC_SERVER_URL: execServerUrl },
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
    const server = new Server([process.execPath, cli, "exec-server"], { env: { TURNKIT_HOME: home } });
    try {
      await server.start();
      await using relay = await Relay.start(server.url, cutAfter);
      await using model = await startScriptedModel({
        responses: [
          exec("echo hi; read x; echo got $x; sleep 1", { tty: true, yield_time_ms: 800 }),
          write("abc\n"),
          exec("echo plain; sleep 30", { yield_time_ms: 5000 }),
          write("\u0003"),
          { items: [message("done")] },
        ],
      });
      const { code, log } = await runGenuine(model.url, relay.url, home);
      expect({ code, log: code === 0 ? "" : log }).toEqual({ code: 0, log: "" });
      expect(model.errors).toEqual([]);
      expect(model.calls).toHaveLength(5);
      expect(relay.connections).toBe(connections);
      // Output that a call did not wait for comes with the next.
      const [opened, written, plain, interrupted] = outputs(model.calls[4]!.body);
      expect(`${opened}${written}`).toContain("hi");
      expect(written!.match(/got abc/g)).toHaveLength(1);
      expect(`${plain}${interrupted}`).toContain("plain");
      for (const ended of [written, interrupted]) expect(ended).toContain("Process exited with code");
    } finally {
      await server.stop();
      rmSync(home, { recursive: true, force: true });
    }
  },
  120_000,
);
