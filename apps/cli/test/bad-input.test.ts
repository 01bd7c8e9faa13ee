import { spawnSync } from "node:child_process";
import { readdirSync } from "node:fs";
import { describe, expect, it } from "vitest";
import { Home, modelAt, PROCESS_TIMEOUT } from "./support/cli.js";

interface Case {
  readonly name: string;
  readonly args: (home: Home) => readonly string[];
  readonly code: number;
  readonly says: RegExp;
  readonly config?: string;
}

const CASES: readonly Case[] = [
  {
    name: "an unknown option",
    args: () => ["exec", "--modle", "x"],
    code: 2,
    says: /unknown option --modle; did you mean --model\?/,
  },
  { name: "an unknown command", args: () => ["rollout", "chek"], code: 2, says: /unknown command `rollout chek`/ },
  { name: "a mistyped command", args: () => ["exce"], code: 2, says: /unknown command exce; did you mean exec\?/ },
  {
    name: "a mistyped command with more behind it",
    args: () => ["exce", "fix it"],
    code: 2,
    says: /unknown command exce; did you mean exec\?/,
  },
  {
    name: "an option before a command that does not know it",
    args: () => ["-m", "x", "rollout", "validate", "f"],
    code: 2,
    says: /unknown option -m/,
  },
  {
    name: "an option before its command",
    args: () => [...modelAt("http://127.0.0.1:9/v1"), "exec", "hi"],
    code: 1,
    says: /127\.0\.0\.1:9/,
  },
  {
    name: "a folder to work in that is not there",
    args: () => ["exec", ...modelAt("http://127.0.0.1:9/v1"), "-C", "/nothing", "hi"],
    code: 3,
    says: /cannot use --cd \/nothing: there is no such folder/,
  },
  {
    name: "a further folder that is a file",
    args: (home) => ["exec", ...modelAt("http://127.0.0.1:9/v1"), "--add-dir", home.write("f", ""), "hi"],
    code: 3,
    says: /cannot use --add-dir .*f: it is no folder/,
  },
  {
    name: "a profile that is not there",
    args: () => ["exec", ...modelAt("http://127.0.0.1:9/v1"), "-p", "nope", "hi"],
    code: 4,
    says: /profile names "nope"/,
  },
  {
    name: "a thread to delete that is not there",
    args: () => ["delete", "--yes", "01990000-0000-7000-8000-000000000000"],
    code: 3,
    says: /there is no thread 01990000/,
  },
  {
    name: "a config that is no TOML, for a command that only lists",
    args: () => ["features", "list"],
    code: 4,
    config: "model = \n",
    says: /config\.toml:1: is not TOML/,
  },
  {
    name: "a missing file",
    args: () => ["rollout", "validate", "nothing.jsonl"],
    code: 3,
    says: /nothing\.jsonl: there is no such file/,
  },
  { name: "a folder for a file", args: (home) => ["rollout", "inspect", home.path], code: 3, says: /it is a folder/ },
  {
    name: "a session file with a loss",
    args: (home) => ["rollout", "validate", home.write("broken.jsonl", "not json\n")],
    code: 3,
    says: /line 1: /,
  },
  {
    name: "a malformed script",
    args: (home) => [
      "mock-model",
      "--script",
      home.write("script.json", '{"responses":[{"items":[{"type":"mesage"}]}]}'),
    ],
    code: 3,
    says: /script\.json: responses\[0\]\.items\[0\]\.type /,
  },
  {
    name: "a script that is no JSON",
    args: (home) => ["mock-model", "--script", home.write("script.json", "{")],
    code: 3,
    says: /script\.json: is not JSON/,
  },
  {
    name: "a bad port",
    args: (home) => ["mock-model", "--port", "99999", "--script", home.path],
    code: 2,
    says: /--port must be a number/,
  },
  {
    name: "a missing image",
    args: () => ["exec", "-i", "none.png", "hi"],
    code: 3,
    says: /none\.png: there is no such file/,
  },
  {
    name: "an output schema that is no JSON",
    args: (home) => ["exec", "--output-schema", home.write("s.json", "{,"), "hi"],
    code: 3,
    says: /s\.json: is not JSON/,
  },
  {
    name: "answers of the wrong kind",
    args: (home) => ["exec", "--answers", home.write("a.json", '{"q":1}'), "hi"],
    code: 3,
    says: /a\.json: q must be/,
  },
  { name: "no model", args: () => ["exec", "hi"], code: 4, says: /no model is configured/ },
  {
    name: "a config that is no TOML",
    args: () => ["exec", "hi"],
    code: 4,
    config: "model = \n",
    says: /config\.toml:1: is not TOML/,
  },
  {
    name: "a config that breaks a rule",
    args: () => ["exec", "hi"],
    code: 4,
    config: "model = 5\n",
    says: /config\.toml:1: model /,
  },
  {
    name: "an unknown thread",
    args: () => ["exec", "resume", "01990000-0000-7000-8000-000000000000", "hi"],
    code: 3,
    says: /there is no thread 01990000/,
  },
  { name: "no thread at all", args: () => ["resume", "--last", "hi"], code: 3, says: /there is no thread to resume/ },
  {
    name: "an unknown schema",
    args: () => ["schema", "print", "UserInptu"],
    code: 2,
    says: /did you mean UserInput\?/,
  },
  {
    name: "a dead model server",
    args: () => ["exec", ...modelAt("http://127.0.0.1:9/v1"), "hi"],
    code: 1,
    says: /127\.0\.0\.1:9/,
  },
  {
    name: "a dead remote",
    args: () => ["exec", "--remote", "ws://127.0.0.1:9", "hi"],
    code: 1,
    says: /cannot connect to ws:\/\/127\.0\.0\.1:9/,
  },
  {
    name: "no terminal",
    args: () => [...modelAt("http://127.0.0.1:9/v1")],
    code: 2,
    says: /the interface needs a terminal/,
  },
];

describe.concurrent("bad input", { timeout: PROCESS_TIMEOUT }, () => {
  it.each(CASES)("$name is one clear error with exit code $code", async ({ args, code, says, config }) => {
    await using home = new Home();
    if (config !== undefined) home.write("config.toml", config);
    const run = await home.run(args(home));
    const own = run.stderr.split("\n").filter((line) => line.startsWith("turnkit: "));
    expect({ code: run.code, errors: own.length }, run.stderr).toEqual({
      code,
      errors: run.stdout.includes("line 1: ") ? 0 : 1,
    });
    expect(run.stderr + run.stdout).toMatch(says);
    expect(run.stderr).not.toMatch(/\n\s+at .*\(/);
  });

  it("leaves no session behind", async () => {
    await using home = new Home();
    await home.run(["exec", "--modle", "x"]);
    await home.run(["exec", "hi"]);
    expect(readdirSync(home.path)).toEqual([]);
  });
});

describe.concurrent("good input", { timeout: PROCESS_TIMEOUT }, () => {
  it("--version and --help", async () => {
    await using home = new Home();
    expect(await home.run(["--version"])).toMatchObject({
      code: 0,
      stdout: expect.stringMatching(/^turnkit \d+\.\d+\.\d+\n$/) as string,
    });
    expect((await home.run(["--help"])).stdout).toContain("Usage: turnkit COMMAND");
    expect((await home.run(["exec", "--help"])).stdout).toContain("resume [OPTIONS] ID|--last [PROMPT]");
  });

  it("schema list and print", async () => {
    await using home = new Home();
    expect((await home.run(["schema", "list"])).stdout.split("\n")).toContain("UserInput");
    expect(JSON.parse((await home.run(["schema", "print", "UserInput"])).stdout)).toMatchObject({ title: "UserInput" });
  });

  it.each(["bash", "zsh", "fish"])("completion %s", async (shell) => {
    await using home = new Home();
    const run = await home.run(["completion", shell]);
    expect(run.code).toBe(0);
    expect(run.stdout).toContain("experimental-json");
  });

  it("completion in a shell knows commands, options and the words that an option takes", async () => {
    await using home = new Home();
    const file = home.write("completion.bash", (await home.run(["completion", "bash"])).stdout);
    const complete = (...words: string[]): string[] => {
      const script = `source ${file}; COMP_WORDS=(turnkit "$@"); COMP_CWORD=$#; _turnkit; printf '%s\\n' "\${COMPREPLY[@]}"`;
      const { stdout } = spawnSync("bash", ["-c", script, "bash", ...words], { encoding: "utf8", cwd: home.path });
      return stdout.trim().split("\n");
    };
    expect(complete("arch")).toEqual(["archive"]);
    expect(complete("exec", "--output-s")).toEqual(["--output-schema"]);
    expect(complete("exec", "--on-question", "f")).toEqual(["fail", "first"]);
    expect(complete("exec", "-s", "read")).toEqual(["read-only"]);
  });

  it("doctor tells of every part", async () => {
    await using home = new Home();
    const run = await home.run(["doctor", "--json"]);
    const report = JSON.parse(run.stdout) as { findings: { name: string; status: string }[] };
    expect(report.findings.map((entry) => entry.name)).toEqual([
      "node",
      "terminal",
      "home",
      "processes",
      "sandbox",
      "config",
      "model",
      "sessions",
    ]);
    expect(report.findings.find((entry) => entry.name === "processes")?.status).toBe("ok");
  });
});
