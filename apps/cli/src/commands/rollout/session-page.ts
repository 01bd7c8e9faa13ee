/**
 * One session as one self-contained HTML page: turns, commands, questions and answers, images, times, and a chart of
 * tokens. No script, no request to anywhere; everything from the session is escaped.
 */
import { collectRollout, projectThread, type RolloutRecord } from "@turnkit/protocol/rollout";
import { decompress } from "./open-file.js";
import { PAGE_STYLE } from "./page-style.js";

const ENTITIES: Readonly<Record<string, string>> = {
  "&": "&amp;",
  "<": "&lt;",
  ">": "&gt;",
  '"': "&quot;",
  "'": "&#39;",
};
const text = (value: unknown): string => String(value ?? "").replace(/[&<>"']/g, (char) => ENTITIES[char] as string);

interface Entry {
  readonly time: string | null;
  readonly html: string;
}

const block = (kind: string, title: string, body: string): string =>
  `<section class="${kind}"><h3>${title}</h3>${body}</section>`;
const pre = (value: unknown): string => `<pre>${text(value)}</pre>`;

/** Images are shown only when they are inside the file: nothing is fetched. */
function image(url: unknown): string {
  const source = String(url ?? "");
  if (/^data:image\/(?:png|jpeg|webp|gif);base64,[A-Za-z0-9+/=]+$/.test(source))
    return `<img alt="attached image" src="${source}">`;
  return `<p class="muted">image: ${text(source.slice(0, 120))}</p>`;
}

type Fields = Readonly<Record<string, unknown>>;
const fields = (value: unknown): Fields => (typeof value === "object" && value !== null ? (value as Fields) : {});
const list = (value: unknown): readonly unknown[] => (Array.isArray(value) ? value : []);

function parsed(json: unknown): Fields {
  try {
    return fields(JSON.parse(String(json)));
  } catch {
    return {};
  }
}

function contentHtml(content: unknown): string {
  return list(content)
    .map((part) => {
      const { type, text: value, image_url } = fields(part);
      return type === "input_image" ? image(image_url) : pre(value);
    })
    .join("");
}

/** Messages that a harness puts in for the model are folded away. */
const isContext = (content: unknown): boolean =>
  /^\s*<(?:environment_context|user_instructions|permissions|collaboration_mode|skill|turn_aborted)/.test(
    String(fields(list(content)[0]).text ?? ""),
  );

function questionHtml(call: Fields, output: unknown): string {
  const answers = fields(fields(parsed(output)).answers);
  const rows = list(parsed(call.arguments).questions).map((question) => {
    const { id, question: asked, isSecret } = fields(question);
    const given = list(fields(answers[String(id)]).answers);
    const shown = isSecret === true && given.length > 0 ? "••••••" : given.map(text).join("<br>");
    return `<dt>${text(asked)}</dt><dd>${shown || '<span class="muted">not answered</span>'}</dd>`;
  });
  return block("question", "Question", `<dl>${rows.join("")}</dl>`);
}

function callHtml(item: Fields, outputs: ReadonlyMap<string, unknown>): string {
  const output = outputs.get(String(item.call_id));
  const shown = typeof output === "string" ? pre(output) : contentHtml(output);
  if (item.name === "request_user_input") return questionHtml(item, output);
  if (item.type === "custom_tool_call") return block("command", text(item.name), pre(item.input) + shown);
  const args = parsed(item.arguments);
  if (item.name === "exec_command")
    return block("command", "Command", `<pre class="typed">$ ${text(args.cmd)}</pre>${shown}`);
  if (item.name === "write_stdin") {
    const typed = JSON.stringify(args.chars ?? "");
    return block("command", `Typed into ${text(args.session_id)}`, `<pre class="typed">${text(typed)}</pre>${shown}`);
  }
  return block("command", text(item.name), pre(item.arguments) + shown);
}

function itemHtml(item: Fields, outputs: ReadonlyMap<string, unknown>): string | null {
  switch (item.type) {
    case "message": {
      const body = contentHtml(item.content);
      if (item.role === "assistant") return block("agent", "Agent", body);
      if (item.role !== "user" || isContext(item.content)) {
        return `<details><summary>${text(item.role)} context</summary>${body}</details>`;
      }
      return block("user", "You", body);
    }
    case "reasoning": {
      const summary = list(item.summary)
        .map((part) => text(fields(part).text))
        .join("\n\n");
      return summary === "" ? null : `<details><summary>Reasoning</summary><pre>${summary}</pre></details>`;
    }
    case "function_call":
    case "custom_tool_call":
      return callHtml(item, outputs);
    default:
      return null;
  }
}

function entries(records: readonly RolloutRecord[]): Entry[] {
  const lines = records.flatMap((record) => (record.kind === "line" ? [record.value as unknown as Fields] : []));
  const outputs = new Map<string, unknown>();
  for (const { type, payload } of lines) {
    const item = fields(payload);
    if (type === "response_item" && /call_output$/.test(String(item.type)))
      outputs.set(String(item.call_id), item.output);
  }
  return lines.flatMap((line): Entry[] => {
    const payload = fields(line.payload);
    const time = typeof line.timestamp === "string" ? line.timestamp : null;
    if (line.type === "response_item") {
      const html = itemHtml(payload, outputs);
      return html === null ? [] : [{ time, html }];
    }
    if (line.type !== "event_msg") return [];
    if (/^(?:task|turn)_started$/.test(String(payload.type))) return [{ time, html: "<h2>Turn</h2>" }];
    if (/^(?:task|turn)_complete$/.test(String(payload.type))) {
      const duration =
        typeof payload.duration_ms === "number" ? ` after ${(payload.duration_ms / 1000).toFixed(1)} s` : "";
      return [{ time, html: `<p class="muted">turn complete${duration}</p>` }];
    }
    if (payload.type === "turn_aborted") return [{ time, html: '<p class="warning">turn interrupted</p>' }];
    if (payload.type === "error") return [{ time, html: `<p class="warning">${text(payload.message)}</p>` }];
    return [];
  });
}

interface TokenPoint {
  readonly input: number;
  readonly cached: number;
  readonly output: number;
}

function tokenPoints(records: readonly RolloutRecord[]): TokenPoint[] {
  return records.flatMap((record) => {
    if (record.kind !== "line" || record.value.type !== "event_msg") return [];
    const payload = fields(record.value.payload);
    const last = fields(fields(payload.info).last_token_usage);
    if (payload.type !== "token_count" || typeof last.input_tokens !== "number") return [];
    return [
      {
        input: last.input_tokens,
        cached: Number(last.cached_input_tokens ?? 0),
        output: Number(last.output_tokens ?? 0),
      },
    ];
  });
}

/** Bars per model request: cached input, new input, output. */
function tokenChart(points: readonly TokenPoint[]): string {
  if (points.length === 0) return "";
  const top = Math.max(1, ...points.map((point) => point.input + point.output));
  const width = Math.max(3, Math.min(24, Math.floor(880 / points.length)));
  const height = 120;
  const bars = points.map((point, index) => {
    let y = height;
    const part = (kind: string, tokens: number): string => {
      const size = (tokens / top) * height;
      y -= size;
      return `<rect class="${kind}" x="${index * width}" y="${y.toFixed(1)}" width="${width - 1}" height="${size.toFixed(1)}"/>`;
    };
    const title = `<title>request ${index + 1}: ${point.input} in (${point.cached} cached), ${point.output} out</title>`;
    return `<g>${title}${part("cached", point.cached)}${part("input", point.input - point.cached)}${part("output", point.output)}</g>`;
  });
  return `<figure><svg viewBox="0 0 ${points.length * width} ${height}" role="img" aria-label="Tokens per request">${bars.join("")}</svg>
<figcaption>Tokens per request, at most ${top}: <span class="key cached"></span>cached <span class="key input"></span>new <span class="key output"></span>output</figcaption></figure>`;
}

export async function sessionPage(file: string, source: AsyncIterable<Uint8Array>): Promise<string> {
  const records = await collectRollout(source, { decompress });
  const thread = projectThread(records);
  const losses = records.filter((record) => record.kind === "loss").length;
  const title = thread.name ?? (thread.preview.trim() || thread.threadId || file);
  const facts: readonly (readonly [string, unknown])[] = [
    ["thread", thread.threadId],
    ["folder", thread.cwd],
    ["version", thread.cliVersion],
    ["provider", thread.modelProvider],
    ["turns", thread.turns.length],
    ...(losses > 0 ? [["unreadable lines", losses] as const] : []),
  ];
  const body = entries(records).map(({ time, html }) => {
    const clock = time === null ? "" : `<time datetime="${text(time)}">${text(time.slice(11, 19))}</time>`;
    return `<div class="entry">${clock}<div>${html}</div></div>`;
  });
  return `<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="color-scheme" content="light dark">
<meta http-equiv="Content-Security-Policy" content="default-src 'none'; img-src data:; style-src 'unsafe-inline'">
<title>${text(title.slice(0, 80))}</title>
<style>${PAGE_STYLE}</style>
</head>
<body>
<header><h1>${text(title.slice(0, 200))}</h1>
<dl class="facts">${facts.map(([name, value]) => `<dt>${name}</dt><dd>${text(value ?? "unknown")}</dd>`).join("")}</dl>
${tokenChart(tokenPoints(records))}</header>
<main>
${body.join("\n")}
</main>
</body>
</html>
`;
}
