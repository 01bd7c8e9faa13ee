import { mkdtempSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { StartRefusedError, UsageError } from "./errors.js";
import { parseListenOptions } from "./options.js";

const folder = mkdtempSync(join(tmpdir(), "listen-"));
const secretFile = join(folder, "secret");
writeFileSync(secretFile, `${"s".repeat(32)}\n`);
const shortFile = join(folder, "short");
writeFileSync(shortFile, "short\n");
const emptyFile = join(folder, "empty");
writeFileSync(emptyFile, " \n");
const token = ["--ws-auth", "capability-token"];
const signed = ["--ws-auth", "signed-bearer-token", "--ws-shared-secret-file", secretFile];
const parse = (...argv: string[]) => parseListenOptions(argv, "/home/me/.turnkit");

describe("--listen", () => {
  it.each([
    [[], { kind: "stdio" }],
    [["--stdio"], { kind: "stdio" }],
    [["--listen", "off"], { kind: "off" }],
    [["--listen", "unix://"], { kind: "unix", path: "/home/me/.turnkit/app-server-control/app-server-control.sock" }],
    [["--listen", "unix:///run/x.sock"], { kind: "unix", path: "/run/x.sock" }],
    [["--listen", "ws://127.0.0.1:0"], { kind: "websocket", host: "127.0.0.1", port: 0 }],
    [["--listen", "ws://[::1]:4500"], { kind: "websocket", host: "::1", port: 4500 }],
  ])("%j", async (argv, endpoint) => {
    expect((await parse(...argv)).endpoint).toEqual(endpoint);
  });

  it.each([
    [["--listen", "ws://localhost:1"], "unsupported --listen URL `ws://localhost:1`"],
    [["--listen", "http://127.0.0.1:1"], "unsupported --listen URL"],
    [["--listen", "ws://127.0.0.1:99999"], "unsupported --listen URL"],
    [["--nope"], "nope"],
    [["--ws-auth", "magic"], "invalid value 'magic'"],
    [[...signed, "--ws-max-clock-skew-seconds", "soon"], "--ws-max-clock-skew-seconds must be a whole number"],
  ])("does not understand %j", async (argv, words) => {
    const attempt = parse(...argv);
    await expect(attempt).rejects.toThrow(UsageError);
    await expect(attempt).rejects.toThrow(words);
  });

  it.each([
    [
      ["--listen", "ws://0.0.0.0:4500"],
      "refusing to start non-loopback websocket listener 0.0.0.0:4500 without auth; configure `--ws-auth capability-token` or `--ws-auth signed-bearer-token`",
    ],
    [["--listen", "ws://[::]:1"], "refusing to start non-loopback websocket listener [::]:1 without auth"],
    [["--ws-issuer", "me"], "websocket auth flags require `--ws-auth capability-token` or"],
    [token, "`--ws-token-file` or `--ws-token-sha256` is required when `--ws-auth capability-token` is set"],
    [[...token, "--ws-token-file", "x", "--ws-token-sha256", "y"], "are mutually exclusive"],
    [[...token, "--ws-token-file", join(folder, "none")], `failed to read websocket auth secret ${folder}/none: `],
    [[...token, "--ws-token-file", emptyFile], `websocket auth secret ${emptyFile} must not be empty`],
    [[...token, "--ws-token-sha256", "ff"], "--ws-token-sha256 must be a 64-character hex SHA-256 digest"],
    [[...token, "--ws-issuer", "me"], "require `--ws-auth signed-bearer-token`"],
    [["--ws-auth", "signed-bearer-token"], "`--ws-shared-secret-file` is required when"],
    [[...signed, "--ws-token-file", "x"], "require `--ws-auth capability-token`, not `signed-bearer-token`"],
    [
      ["--ws-auth", "signed-bearer-token", "--ws-shared-secret-file", shortFile],
      `signed websocket bearer secret ${shortFile} must be at least 32 bytes`,
    ],
  ])("must not be started with %j", async (argv, words) => {
    const attempt = parse(...argv);
    await expect(attempt).rejects.toThrow(StartRefusedError);
    await expect(attempt).rejects.toThrow(words);
  });

  it("lets a non-loopback listener start with auth", async () => {
    const options = await parse(
      "--listen",
      "ws://0.0.0.0:1",
      "--ws-auth",
      "capability-token",
      "--ws-token-file",
      secretFile,
    );
    expect(options.authorize?.(`Bearer ${"s".repeat(32)}`)).toBeUndefined();
    expect(options.authorize?.("Bearer x")).toBe("invalid websocket bearer token");
  });

  it("keeps configuration overrides in order", async () => {
    expect((await parse("-c", "a=1", "--config", "b=2", "--enable", "x", "--disable", "y")).overrides).toEqual([
      "a=1",
      "b=2",
      "features.x=true",
      "features.y=false",
    ]);
  });
});
