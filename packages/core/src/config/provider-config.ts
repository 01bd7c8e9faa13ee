/** The built-in provider and one `[model_providers.X]` table. */
import type { ConfigFile, ConfigProvider } from "@turnkit/protocol";
import {
  DEFAULT_REQUEST_RETRIES,
  DEFAULT_STREAM_IDLE_TIMEOUT_MS,
  DEFAULT_STREAM_RETRIES,
  type ModelProvider,
  OPENAI_PROVIDER,
} from "../model/provider.js";
import type { TableReader } from "./table-reader.js";

/** The built-in provider, served where `openai_base_url` says. @throws {ConfigError} */
export function openaiProvider(table: TableReader<ConfigFile>): ModelProvider {
  const baseUrl = table.take("openai_base_url");
  if (baseUrl === undefined) return OPENAI_PROVIDER;
  checkUrl(baseUrl, "openai_base_url", table);
  return { ...OPENAI_PROVIDER, baseUrl };
}

function checkUrl(value: string, key: string, table: TableReader<object>): void {
  let url: URL;
  try {
    url = new URL(value);
  } catch {
    throw table.problem(key, "must be a URL");
  }
  if (url.protocol !== "http:" && url.protocol !== "https:") throw table.problem(key, "must be an http(s) URL");
}

/** @throws {ConfigError} */
export function readProvider(id: string, table: TableReader<ConfigProvider>): ModelProvider {
  const baseUrl = table.take("base_url") ?? OPENAI_PROVIDER.baseUrl;
  checkUrl(baseUrl, "base_url", table);
  // Known, and without influence: there is one wire and one way to sign in.
  table.take("wire_api");
  table.take("requires_openai_auth");
  table.take("supports_websockets");
  return {
    id,
    name: table.take("name") ?? id,
    baseUrl,
    envKey: table.take("env_key"),
    envKeyInstructions: table.take("env_key_instructions"),
    headers: table.take("http_headers") ?? {},
    envHeaders: table.take("env_http_headers") ?? {},
    queryParams: table.take("query_params") ?? {},
    requestMaxRetries: table.take("request_max_retries") ?? DEFAULT_REQUEST_RETRIES,
    streamMaxRetries: table.take("stream_max_retries") ?? DEFAULT_STREAM_RETRIES,
    streamIdleTimeoutMs: table.take("stream_idle_timeout_ms") ?? DEFAULT_STREAM_IDLE_TIMEOUT_MS,
  };
}
