/** Where a model is served and how its server is spoken to. */

export interface ModelProvider {
  readonly id: string;
  readonly name: string;
  /** Requests go to `{baseUrl}/responses`. */
  readonly baseUrl: string;
  /** Name of the variable that holds the key; undefined: no key is sent. */
  readonly envKey: string | undefined;
  readonly envKeyInstructions: string | undefined;
  readonly headers: Readonly<Record<string, string>>;
  /** Header name → name of the variable with its value. */
  readonly envHeaders: Readonly<Record<string, string>>;
  readonly queryParams: Readonly<Record<string, string>>;
  readonly requestMaxRetries: number;
  readonly streamMaxRetries: number;
  readonly streamIdleTimeoutMs: number;
}

export const DEFAULT_REQUEST_RETRIES = 4;
export const DEFAULT_STREAM_RETRIES = 5;
export const DEFAULT_STREAM_IDLE_TIMEOUT_MS = 300_000;

/** What the built-in provider is asked for when nothing is configured. */
export const DEFAULT_OPENAI_MODEL = "gpt-5.4";

export const OPENAI_PROVIDER: ModelProvider = {
  id: "openai",
  name: "OpenAI",
  baseUrl: "https://api.openai.com/v1",
  envKey: "OPENAI_API_KEY",
  envKeyInstructions: "Create an API key and export it as OPENAI_API_KEY.",
  headers: {},
  envHeaders: {},
  queryParams: {},
  requestMaxRetries: DEFAULT_REQUEST_RETRIES,
  streamMaxRetries: DEFAULT_STREAM_RETRIES,
  streamIdleTimeoutMs: DEFAULT_STREAM_IDLE_TIMEOUT_MS,
};

export function responsesUrl(provider: ModelProvider): URL {
  const url = new URL(`${provider.baseUrl.replace(/\/+$/, "")}/responses`);
  for (const [name, value] of Object.entries(provider.queryParams)) url.searchParams.set(name, value);
  return url;
}
