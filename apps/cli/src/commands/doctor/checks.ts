/** What can be wrong with an installation, each looked at by itself, each with what to do about it. */
import { spawnSync } from "node:child_process";
import { constants } from "node:fs";
import { access, mkdir, readdir, readFile, stat } from "node:fs/promises";
import path from "node:path";
import { homeFolder } from "../../client/model-configured.js";
import { messageOf } from "../../exit.js";

export interface Finding {
  readonly name: string;
  readonly status: "ok" | "warning" | "problem";
  readonly detail: string;
  readonly fix?: string;
}

type Check = () => Promise<Finding>;

const finding = (name: string, status: Finding["status"], detail: string, fix?: string): Finding => ({
  name,
  status,
  detail,
  ...(fix === undefined ? {} : { fix }),
});

async function node(): Promise<Finding> {
  const [major = 0, minor = 0] = process.versions.node.split(".").map(Number);
  const fits = major > 20 || (major === 20 && minor >= 19);
  return finding(
    "node",
    fits ? "ok" : "problem",
    `Node ${process.versions.node}`,
    fits ? undefined : "Turnkit needs Node 20.19 or newer.",
  );
}

async function terminal(): Promise<Finding> {
  const { TERM = "unset", COLORTERM = "", NO_COLOR = "" } = process.env;
  if (!process.stdout.isTTY)
    return finding("terminal", "ok", "standard output is no terminal; commands work, the interface needs one");
  const size = `${process.stdout.columns}x${process.stdout.rows}`;
  if (TERM === "dumb")
    return finding(
      "terminal",
      "warning",
      `TERM=dumb, ${size}`,
      "The interface needs a terminal that can move its cursor; `turnkit exec` does not.",
    );
  const colour = NO_COLOR === "" ? COLORTERM || "basic colours" : "no colour, as NO_COLOR asks";
  return finding("terminal", (process.stdout.columns ?? 80) < 40 ? "warning" : "ok", `${TERM}, ${size}, ${colour}`);
}

/** Runs a program in a terminal and reads it to the end. */
async function pty(): Promise<Finding> {
  try {
    const { LocalHost } = await import("@turnkit/exec-server/local-host");
    await using host = new LocalHost();
    const started = await host.start({
      processId: "doctor",
      argv: ["/bin/sh", "-c", "read line; printf 'got %s' \"$line\""],
      cwd: process.cwd(),
      env: { PATH: process.env.PATH ?? "/usr/bin:/bin" },
      tty: true,
    });
    const output: string[] = [];
    const ended = new Promise<number>((resolve, reject) => {
      let exitCode = -1;
      started.subscribe((event) => {
        if (event.type === "output") output.push(Buffer.from(event.bytes).toString("utf8"));
        if (event.type === "exited") exitCode = event.exitCode;
        if (event.type === "closed") resolve(exitCode);
        if (event.type === "failed") reject(new Error(event.message));
      });
    });
    await started.write(Buffer.from("ping\n"));
    const exitCode = await ended;
    if (exitCode !== 0 || !output.join("").includes("got ping"))
      throw new Error(`exit ${exitCode}, output ${JSON.stringify(output.join(""))}`);
    return finding("processes", "ok", "a program in a terminal was started, typed to, read and ended");
  } catch (error) {
    return finding(
      "processes",
      "problem",
      messageOf(error),
      "Reinstall so that node-pty can unpack its prebuilt part, or install a C++ compiler and rebuild it.",
    );
  }
}

async function sandbox(): Promise<Finding> {
  if (process.platform !== "linux") return finding("sandbox", "warning", `not tested on ${process.platform}`);
  const result = spawnSync("bwrap", ["--ro-bind", "/", "/", "--proc", "/proc", "--dev", "/dev", "true"], {
    encoding: "utf8",
  });
  if (result.error)
    return finding(
      "sandbox",
      "warning",
      "bubblewrap is not installed",
      "Install `bubblewrap`; without it commands run only after you approved them.",
    );
  if (result.status !== 0)
    return finding(
      "sandbox",
      "warning",
      result.stderr.trim() || `bwrap ended with ${result.status}`,
      "Allow unprivileged user namespaces.",
    );
  return finding("sandbox", "ok", "bubblewrap confines commands");
}

async function home(): Promise<Finding> {
  const folder = homeFolder();
  try {
    await mkdir(folder, { recursive: true });
    await access(folder, constants.W_OK);
    return finding("home", "ok", folder);
  } catch (error) {
    return finding(
      "home",
      "problem",
      `${folder}: ${messageOf(error)}`,
      "Make it writable, or set TURNKIT_HOME to another folder.",
    );
  }
}

interface Provider {
  readonly id: string;
  readonly baseUrl: string;
  readonly envKey: string | undefined;
}

async function config(): Promise<{ readonly finding: Finding; readonly provider: Provider | null }> {
  const { loadConfig } = await import("@turnkit/core/config");
  try {
    const loaded = await loadConfig({ home: homeFolder() });
    const provider = loaded.providers[loaded.providerId];
    const detail = loaded.file === null ? "no config.toml; defaults" : loaded.file;
    const [warning] = loaded.warnings;
    return {
      finding: warning
        ? finding("config", "warning", warning, "Correct or remove the key.")
        : finding("config", "ok", detail),
      provider: provider ? { id: loaded.providerId, baseUrl: provider.baseUrl, envKey: provider.envKey } : null,
    };
  } catch (error) {
    return {
      finding: finding(
        "config",
        "problem",
        messageOf(error),
        "Correct the file; nothing else can be trusted until then.",
      ),
      provider: null,
    };
  }
}

/** Any answer of the server counts: what is looked for is that it is there. */
async function model(provider: Provider | null): Promise<Finding> {
  if (!provider) return finding("model", "warning", "not looked at, because the configuration cannot be used");
  const key = provider.envKey === undefined ? undefined : process.env[provider.envKey];
  if (provider.id === "openai" && !key && !process.env.OPENAI_API_KEY) {
    return finding(
      "model",
      "warning",
      "no model is configured",
      "Set OPENAI_API_KEY, or name a model_provider in config.toml. `turnkit demo` works without.",
    );
  }
  if (provider.envKey !== undefined && !key)
    return finding("model", "problem", `${provider.envKey} is not set`, `export ${provider.envKey}=…`);
  try {
    const response = await fetch(`${provider.baseUrl.replace(/\/$/, "")}/models`, {
      signal: AbortSignal.timeout(5000),
      headers: key ? { authorization: `Bearer ${key}` } : {},
    });
    if (response.status === 401 || response.status === 403)
      return finding("model", "problem", `${provider.baseUrl} refuses the key (${response.status})`, "Check the key.");
    return finding("model", "ok", `${provider.id} at ${provider.baseUrl} answers`);
  } catch (error) {
    const cause = error instanceof Error && error.cause instanceof Error ? error.cause.message : messageOf(error);
    return finding(
      "model",
      "problem",
      `${provider.baseUrl} does not answer: ${cause}`,
      "Start the server, or correct base_url.",
    );
  }
}

/** The newest session files, read to their end. */
async function sessions(): Promise<Finding> {
  const folder = path.join(homeFolder(), "sessions");
  const names = (await readdir(folder, { recursive: true }).catch(() => [])).filter((name) => name.endsWith(".jsonl"));
  if (names.length === 0) return finding("sessions", "ok", "none yet");
  const { validateRollout } = await import("@turnkit/protocol/rollout");
  const newest = names.toSorted().slice(-20);
  const damaged: string[] = [];
  let bytes = 0;
  for (const name of newest) {
    const file = path.join(folder, name);
    bytes += (await stat(file)).size;
    const content = await readFile(file);
    const result = await validateRollout(
      (async function* () {
        yield content;
      })(),
    );
    if (!result.ok) damaged.push(name);
  }
  const read = `${names.length} sessions; the newest ${newest.length} (${Math.ceil(bytes / 1024)} kB) were read`;
  if (damaged.length === 0) return finding("sessions", "ok", `${read} without a loss`);
  return finding(
    "sessions",
    "warning",
    `${read}; losses in ${damaged.join(", ")}`,
    "`turnkit rollout validate FILE` names the lines; the rest of the file still resumes.",
  );
}

export async function allFindings(): Promise<Finding[]> {
  const checks: readonly Check[] = [node, terminal, home, pty, sandbox];
  const first = await Promise.all(checks.map((check) => check()));
  const configuration = await config();
  return [...first, configuration.finding, await model(configuration.provider), await sessions()];
}
