/** How values of a session become HTML: everything is escaped, whatever its type. */

const ENTITIES: Readonly<Record<string, string>> = {
  "&": "&amp;",
  "<": "&lt;",
  ">": "&gt;",
  '"': "&quot;",
  "'": "&#39;",
};

export const text = (value: unknown): string =>
  String(value ?? "").replace(/[&<>"']/g, (char) => ENTITIES[char] as string);

export type Fields = Readonly<Record<string, unknown>>;
export const fields = (value: unknown): Fields =>
  typeof value === "object" && value !== null ? (value as Fields) : {};
export const list = (value: unknown): readonly unknown[] => (Array.isArray(value) ? value : []);

/** The members of a JSON object; none when the text is something else. */
export function parsed(json: unknown): Fields {
  try {
    return fields(JSON.parse(String(json)));
  } catch {
    return {};
  }
}

/** A block of a turn: what it is, a short remark at its right, and its body. */
export const block = (kind: string, title: string, body: string, remark = ""): string =>
  `<section class="${kind}"><h3>${title}${remark === "" ? "" : ` <span class="remark">${remark}</span>`}</h3>${body}</section>`;

export const folded = (title: string, body: string): string => `<details><summary>${title}</summary>${body}</details>`;

const OPEN_LINES = 14;

/** Long output is folded behind its first lines' count. */
export function output(value: unknown): string {
  const content = String(value ?? "").replace(/\s+$/, "");
  if (content === "") return "";
  const lines = content.split("\n").length;
  const shown = `<pre>${text(content)}</pre>`;
  return lines <= OPEN_LINES ? shown : folded(`${lines} lines of output`, shown);
}

/** Lines that a patch adds and removes stand out. */
export function patch(value: unknown): string {
  const rows = String(value ?? "")
    .replace(/\s+$/, "")
    .split("\n")
    .map((row) => {
      const kind = /^(?:\*\*\*|@@|\+\+\+|---)/.test(row)
        ? "place"
        : row.startsWith("+")
          ? "added"
          : row.startsWith("-")
            ? "removed"
            : "";
      return kind === "" ? `${text(row)}\n` : `<span class="${kind}">${text(row)}\n</span>`;
    });
  return `<pre class="patch">${rows.join("")}</pre>`;
}

/** Images are shown only when they are inside the file: nothing is fetched. */
export function image(url: unknown): string {
  const source = String(url ?? "");
  if (/^data:image\/(?:png|jpeg|webp|gif);base64,[A-Za-z0-9+/=]+$/.test(source))
    return `<img alt="attached image" src="${source}">`;
  return `<p class="muted">image: ${text(source.slice(0, 120))}</p>`;
}
