import { describe, expect, it } from "vitest";
import { ROOT } from "../commands/table.js";
import { CliError } from "../exit.js";
import type { CommandSpec, ParsedArguments } from "./command-spec.js";
import { helpText } from "./help.js";
import { nearest } from "./nearest.js";
import { parseArguments } from "./parse.js";
import { checkFolders, configOverrides, THREAD_OPTIONS, threadParams } from "./thread-options.js";

const command = (...path: string[]): CommandSpec =>
  path.reduce<CommandSpec>((spec, name) => spec.subcommands?.find((entry) => entry.name === name) as CommandSpec, ROOT);
const parse = (args: string[], spec = command("exec")): ParsedArguments => parseArguments(spec, args);

function refusal(args: string[], spec?: CommandSpec): string {
  try {
    parse(args, spec);
  } catch (error) {
    if (error instanceof CliError) return `${error.exitCode}: ${error.message}`;
  }
  throw new Error("was accepted");
}

describe("a command line", () => {
  it("is read: switches, values in both spellings, repeats, positionals", () => {
    const parsed = parse(["--json", "-m", "big", "--config=a=1", "-c", "b=2", "do it"]);
    expect([...parsed.switches]).toEqual(["json"]);
    expect([...parsed.values]).toEqual([
      ["model", ["big"]],
      ["config", ["a=1", "b=2"]],
    ]);
    expect(parsed.positionals).toEqual(["do it"]);
  });

  it("takes everything after -- and a lone - as it is", () => {
    expect(parse(["-", "--"]).positionals).toEqual(["-"]);
    expect(parse(["--", "--json"]).positionals).toEqual(["--json"]);
  });

  it.each([
    [["--jsn"], "2: unknown option --jsn; did you mean --json?"],
    [["--zzzzzzzz"], "2: unknown option --zzzzzzzz"],
    [["-m"], "2: option -m needs a value (NAME)"],
    [["--json=1"], "2: option --json takes no value"],
    [["-m", "a", "-m", "b"], "2: option -m was given twice"],
    [["-s", "open"], '2: option -s must be one of read-only, workspace-write, danger-full-access, not "open"'],
  ])("%j is refused", (args, message) => {
    expect(refusal(args)).toBe(message);
  });

  it("names what is missing and what is too much", () => {
    expect(refusal([], command("rollout", "validate"))).toBe("2: FILE is missing: session files");
    expect(refusal(["x"], command("doctor"))).toBe('2: unexpected argument "x"');
  });
});

describe("thread options", () => {
  it("become overrides and parameters", () => {
    const parsed = parse([
      "-p",
      "work",
      "--enable",
      "a",
      "--disable",
      "b",
      "-c",
      'x="y"',
      "-m",
      "big",
      "-C",
      "/tmp",
      "--add-dir",
      "/var",
      "-s",
      "read-only",
      "-a",
      "never",
    ]);
    expect(configOverrides(parsed)).toEqual(['profile="work"', 'x="y"', "features.a=true", "features.b=false"]);
    expect(threadParams(parsed)).toEqual({
      model: "big",
      cwd: "/tmp",
      sandbox: "read-only",
      approvalPolicy: "never",
      runtimeWorkspaceRoots: ["/tmp", "/var"],
    });
  });
});

describe("folders on the command line", () => {
  const parsed = (...args: string[]): ParsedArguments => parse([...args, "hi"]);

  it("have to be there", () => {
    expect(() => checkFolders(parsed("-C", "/", "--add-dir", "/tmp"))).not.toThrow();
    expect(() => checkFolders(parsed("-C", "/no/where"))).toThrow("cannot use --cd /no/where: there is no such folder");
    expect(() => checkFolders(parsed("--add-dir", "/dev/null"))).toThrow(
      "cannot use --add-dir /dev/null: it is no folder",
    );
  });
});

describe("nearest", () => {
  it("finds a typing mistake and nothing far away", () => {
    expect(nearest("--modle", ["--model", "--json"])).toBe("--model");
    expect(nearest("resum", ["exec", "resume"])).toBe("resume");
    expect(nearest("hello", ["exec", "resume"])).toBeNull();
  });
});

describe("help", () => {
  it("is there for every command, with each of its options", () => {
    const visit = (spec: CommandSpec, path: string): void => {
      const help = helpText(spec, path, THREAD_OPTIONS);
      expect(help).toContain(`Usage: turnkit ${path}`.trimEnd());
      for (const option of spec.options) expect(help).toContain(`--${option.long}`);
      for (const sub of spec.subcommands ?? []) visit(sub, `${path} ${sub.name}`.trim());
    };
    visit(ROOT, "");
  });
});
