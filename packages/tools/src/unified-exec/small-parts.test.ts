/** The small decisions of unified exec, each by itself. */
import { describe, expect, test } from "vitest";
import { RespondToModel } from "../tool.js";
import { DeltaStream, incompleteTail, toBase64 } from "./delta-stream.js";
import { commandEnvironment, DEFAULT_ENVIRONMENT_POLICY } from "./environment.js";
import { InteractionLock } from "./interaction-lock.js";
import { parseCommand } from "./parse-command.js";
import { shellArgv, shellNameOf } from "./shell.js";
import { shellJoin } from "./shell-words.js";
import { parseWriteArguments } from "./write-stdin.js";

const encode = (text: string) => new TextEncoder().encode(text);

describe("deltas", () => {
  function stream() {
    const sent: Uint8Array[] = [];
    return { sent, deltas: new DeltaStream((chunk) => sent.push(chunk)) };
  }
  const texts = (sent: readonly Uint8Array[]) => sent.map((chunk) => new TextDecoder().decode(chunk));

  test("never cut a character that is still coming", () => {
    const { sent, deltas } = stream();
    deltas.push(Uint8Array.of(0x61, 0xc3));
    deltas.push(Uint8Array.of(0xa9, 0x62, 0xf0, 0x9f));
    deltas.push(Uint8Array.of(0x98));
    deltas.push(Uint8Array.of(0x80));
    expect(texts(sent)).toEqual(["a", "éb", "😀"]);
  });

  test("let invalid bytes through and give the rest at the end", () => {
    const { sent, deltas } = stream();
    deltas.push(Uint8Array.of(0x61, 0xff, 0x62, 0xc3));
    expect(sent.map((chunk) => [...chunk])).toEqual([[0x61, 0xff, 0x62]]);
    deltas.end();
    expect(sent.map((chunk) => [...chunk])).toEqual([[0x61, 0xff, 0x62], [0xc3]]);
  });

  test("are at most 8,192 bytes, split between characters", () => {
    const { sent, deltas } = stream();
    deltas.push(encode(`a${"é".repeat(10_000)}`));
    deltas.end();
    expect(sent.every((chunk) => chunk.length <= 8_192 && incompleteTail(chunk) === 0)).toBe(true);
    expect(texts(sent).join("")).toBe(`a${"é".repeat(10_000)}`);
  });

  test("are at most 10,000", () => {
    const { sent, deltas } = stream();
    for (let at = 0; at < 10_050; at++) deltas.push(encode("x"));
    expect(sent).toHaveLength(10_000);
  });

  test("are base64 on the way", () => {
    expect(toBase64(Uint8Array.of(0, 255, 10))).toBe("AP8K");
    const long = Uint8Array.from({ length: 9_000 }, (_, at) => at % 256);
    expect(Uint8Array.from(atob(toBase64(long)), (character) => character.charCodeAt(0))).toEqual(long);
  });
});

describe("argument vectors as one line", () => {
  test.each([
    [["/bin/bash", "-lc", "echo hi"], "/bin/bash -lc 'echo hi'"],
    [["/bin/bash", "-lc", ""], "/bin/bash -lc ''"],
    [["a", 'cat; echo "rc=$?"'], `a 'cat; echo "rc=$?"'`],
    [["a", 'printf "a\\nb\\n"'], 'a "printf \\"a\\\\nb\\\\n\\""'],
    [["a", "trap 'echo trapped; exit 42' INT"], `a "trap 'echo trapped; exit 42' INT"`],
    [["a", 'env | grep -E "^(TERM)" | sort'], `a 'env | grep -E "''^(TERM)" | sort'`],
    [["a", "it's $5"], `a "it's "'$5'`],
    [["plain/path.txt", "a_b-c+d:e@f"], "plain/path.txt a_b-c+d:e@f"],
    [["é"], "'é'"],
  ])("%j", (argv, expected) => {
    expect(shellJoin(argv)).toBe(expected);
  });
});

describe("what a command looks like", () => {
  const unknown = (cmd: string) => [{ type: "unknown", cmd }];
  test.each([
    ["ls", [{ type: "list_files", cmd: "ls", path: null }]],
    ["ls -la src/deep", [{ type: "list_files", cmd: "ls -la src/deep", path: "deep" }]],
    ["cat a/b.txt", [{ type: "read", cmd: "cat a/b.txt", name: "b.txt", path: "a/b.txt" }]],
    ["sed -n 1,2p x.c", [{ type: "read", cmd: "sed -n 1,2p x.c", name: "x.c", path: "x.c" }]],
    ["rg foo src", [{ type: "search", cmd: "rg foo src", query: "foo", path: "src" }]],
    ["grep -rn 'a b' .", [{ type: "search", cmd: "grep -rn 'a b' .", query: "a b", path: "." }]],
    ["rg --files", [{ type: "list_files", cmd: "rg --files", path: null }]],
    [
      "ls && cat 'x y'; rg q",
      [
        { type: "list_files", cmd: "ls", path: null },
        { type: "read", cmd: "cat 'x y'", name: "x y", path: "x y" },
        { type: "search", cmd: "rg q", query: "q", path: null },
      ],
    ],
    ["cat x | head -n 3", [{ type: "read", cmd: "cat x", name: "x", path: "x" }]],
    ["cat", unknown("cat")],
    ["echo hi", unknown("echo hi")],
    ["ls && echo hi", unknown("ls && echo hi")],
    ["cat x > y", unknown("cat x > y")],
    ["cat $(ls)", unknown("cat $(ls)")],
    ["", unknown("")],
    ["cat 'x", unknown("cat 'x")],
  ])("%s", (command, expected) => {
    expect(parseCommand(command)).toEqual(expected);
  });
});

describe("shells", () => {
  const bash = { name: "bash", path: "/bin/bash" };
  test.each([
    [bash, undefined, true, ["/bin/bash", "-lc", "x"]],
    [bash, false, true, ["/bin/bash", "-c", "x"]],
    [bash, undefined, false, ["/bin/bash", "-c", "x"]],
    [{ name: "powershell", path: "pwsh" }, false, true, ["pwsh", "-NoProfile", "-Command", "x"]],
    [{ name: "powershell", path: "pwsh" }, true, true, ["pwsh", "-Command", "x"]],
    [{ name: "cmd", path: "cmd.exe" }, true, true, ["cmd.exe", "/c", "x"]],
  ])("%j login %s allowed %s", (shell, login, loginAllowed, expected) => {
    expect(shellArgv({ shell, command: "x", login, loginAllowed })).toEqual(expected);
  });

  test("a login shell that is not allowed is refused", () => {
    expect(() => shellArgv({ shell: bash, command: "x", login: true, loginAllowed: false })).toThrow(
      new RespondToModel("login shell is disabled by config; omit `login` or set it to false."),
    );
  });

  test("names come from paths", () => {
    expect(["/bin/zsh", "C:\\x\\PwSh.exe", "sh"].map(shellNameOf)).toEqual(["zsh", "powershell", "sh"]);
  });
});

describe("the environment of commands", () => {
  const inherited = { PATH: "/bin", HOME: "/h", MY_TOKEN: "t", TERM: "xterm", NODE_REPL_AUTH_TOKEN: "no" };
  const make = (changes: object) =>
    commandEnvironment({
      policy: { ...DEFAULT_ENVIRONMENT_POLICY, ...changes },
      inherited,
      threadId: "th",
      sessionId: "se",
      extra: {},
    });
  const forced = {
    NO_COLOR: "1",
    TERM: "dumb",
    LANG: "C.UTF-8",
    LC_CTYPE: "C.UTF-8",
    LC_ALL: "C.UTF-8",
    COLORTERM: "",
    PAGER: "cat",
    GIT_PAGER: "cat",
    GH_PAGER: "cat",
    CODEX_CI: "1",
    CODEX_THREAD_ID: "th",
    CODEX_SESSION_ID: "se",
  };

  test.each([
    [{}, { PATH: "/bin", HOME: "/h", MY_TOKEN: "t" }],
    [{ inherit: "core" }, { PATH: "/bin", HOME: "/h" }],
    [{ inherit: "none", set: { A: "1", TERM: "mine" } }, { A: "1" }],
    [{ ignoreDefaultExcludes: false }, { PATH: "/bin", HOME: "/h" }],
    [{ exclude: ["my_*"] }, { PATH: "/bin", HOME: "/h" }],
    [
      { includeOnly: ["P?TH", "SET*"], set: { SETTING: "1" } },
      { PATH: "/bin", SETTING: "1" },
    ],
    [{ set: { NODE_REPL_AUTH_TOKEN: "no" } }, { PATH: "/bin", HOME: "/h", MY_TOKEN: "t" }],
  ])("%j", (changes, expected) => {
    expect(make(changes)).toEqual({ ...expected, ...forced });
  });
});

describe("write_stdin's arguments", () => {
  test("defaults", () => {
    expect(parseWriteArguments('{"session_id":7,"other":1}')).toEqual({
      sessionId: 7,
      chars: "",
      yieldMs: undefined,
      maxOutputTokens: undefined,
    });
  });

  test.each([
    ["{}", "missing field `session_id` at session_id"],
    ['{"session_id":"abc"}', 'invalid type: string "abc", expected i32 at session_id'],
    ['{"session_id":1.5}', "invalid type: floating point `1.5`, expected i32 at session_id"],
    ['{"session_id":3000000000}', "invalid value: integer `3000000000`, expected i32 at session_id"],
    ['{"session_id":1,"chars":null}', "invalid type: null, expected a string at chars"],
    ['{"session_id":1,"yield_time_ms":-1}', "invalid value: integer `-1`, expected u64 at yield_time_ms"],
  ])("%s", (text, rule) => {
    expect(() => parseWriteArguments(text)).toThrow(`failed to parse function arguments: ${rule}`);
  });
});

test("the lock of a process serves in order and can be left twice", async () => {
  const lock = new InteractionLock();
  const order: number[] = [];
  const first = await lock.acquire();
  const others = [2, 3].map((number) =>
    lock.acquire().then((release) => {
      order.push(number);
      release();
    }),
  );
  expect(lock.isHeld).toBe(true);
  first();
  first();
  await Promise.all(others);
  expect(order).toEqual([2, 3]);
  expect(lock.isHeld).toBe(false);
});
