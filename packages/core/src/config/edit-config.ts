/**
 * Changes one key of a `config.toml` and leaves every other byte: comments, order, blank lines. Each edit is read back and
 * compared with what was meant; a text that cannot be edited so is refused, never damaged. Owns no keys.
 */
import { chmod, mkdir, readFile, realpath, rename, stat, writeFile } from "node:fs/promises";
import path from "node:path";
import { isDeepStrictEqual } from "node:util";
import { parse, stringify, TomlError } from "smol-toml";
import { ConfigError } from "./config-error.js";
import { parseToml } from "./config-file.js";
import { commentStart, type TomlStatement, tomlStatements } from "./toml-statements.js";

type Table = Record<string, unknown>;

const isTable = (value: unknown): value is Table =>
  typeof value === "object" && value !== null && !Array.isArray(value) && !(value instanceof Date);

const keyText = (key: string): string => (/^[\w-]+$/.test(key) ? key : JSON.stringify(key));

/** `value` on one line. */
function inline(value: unknown): string {
  if (Array.isArray(value)) return `[${value.map(inline).join(", ")}]`;
  if (!isTable(value)) return stringify({ x: value }).trim().slice("x = ".length);
  const members = Object.entries(value).map(([key, member]) => `${keyText(key)} = ${inline(member)}`);
  return members.length === 0 ? "{}" : `{ ${members.join(", ")} }`;
}

const startsWith = (whole: readonly string[], start: readonly string[]): boolean =>
  start.every((part, index) => whole[index] === part);

function valueAt(table: Table, keys: readonly string[]): unknown {
  let at: unknown = table;
  for (const key of keys) at = isTable(at) && Object.hasOwn(at, key) ? at[key] : undefined;
  return at;
}

/** A copy of `table` with the value; undefined removes it, and tables that are empty because of that. */
function withValue(table: Table, keys: readonly string[], value: unknown): Table {
  const [key, ...rest] = keys as [string, ...string[]];
  const inner = table[key];
  const next = rest.length === 0 ? value : withValue(isTable(inner) ? inner : {}, rest, value);
  const { [key]: _, ...others } = table;
  const gone = next === undefined || (value === undefined && isTable(next) && Object.keys(next).length === 0);
  return gone ? others : { ...others, [key]: next };
}

/** Empty tables mean nothing in a configuration. */
function withoutEmptyTables(value: unknown): unknown {
  if (!isTable(value)) return value;
  const members = Object.entries(value)
    .map(([key, member]) => [key, withoutEmptyTables(member)] as const)
    .filter(([, member]) => !(isTable(member) && Object.keys(member).length === 0));
  return Object.fromEntries(members);
}

const splice = (lines: readonly string[], first: number, end: number, put: readonly string[]): string =>
  [...lines.slice(0, first), ...put, ...lines.slice(end)].join("\n");

/** The ways in which a value can be put into the text, the most natural first. */
function* candidates(text: string, table: Table, keys: readonly string[], value: unknown): Generator<string> {
  const lines = text.split("\n");
  const statements = tomlStatements(text);
  const holder = statements.find(({ kind, path: at }) => kind === "assignment" && startsWith(keys, at));
  if (holder) {
    const changed = holder.path.length === keys.length ? value : valueAt(withValue(table, keys, value), holder.path);
    yield splice(lines, holder.first, holder.end, [reassigned(lines, holder, changed)]);
    return;
  }
  if (isTable(value)) {
    const rest = removed(text, keys).trimEnd();
    const section = stringify(keys.reduceRight<unknown>((inner, key) => ({ [key]: inner }), value) as Table).trim();
    yield `${rest}${rest === "" ? "" : "\n\n"}${section}\n`;
    return;
  }
  const last = keys.at(-1) as string;
  const above = keys.slice(0, -1);
  const assignment = `${keyText(last)} = ${inline(value)}`;
  const place = above.length === 0 ? endOfTop(lines, statements) : endOfTable(statements, above);
  if (place !== undefined) yield splice(lines, place, place, [assignment]);
  const rest = text.trimEnd();
  if (above.length > 0) yield `${rest}${rest === "" ? "" : "\n\n"}[${above.map(keyText).join(".")}]\n${assignment}\n`;
  const top = endOfTop(lines, statements);
  yield splice(lines, top, top, [`${keys.map(keyText).join(".")} = ${inline(value)}`]);
}

function reassigned(lines: readonly string[], { first, end }: TomlStatement, value: unknown): string {
  const line = lines[first]!;
  const comment = end === first + 1 ? line.slice(commentStart(line)).trimEnd() : "";
  return `${line.slice(0, line.indexOf("=") + 1)} ${inline(value)}${comment}`;
}

/** The line after the assignments that belong to no table; without any, after what the file says about itself. */
function endOfTop(lines: readonly string[], statements: readonly TomlStatement[]): number {
  const firstTable = statements.findIndex(({ kind }) => kind !== "assignment");
  const own = statements.slice(0, firstTable < 0 ? undefined : firstTable);
  if (own.length > 0) return own.at(-1)!.end;
  const spoken = lines.findIndex((line) => !line.startsWith("#"));
  return lines[spoken]?.trim() === "" ? spoken : 0;
}

/** The line after a table's last own assignment; undefined: it has no header of its own. */
function endOfTable(statements: readonly TomlStatement[], table: readonly string[]): number | undefined {
  const header = statements.findIndex(
    ({ kind, path: at }) => kind === "table" && at.length === table.length && startsWith(at, table),
  );
  if (header < 0) return undefined;
  const next = statements.findIndex(({ kind }, index) => index > header && kind !== "assignment");
  return statements.slice(header, next < 0 ? undefined : next).at(-1)!.end;
}

/** Without what `keys` names: its assignment, or its tables with the comments inside them. */
function removed(text: string, keys: readonly string[]): string {
  const lines = text.split("\n");
  const statements = tomlStatements(text);
  const gone = new Set<number>();
  statements.forEach((statement, index) => {
    if (!startsWith(statement.path, keys)) return;
    for (let line = statement.first; line < statement.end; line += 1) gone.add(line);
    const next = statements[index + 1];
    // What stands right above the next statement speaks about that one.
    const until = next && startsWith(next.path, keys) ? next.first : lastBlank(lines, statement.end, next?.first);
    if (statement.path.length > keys.length || statement.kind !== "assignment")
      for (let line = statement.end; line < until; line += 1) gone.add(line);
  });
  return lines.filter((_, line) => !gone.has(line)).join("\n");
}

function lastBlank(lines: readonly string[], from: number, to = lines.length): number {
  for (let line = to - 1; line >= from; line -= 1) if (lines[line]!.trim() === "") return line;
  return from;
}

function settle(text: string, keys: readonly string[], value: unknown, offered: Iterable<string>): string {
  const meant = withoutEmptyTables(withValue(parse(text) as Table, keys, value));
  for (const candidate of offered) {
    try {
      if (isDeepStrictEqual(withoutEmptyTables(parse(candidate)), meant)) return candidate;
    } catch (error) {
      if (!(error instanceof TomlError)) throw error;
    }
  }
  throw new ConfigError({
    file: "configuration",
    line: undefined,
    key: keys.join("."),
    rule: "cannot be changed here without touching other keys; edit the file by hand",
  });
}

/** `text` with the key set. @throws {TomlError} `text` is not TOML @throws {ConfigError} it has to be done by hand */
export function setConfigKey(text: string, keys: readonly string[], value: unknown): string {
  return settle(text, keys, value, candidates(text, parse(text) as Table, keys, value));
}

/** `text` without the key; the same text when it is not there. Errors as {@link setConfigKey}. */
export function removeConfigKey(text: string, keys: readonly string[]): string {
  const table = parse(text) as Table;
  if (valueAt(table, keys) === undefined) return text;
  const holder = tomlStatements(text).find(
    ({ kind, path: at }) => kind === "assignment" && at.length < keys.length && startsWith(keys, at),
  );
  if (!holder) return settle(text, keys, undefined, [removed(text, keys)]);
  const left = valueAt(withValue(table, keys, undefined), holder.path);
  const lines = text.split("\n");
  const put = left === undefined ? [] : [reassigned(lines, holder, left)];
  return settle(text, keys, undefined, [splice(lines, holder.first, holder.end, put)]);
}

/**
 * Replaces the file by what `edit` makes of its text ("" when there is no file) in one step; links stay links.
 * @throws {ConfigError} it is not TOML, or cannot be edited so @throws what the file system answers
 */
export async function editConfigFile(file: string, edit: (text: string) => string): Promise<void> {
  const target = await realpath(file).catch(() => file);
  const text = await readFile(target, "utf8").catch((error: NodeJS.ErrnoException) => {
    if (error.code === "ENOENT") return "";
    throw error;
  });
  const next = edited(file, text, edit);
  if (next === text) return;
  const mode = await stat(target).then(
    (found) => found.mode & 0o777,
    () => 0o600,
  );
  await mkdir(path.dirname(target), { recursive: true });
  const part = `${target}.${process.pid}.part`;
  await writeFile(part, next, { mode });
  await chmod(part, mode);
  await rename(part, target);
}

function edited(file: string, text: string, edit: (text: string) => string): string {
  parseToml(text, file);
  try {
    return edit(text);
  } catch (error) {
    throw error instanceof ConfigError ? new ConfigError({ ...error.problem, file }) : error;
  }
}
