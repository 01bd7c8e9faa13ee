/** Markdown of a message as HTML: the parts of it that models write. What it does not know stays as text. */
import type { Span } from "../../../tui/terminal/style.js";
import { inlineSpans } from "../../../tui/transcript/markdown.js";
import { patch, text } from "./html.js";

export function markdown(source: string): string {
  const rows = source.replace(/\r\n?/g, "\n").split("\n");
  const parts: string[] = [];
  let at = 0;
  while (at < rows.length) {
    const row = rows[at] as string;
    const fence = /^\s{0,3}(`{3,}|~{3,})\s*([\w+#.-]*)/.exec(row);
    if (fence) {
      const end = next(rows, at + 1, (line) => line.trim().startsWith(fence[1] as string));
      const code = rows.slice(at + 1, end).join("\n");
      parts.push(fence[2] === "diff" ? patch(code) : `<pre class="code">${text(code)}</pre>`);
      at = end + 1;
    } else if (row.includes("|") && /^\s*\|?\s*:?-{2,}:?\s*(\|\s*:?-{2,}:?\s*)*\|?\s*$/.test(rows[at + 1] ?? "")) {
      const end = next(rows, at + 2, (line) => !line.includes("|"));
      parts.push(table(row, rows.slice(at + 2, end)));
      at = end;
    } else if (ITEM.test(row)) {
      const end = next(rows, at + 1, (line) => line.trim() === "" || HEADING.test(line));
      parts.push(items(rows.slice(at, end)));
      at = end;
    } else if (row.trim() === "" || RULE.test(row) || HEADING.test(row)) {
      const heading = HEADING.exec(row);
      if (heading) parts.push(`<h4>${inline(heading[1] as string)}</h4>`);
      else if (row.trim() !== "") parts.push("<hr>");
      at += 1;
    } else {
      const end = next(rows, at + 1, (line) => STARTS_ANEW.test(line) || RULE.test(line) || line.trim() === "");
      parts.push(paragraph(rows.slice(at, end)));
      at = end;
    }
  }
  return parts.join("");
}

const RULE = /^\s{0,3}([-*_])(\s*\1){2,}\s*$/;
const HEADING = /^#{1,6}\s+(.*?)\s*#*$/;
const ITEM = /^(\s*)(?:[-*+]|(\d+)[.)])\s+(\[[ xX]\]\s+)?(.*)$/;
const STARTS_ANEW = /^(?:#{1,6}\s|\s{0,3}(?:`{3}|~{3})|\s*(?:[-*+]|\d+[.)])\s)/;

function next(rows: readonly string[], from: number, ends: (row: string) => boolean): number {
  const found = rows.findIndex((row, index) => index >= from && ends(row));
  return found < 0 ? rows.length : found;
}

function paragraph(rows: readonly string[]): string {
  const quoted = rows.every((row) => /^\s{0,3}>/.test(row));
  const body = rows.map((row) => inline(quoted ? row.replace(/^\s{0,3}>\s?/, "") : row)).join("<br>");
  return quoted ? `<blockquote>${body}</blockquote>` : `<p>${body}</p>`;
}

/** One level of markup; how deep an item lies is kept as its indent. */
function items(rows: readonly string[]): string {
  const entries: { marker: string; depth: number; body: string }[] = [];
  for (const row of rows) {
    const [, indent = "", number, box, content = ""] = ITEM.exec(row) ?? [];
    const last = entries.at(-1);
    if (ITEM.test(row)) {
      const marker = box ? (box.trim() === "[ ]" ? "☐" : "☑") : number ? `${number}.` : "•";
      entries.push({ marker, depth: Math.floor(indent.length / 2), body: inline(content) });
    } else if (last) last.body += ` ${inline(row.trim())}`;
  }
  const shown = entries.map(
    ({ marker, depth, body }) =>
      `<li style="margin-left:${Math.min(depth, 6)}em"><span class="marker">${marker}</span><span>${body}</span></li>`,
  );
  return `<ul>${shown.join("")}</ul>`;
}

function table(head: string, body: readonly string[]): string {
  const cells = (row: string, tag: string): string =>
    row
      .trim()
      .replace(/^\||\|$/g, "")
      .split("|")
      .map((cell) => `<${tag}>${inline(cell.trim())}</${tag}>`)
      .join("");
  const rows = body.map((row) => `<tr>${cells(row, "td")}</tr>`).join("");
  return `<div class="wide"><table><thead><tr>${cells(head, "th")}</tr></thead><tbody>${rows}</tbody></table></div>`;
}

function inline(source: string): string {
  const spans = inlineSpans(source);
  return spans.map((span, index) => spanHtml(span, spans[index - 1], spans[index + 1])).join("");
}

/** A link is followed by its address, when that differs: the address becomes where it leads. */
function spanHtml(span: Span, before: Span | undefined, after: Span | undefined): string {
  const address = (of: Span | undefined): string | undefined =>
    of?.style?.role === "muted" ? /^ \((https?:\/\/[^\s)]+)\)$/.exec(of.text)?.[1] : undefined;
  if (before?.style?.role === "link" && address(span) !== undefined) return "";
  const { role, bold, italic } = span.style ?? {};
  let html = role === undefined ? withLinks(span.text) : text(span.text);
  if (role === "code") html = `<code>${html}</code>`;
  if (role === "link") {
    const leads = address(after) ?? (/^https?:\/\/\S+$/.test(span.text) ? span.text : undefined);
    if (leads !== undefined) html = `<a rel="noreferrer" href="${text(leads)}">${html}</a>`;
  }
  if (role === "muted") html = `<span class="muted">${html}</span>`;
  if (bold) html = `<strong>${html}</strong>`;
  return italic ? `<em>${html}</em>` : html;
}

/** Addresses that stand in the text by themselves; what ends a sentence is no part of them. */
function withLinks(source: string): string {
  return source
    .split(/(https?:\/\/[^\s<>"'()]*[^\s<>"'().,;:!?])/)
    .map((part, index) => (index % 2 === 1 ? `<a rel="noreferrer" href="${text(part)}">${text(part)}</a>` : text(part)))
    .join("");
}
