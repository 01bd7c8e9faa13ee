// @ts-check
// Takes away what is an implementation's own business: prompt texts, tool descriptions, user agents, chunking of output.
import { createHash } from "node:crypto";

const ownTexts = new Set([
  "instructions",
  "base_instructions",
  "baseInstructions",
  "developer_instructions",
  "developerInstructions",
  "description",
  "userAgent",
  "user_agent",
  "x-codex-turn-metadata",
  "prompt_cache_key",
  "client_metadata",
  "installationId",
  "serverName",
  "cli_version",
  "cliVersion",
  "originator",
  "encrypted_content",
  "world_state",
  // Of a text that holds the path of the home folder.
  "currentHash",
]);
const comparedTools = new Set([
  "exec_command",
  "write_stdin",
  "update_plan",
  "request_user_input",
  "apply_patch",
  "view_image",
]);
/** Results that list what an implementation offers. */
const ownResults = ["config/read", "model/list", "skills/list", "collaborationMode/list", "experimentalFeature/list"];
/** Lines of which only the presence of members is compared. */
const ownLines = new Set(["session_meta", "turn_context", "world_state"]);
const outputDelta = "item/commandExecution/outputDelta";
const longText = 600;

/** @typedef {{ wire: any[], deltas: Record<string, string>, model: any[], rollout: any[] }} Streams */

/**
 * @param {{ wire: any[], asked: ReadonlyMap<unknown, string>, requests: any[], rollout: any[] }} observed normalized
 * @returns {Streams}
 */
export function strippedStreams({ wire, asked, requests, rollout }) {
  const messages = wire
    .filter((message) => !isAboutTheMachine(message))
    .map((message) => {
      const isOwn = message.method === undefined && message.result && ownResults.includes(asked.get(message.id) ?? "");
      return isOwn ? { id: message.id, result: "<own>" } : strip(message);
    });
  /** How output is cut is timing: the text per item is compared instead. @type {Record<string, string>} */
  const deltas = {};
  for (const { method, params } of wire)
    if (method === outputDelta) deltas[params.itemId] = (deltas[params.itemId] ?? "") + params.delta;
  for (const [item, text] of Object.entries(deltas))
    if (text.length > longText) deltas[item] = `<${text.length} characters>`;
  return JSON.parse(
    JSON.stringify({
      wire: messages.filter(({ method }) => method !== outputDelta),
      deltas,
      model: requests.map(strippedRequest),
      rollout: rollout.map(strippedLine),
    }),
  );
}

/** What a server says of the machine it runs on. @param {any} message */
function isAboutTheMachine({ method, params }) {
  return (
    method === "remoteControl/status/changed" || (method === "configWarning" && /bubblewrap/i.test(params.summary))
  );
}

/** What two messages, requests or lines must share to be held against each other. @param {string} stream @param {any} entry */
export function kindOf(stream, entry) {
  if (stream === "model")
    return entry.input.map((/** @type {any} */ item) => `${item.type}${item.role ? `/${item.role}` : ""}`).join(",");
  if (stream === "rollout") return `${entry.type}${entry.payload?.type ? `:${entry.payload.type}` : ""}`;
  if (entry.method) return `${entry.method}${entry.params?.item?.type ? `:${entry.params.item.type}` : ""}`;
  return entry.error ? `error ${entry.error.code}` : "result";
}

/** @param {any} value @returns {any} */
function strip(value, key = "") {
  if (ownTexts.has(key)) return value === null ? null : "<own>";
  if (typeof value === "string") return shortened(value.replace(/<uuid#\d+>/g, "<uuid>"));
  if (Array.isArray(value)) return value.map((entry) => strip(entry, key));
  if (typeof value !== "object" || value === null) return value;
  const keys = Object.keys(value).sort();
  return Object.fromEntries(keys.map((name) => [name, strip(value[name], name)]));
}

/** @param {string} text */
function shortened(text) {
  if (text.length <= longText) return text;
  return `<long:${text.length}:${createHash("sha1").update(text).digest("hex").slice(0, 8)}>`;
}

/** @param {any} item */
function isOwnMessage(item) {
  if (item?.type !== "message") return false;
  if (item.role === "developer") return true;
  const isContext = (/** @type {any} */ part) => /^<environment_context>|^# AGENTS\.md/.test(part.text ?? "");
  return item.role === "user" && Boolean(item.content?.every?.(isContext));
}

/** @param {any} item */
function strippedItem(item) {
  return isOwnMessage(item) ? { type: "message", role: item.role, content: "<own>" } : strip(item);
}

/** @param {any} request */
function strippedRequest({ path, body }) {
  const { tools = [], parallel_tool_calls, store, stream, tool_choice, input = [] } = body ?? {};
  return {
    path,
    tools: tools
      .filter((/** @type {any} */ { name }) => comparedTools.has(name))
      .sort((/** @type {any} */ a, /** @type {any} */ b) => (a.name < b.name ? -1 : 1))
      .map((/** @type {any} */ { type, name, strict, parameters }) => strip({ type, name, strict, parameters })),
    parallel_tool_calls,
    store,
    stream,
    tool_choice,
    input: input.map(strippedItem),
  };
}

/** @param {any} line */
function strippedLine(line) {
  if (ownLines.has(line.type)) return { type: line.type, keys: Object.keys(line.payload ?? {}).sort() };
  if (line.type === "response_item" && isOwnMessage(line.payload))
    return { type: line.type, payload: strippedItem(line.payload) };
  return strip(line);
}
