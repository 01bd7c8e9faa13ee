/** Our client on the genuine server: `TURNKIT_PEER_CODEX` names the program. */
import { type ChildProcess, spawn } from "node:child_process";
import { mkdtemp } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { connectExecServer } from "@turnkit/exec-server";
import { removeFolder } from "@turnkit/tooling-vitest/remove-folder";
import { describeHost } from "./host-cases.js";

function listeningUrl(child: ChildProcess): Promise<string> {
  return new Promise((resolve, reject) => {
    let text = "";
    child.stdout?.on("data", (data: Buffer) => {
      text += data.toString();
      const url = /^ws:\/\/\S+/m.exec(text)?.[0];
      if (url) resolve(url);
    });
    child.once("exit", (code) => reject(new Error(`the genuine server ended with ${code}`)));
  });
}

describeHost("the genuine server", async () => {
  const program = process.env.TURNKIT_PEER_CODEX;
  if (program === undefined) throw new Error("TURNKIT_PEER_CODEX must name the genuine program");
  const home = await mkdtemp(join(tmpdir(), "turnkit-peer-"));
  const child = spawn(program, ["exec-server"], {
    env: { ...process.env, CODEX_HOME: home },
    stdio: ["ignore", "pipe", "ignore"],
  });
  const host = await connectExecServer(await listeningUrl(child));
  return {
    host,
    genuine: true,
    close: async () => {
      await host[Symbol.asyncDispose]();
      child.kill("SIGTERM");
      if (child.exitCode === null) await new Promise((resolve) => child.once("exit", resolve));
      await removeFolder(home);
    },
  };
});
