/** One `[model_providers.X]` table. */
import {
  DEFAULT_REQUEST_RETRIES,
  DEFAULT_STREAM_IDLE_TIMEOUT_MS,
  DEFAULT_STREAM_RETRIES,
  type ModelProvider,
  OPENAI_PROVIDER,
} from "../model/provider.js";
import type { TableReader } from "./table-reader.js";

/** @throws {ConfigError} */
export function readProvider(id: string, table: TableReader): ModelProvider {
  const baseUrl = table.string("base_url") ?? OPENAI_PROVIDER.baseUrl;
  let url: URL;
  try {
    url = new URL(baseUrl);
  } catch {
    throw table.problem("base_url", "must be a URL");
  }
  if (url.protocol !== "http:" && url.protocol !== "https:") throw table.problem("base_url", "must be an http(s) URL");
  const wireApi = table.string("wire_api") ?? "responses";
  if (wireApi !== "responses") throw table.problem("wire_api", 'must be "responses"');
  table.boolean("requires_openai_auth");
  table.boolean("supports_websockets");
  return {
    id,
    name: table.string("name") ?? id,
    baseUrl,
    envKey: table.string("env_key"),
    envKeyInstructions: table.string("env_key_instructions"),
    headers: table.stringMap("http_headers") ?? {},
    envHeaders: table.stringMap("env_http_headers") ?? {},
    queryParams: table.stringMap("query_params") ?? {},
    requestMaxRetries: table.integer("request_max_retries") ?? DEFAULT_REQUEST_RETRIES,
    streamMaxRetries: table.integer("stream_max_retries") ?? DEFAULT_STREAM_RETRIES,
    streamIdleTimeoutMs: table.integer("stream_idle_timeout_ms", 1) ?? DEFAULT_STREAM_IDLE_TIMEOUT_MS,
  };
}
