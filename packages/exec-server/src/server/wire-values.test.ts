import { expect, test } from "vitest";
import { pathFromUri, uriFromPath } from "../path-uri.js";
import { decodeBase64 } from "./base64.js";
import { environmentFor } from "./env-policy.js";
import { OutputFrames } from "./frames.js";
import { WriteIds } from "./write-ids.js";

test("base64 is strict and says where it is not", () => {
  expect(decodeBase64("aGk=").toString()).toBe("hi");
  expect(decodeBase64("")).toEqual(Buffer.alloc(0));
  const problems: Record<string, string> = {
    "!": "Invalid symbol 33, offset 0.",
    aGk: "Invalid padding",
    "aR==": "Invalid last symbol 82, offset 1.",
    "aGk=\n": "Invalid symbol 10, offset 4.",
    "a=k=": "Invalid symbol 61, offset 1.",
    "aG_-": "Invalid symbol 95, offset 2.",
  };
  for (const [text, problem] of Object.entries(problems)) expect(() => decodeBase64(text), text).toThrow(problem);
});

test("paths are file URIs", () => {
  expect(pathFromUri("file:///tmp/sp%20ace/../x")).toBe("/tmp/x");
  expect(pathFromUri("file:///tmp/sp ace/")).toBe("/tmp/sp ace");
  expect(pathFromUri("file:///")).toBe("/");
  expect(uriFromPath("/tmp/sp ace é")).toBe("file:///tmp/sp%20ace%20%C3%A9");
  const problems: Record<string, string> = {
    "/tmp": "invalid URI: relative URL without a base",
    "http://x/": "unsupported path URI scheme `http`",
    "file:///x?y": "query parameters are not allowed in path URIs",
    "file:///x#y": "fragments are not allowed in path URIs",
    "file://host/x": "'file://host/x' is invalid on '",
    "file:///%00": "NUL byte",
    "file:///%ff": "not UTF-8",
  };
  for (const [uri, problem] of Object.entries(problems)) expect(() => pathFromUri(uri), uri).toThrow(problem);
});

test("an environment policy filters the server's own, then adds, then filters again; env is never filtered", () => {
  const own = { PATH: "/bin", HOME: "/root", API_KEY: "k", MY_SECRET: "s", PLAIN: "p", TERM: "xterm" };
  const policy = { inherit: "all", ignoreDefaultExcludes: false, exclude: [], set: {}, includeOnly: [] } as const;
  const build = (more: object, env: Record<string, string> = {}) =>
    ({ ...environmentFor({ ...policy, exclude: [], includeOnly: [], ...more }, env, own) }) as Record<string, string>;
  expect(Object.keys(build({}))).toEqual(["HOME", "PATH", "PLAIN", "TERM"]);
  expect(Object.keys(build({ inherit: "core" }))).toEqual(["HOME", "PATH"]);
  expect(build({ inherit: "none", set: { A: "1", B: "2" } }, { B: "3" })).toEqual({ A: "1", B: "3" });
  expect(Object.keys(build({ exclude: ["p*"], ignoreDefaultExcludes: true }))).toEqual([
    "API_KEY",
    "HOME",
    "MY_SECRET",
    "TERM",
  ]);
  expect(build({ includeOnly: ["pl?in"], set: { X: "x" } }, { EXTRA: "e" })).toEqual({ EXTRA: "e", PLAIN: "p" });
});

test("an output frame is the JSON of its notification", () => {
  const processId = 'é"\n';
  for (const size of [0, 1, 2, 3, 8192]) {
    const bytes = Buffer.alloc(size, 7);
    const frame = new OutputFrames(processId).of({ type: "output", seq: 12, stream: "stderr", bytes });
    expect(JSON.parse(frame.toString())).toEqual({
      method: "process/output",
      params: { processId, seq: 12, stream: "stderr", chunk: bytes.toString("base64") },
    });
  }
});

test("forgets the oldest of more than 4096 write ids, and knowing one again does not refresh it", () => {
  const ids = new WriteIds();
  for (let id = 1; id <= 4096; id++) ids.remember(String(id));
  ids.remember("1");
  ids.remember("4097");
  expect([ids.has("1"), ids.has("2"), ids.has("4097")]).toEqual([false, true, true]);
});
