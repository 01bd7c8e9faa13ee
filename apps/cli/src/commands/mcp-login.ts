/** `turnkit mcp login|logout`: a person signs in to one MCP server in a browser, or has the sign-in forgotten. */
import type { Config } from "@turnkit/core/config";
import { type CommandRun, lastValue, type ParsedArguments } from "../arguments/command-spec.js";
import { configOverrides } from "../arguments/thread-options.js";
import { homeFolder } from "../client/model-configured.js";
import { CliError, ExitCode, messageOf } from "../exit.js";
import { abortOnSignals } from "./abort-on-signals.js";
import { configModule, inConfigTerms } from "./config/config-file.js";
import { unknownServer } from "./mcp.js";

const oauthModule = (): Promise<typeof import("@turnkit/core/mcp-oauth")> => import("@turnkit/core/mcp-oauth");

async function chosen(parsed: ParsedArguments) {
  const [name = ""] = parsed.positionals;
  const { loadConfig, parseOverrides } = await configModule();
  const load = async () => loadConfig({ home: homeFolder(), overrides: parseOverrides(configOverrides(parsed)) });
  const config: Config = await inConfigTerms(load());
  const server = Object.hasOwn(config.mcpServers, name) ? config.mcpServers[name] : undefined;
  if (!server) throw unknownServer(name, Object.keys(config.mcpServers));
  return { name, config, server };
}

/** @throws {CliError} */
function scopesOf(parsed: ParsedArguments): string[] | undefined {
  const given = lastValue(parsed, "scopes");
  const scopes = given?.split(",").map((scope) => scope.trim());
  if (scopes?.some((scope) => scope === "" || /\s/.test(scope)))
    throw new CliError(`--scopes must be words with commas between them, not ${JSON.stringify(given)}`, ExitCode.usage);
  return scopes;
}

export const login: CommandRun = async (parsed) => {
  const scopes = scopesOf(parsed);
  const { name, config, server } = await chosen(parsed);
  const { startMcpLogin } = await oauthModule();
  using abort = abortOnSignals();
  try {
    await using running = await startMcpLogin({
      name,
      server,
      home: config.home,
      environment: process.env,
      scopes,
      callback: config.mcpCallback,
      timeoutMs: undefined,
    });
    const giveUp = () => void running[Symbol.asyncDispose]();
    abort.signal.addEventListener("abort", giveUp, { once: true });
    if (abort.signal.aborted) giveUp();
    else process.stdout.write(`Open this page in a browser to log in to ${name}:\n${running.authorizationUrl}\n`);
    await running.completed;
  } catch (error) {
    if (abort.signal.aborted) return abort.exitCode;
    throw new CliError(`cannot log in to ${name}: ${messageOf(error)}`, ExitCode.failed, undefined, { cause: error });
  }
  process.stdout.write(`logged in to ${name}\n`);
  return ExitCode.ok;
};

export const logout: CommandRun = async (parsed) => {
  const { name, config, server } = await chosen(parsed);
  const { forgetMcpLogin } = await oauthModule();
  try {
    const found = await forgetMcpLogin(config.home, name, server);
    process.stdout.write(found ? `logged out of ${name}\n` : `there was no login to ${name}\n`);
  } catch (error) {
    throw new CliError(`cannot log out of ${name}: ${messageOf(error)}`, ExitCode.failed, undefined, { cause: error });
  }
  return ExitCode.ok;
};
