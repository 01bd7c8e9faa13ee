/** The genuine app-server over folders of a test: `TURNKIT_PEER_CODEX` names the program. */
import { spawn } from "node:child_process";
import { jsonLinesTransport } from "@turnkit/rpc/stdio";
import { type Folders, text } from "./composed-server.js";
import { RawClient } from "./raw-client.js";

export const genuineConfig = `check_for_update_on_startup = false
[analytics]
enabled = false
[features]
plugins = false
apps = false
`;

export async function genuine({ home, cwd }: Folders) {
  const program = process.env.TURNKIT_PEER_CODEX;
  if (program === undefined) throw new Error("TURNKIT_PEER_CODEX must name the genuine program");
  const child = spawn(program, ["app-server"], {
    cwd,
    env: { ...process.env, CODEX_HOME: home },
    stdio: ["pipe", "pipe", "ignore"],
  });
  const exited = new Promise<void>((resolve) => child.once("exit", () => resolve()));
  const client = new RawClient(jsonLinesTransport(child.stdout, child.stdin));
  await client.hello();
  const ok = async (method: string, params: unknown) => {
    const { result, error } = await client.request(method, params);
    if (error) throw new Error(`${method}: ${JSON.stringify(error)}`);
    return result;
  };
  const completed = (turnId: string) =>
    client.until(({ method, params }) => method === "turn/completed" && params.turn.id === turnId);
  return {
    client,
    ok,
    async turn(threadId: string, words: string) {
      const { turn } = await ok("turn/start", { threadId, input: text(words) });
      await completed(turn.id);
    },
    async compact(threadId: string) {
      const count = client.seen.filter(({ method }) => method === "turn/started").length;
      await ok("thread/compact/start", { threadId });
      await completed((await client.notification("turn/started", count + 1)).params.turn.id);
    },
    async [Symbol.asyncDispose]() {
      child.stdin.end();
      await exited;
    },
  };
}
