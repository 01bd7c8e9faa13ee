/** Programs of this repository as processes of their own: bundled from source, started, known by their first line. */
import { type ChildProcess, spawn } from "node:child_process";
import { mkdir } from "node:fs/promises";
import { dirname, join } from "node:path";
import { fileURLToPath } from "node:url";
import { build } from "esbuild";

const PACKAGE = join(dirname(fileURLToPath(import.meta.url)), "..");

/** Returns the path of the program. It lies inside the package, so that node-pty is found. */
export async function bundle(name: string, source: string): Promise<string> {
  const folder = join(PACKAGE, "node_modules", ".cache");
  await mkdir(folder, { recursive: true });
  const outfile = join(folder, `${name}-${process.pid}.mjs`);
  await build({
    stdin: { contents: source, resolveDir: PACKAGE, loader: "ts" },
    outfile,
    bundle: true,
    platform: "node",
    format: "esm",
    target: "node20",
    conditions: ["@turnkit/source"],
    external: ["node-pty"],
    logLevel: "error",
    banner: { js: 'import { createRequire } from "node:module"; const require = createRequire(import.meta.url);' },
  });
  return outfile;
}

/** As the command line starts it. */
export const SERVER_SOURCE = `import { settleProcess } from "@turnkit/exec-server/process-settings";
settleProcess();
const { runExecServer } = await import("@turnkit/exec-server/server");
process.exitCode = await runExecServer(process.argv.slice(2), {
  env: process.env,
  writeOut: (text) => process.stdout.write(text),
  writeError: (text) => process.stderr.write(text),
});
`;

/** Starts a bundled server; resolves with the line it prints. */
export function startProgram(
  file: string,
  args: readonly string[] = [],
): Promise<{ child: ChildProcess; url: string }> {
  const { NODE_EXTRA_CA_CERTS: _, ...env } = process.env;
  const child = spawn(process.execPath, [file, ...args], { env, stdio: ["ignore", "pipe", "inherit"] });
  return new Promise((resolve, reject) => {
    child.once("exit", (code) => reject(new Error(`the server ended with ${code}`)));
    child.stdout?.once("data", (line: Buffer) => resolve({ child, url: line.toString().trim() }));
  });
}
