/**
 * One session as one self-contained HTML page: turns, commands, questions and answers, images, times, and a chart of
 * tokens. No script, no request to anywhere; everything from the session is escaped.
 */
import { collectRollout, projectThread } from "@turnkit/protocol/rollout";
import { decompress } from "../open-file.js";
import { text } from "./html.js";
import { PAGE_STYLE } from "./style.js";
import { tokenChart, tokenPoints } from "./token-chart.js";
import { type PageTurn, turnsOf } from "./turns.js";

/** As many turns are seen at a glance. */
const TURNS_WITHOUT_LIST = 3;

export async function sessionPage(file: string, source: AsyncIterable<Uint8Array>): Promise<string> {
  const records = await collectRollout(source, { decompress });
  const thread = projectThread(records);
  const losses = records.filter((record) => record.kind === "loss").length;
  const turns = turnsOf(records);
  const title = thread.name ?? (thread.preview.trim() || turns[0]?.title || thread.threadId || file);
  const facts: readonly (readonly [string, unknown])[] = [
    ["thread", thread.threadId],
    ["folder", thread.cwd],
    ["version", thread.cliVersion],
    ["provider", thread.modelProvider],
    ["begun", turns[0]?.time?.slice(0, 19).replace("T", " ")],
    ["turns", turns.length],
    ...(losses > 0 ? [["unreadable lines", losses] as const] : []),
  ];
  return `<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="color-scheme" content="light dark">
<meta http-equiv="Content-Security-Policy" content="default-src 'none'; img-src data:; style-src 'unsafe-inline'">
<link rel="icon" href="data:,">
<title>${text(title.slice(0, 80))}</title>
<style>${PAGE_STYLE}</style>
</head>
<body>
<header><h1>${text(title.slice(0, 200))}</h1>
<dl class="facts">${facts.map(([name, value]) => `<div><dt>${name}</dt><dd>${text(value ?? "unknown")}</dd></div>`).join("")}</dl>
${tokenChart(tokenPoints(records))}</header>
${turns.length > TURNS_WITHOUT_LIST ? turnList(turns) : ""}
<main>
${turns.map(turnHtml).join("\n")}
</main>
</body>
</html>
`;
}

function turnList(turns: readonly PageTurn[]): string {
  const rows = turns.map(
    ({ title, time }, index) =>
      `<li><span><a href="#turn-${index + 1}">${text(firstLine(title) || `Turn ${index + 1}`)}</a>${clock(time)}</span></li>`,
  );
  return `<nav aria-label="Turns"><ol>${rows.join("")}</ol></nav>`;
}

function turnHtml(turn: PageTurn, index: number): string {
  const entries = turn.entries.map(({ time, html }) => `<div class="entry">${clock(time)}<div>${html}</div></div>`);
  return `<article id="turn-${index + 1}"><h2>Turn ${index + 1} <span class="remark">${ending(turn)}</span></h2>
${entries.join("\n")}</article>`;
}

function ending({ status, durationMs }: PageTurn): string {
  const after = durationMs === null ? "" : ` after ${durationText(durationMs)}`;
  switch (status) {
    case "complete":
      return `<span class="good">complete</span>${after}`;
    case "interrupted":
      return '<span class="bad">interrupted</span>';
    case "failed":
      return `<span class="bad">failed</span>${after}`;
    case "open":
      return "";
  }
}

function durationText(ms: number): string {
  if (ms < 60_000) return `${(ms / 1000).toFixed(1)} s`;
  return `${Math.floor(ms / 60_000)} min ${Math.round((ms % 60_000) / 1000)} s`;
}

const firstLine = (value: string): string => (value.trim().split("\n")[0] ?? "").slice(0, 120);
const clock = (time: string | null): string =>
  time === null ? "<time></time>" : `<time datetime="${text(time)}">${text(time.slice(11, 19))}</time>`;
