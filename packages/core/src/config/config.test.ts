import { mkdir, mkdtemp, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import path from "node:path";
import { afterAll, describe, expect, test } from "vitest";
import { ConfigError, loadConfig, threadSettings } from "./index.js";

const folders: string[] = [];

async function home(text?: string): Promise<string> {
  const folder = await mkdtemp(path.join(tmpdir(), "turnkit-config-"));
  folders.push(folder);
  await mkdir(folder, { recursive: true });
  if (text !== undefined) await writeFile(path.join(folder, "config.toml"), text);
  return folder;
}

afterAll(async () => {
  for (const folder of folders) await rm(folder, { recursive: true, force: true });
});

async function problemOf(text: string, strict = false): Promise<string> {
  const folder = await home(text);
  try {
    await loadConfig({ home: folder, strict });
    return "no error";
  } catch (error) {
    expect(error).toBeInstanceOf(ConfigError);
    return (error as Error).message.replace(folder, "HOME");
  }
}

describe("a file of the reference can be pointed at", () => {
  test("its keys are read", async () => {
    const folder = await home(`
model = "gpt-5.4"
model_provider = "mock"
approval_policy = "never"
sandbox_mode = "danger-full-access"
check_for_update_on_startup = false
background_terminal_max_timeout = 7000
[analytics]
enabled = false
[model_providers.mock]
name = "mock"
base_url = "http://127.0.0.1:1/v1"
wire_api = "responses"
request_max_retries = 0
stream_max_retries = 0
http_headers = { "X-A" = "b" }
[features]
plugins = false
default_mode_request_user_input = true
[tools.experimental_request_user_input]
enabled = false
[shell_environment_policy]
inherit = "core"
set = { A = "1" }
[projects."/proj"]
trust_level = "trusted"
`);
    const config = await loadConfig({ home: folder });
    expect(config.warnings).toEqual([]);
    expect(config).toMatchObject({
      model: "gpt-5.4",
      providerId: "mock",
      approvalPolicy: "never",
      sandboxPolicy: { type: "danger-full-access" },
      features: { plugins: false, default_mode_request_user_input: true },
      questionTool: false,
      backgroundTerminalMaxTimeoutMs: 7000,
      environmentPolicy: { inherit: "core", set: { A: "1" } },
      projects: { "/proj": "trusted" },
    });
    expect(config.providers.mock).toMatchObject({
      baseUrl: "http://127.0.0.1:1/v1",
      requestMaxRetries: 0,
      streamMaxRetries: 0,
      headers: { "X-A": "b" },
    });
    expect(threadSettings(config, "/proj")).toMatchObject({ model: "gpt-5.4", cwd: "/proj", approval_policy: "never" });
  });

  test("there need not be one", async () => {
    const config = await loadConfig({ home: await home(), overrides: { "features.x": true, model: "m" } });
    expect(config).toMatchObject({
      file: null,
      model: "m",
      providerId: "openai",
      features: { x: true },
      questionTool: true,
    });
    expect(config.sandboxPolicy.type).toBe("workspace-write");
  });
});

describe("what is wrong is one error with file, line and key", () => {
  test.each([
    [
      'model = "a"\n\nmodel = 3',
      "HOME/config.toml:3: is not TOML: Invalid TOML document: trying to redefine an already defined table or value",
    ],
    ["\nmodel = 3", "HOME/config.toml:2: model must be a string"],
    ['[features]\na = "b"', "HOME/config.toml:2: features.a must be true or false"],
    [
      'approval_policy = "sometimes"',
      'HOME/config.toml:1: approval_policy must be one of "untrusted", "on-failure", "on-request", "never"',
    ],
    [
      'approval_policy = "untrusted"',
      'HOME/config.toml:1: approval_policy = "untrusted" is no longer supported; remove this setting',
    ],
    ['model_provider = "x"', 'HOME/config.toml:1: model_provider names "x", which is not under model_providers'],
    ['[model_providers.x]\n\nbase_url = "nowhere"', "HOME/config.toml:3: model_providers.x.base_url must be a URL"],
    ['[model_providers.x]\nwire_api = "chat"', 'HOME/config.toml:2: model_providers.x.wire_api must be "responses"'],
    ["model_providers = 3", "HOME/config.toml:1: model_providers must be a table"],
    [
      "[tools.experimental_request_user_input]\nenabled = 1",
      "HOME/config.toml:2: tools.experimental_request_user_input.enabled must be true or false",
    ],
  ])("%j", async (text, expected) => {
    expect(await problemOf(text)).toBe(expected);
  });

  test("an unknown key is a warning, and an error when strict", async () => {
    const folder = await home('model = "m"\nmoddel = "x"');
    const config = await loadConfig({ home: folder });
    expect(config.warnings).toEqual([
      `${folder}/config.toml:2: moddel is not a known key (did you mean model?) and is ignored`,
    ]);
    expect(await problemOf('model = "m"\nmoddel = "x"', true)).toBe(
      "HOME/config.toml:2: moddel is not a known key (did you mean model?)",
    );
  });
});
