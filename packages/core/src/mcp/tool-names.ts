/** What the tools of MCP servers are called towards the model: `mcp__server__tool`, in characters every API takes. */
import { createHash } from "node:crypto";

const NAMESPACE_PREFIX = "mcp__";
/** The longest function name that the Responses API takes. */
const MAX_NAME = 64;

const plain = (text: string): string => text.replaceAll(/[^A-Za-z0-9_]/g, "_");

function namespaceOf(server: string): string {
  return `${NAMESPACE_PREFIX}${plain(server)}`;
}

export interface NamedTool<Tool> {
  readonly name: string;
  readonly server: string;
  readonly tool: Tool;
}

/** Each tool with a name of its own; names that would clash or be too long end in a part of a hash. */
export function nameTools<Tool extends { readonly name: string }>(
  tools: readonly { readonly server: string; readonly tool: Tool }[],
): readonly NamedTool<Tool>[] {
  const named = tools.map(({ server, tool }) => ({ name: joined(server, tool.name), server, tool }));
  const counts = new Map<string, number>();
  for (const { name } of named) counts.set(name, (counts.get(name) ?? 0) + 1);
  return named.map((entry) => {
    const { name, server, tool } = entry;
    if (counts.get(name) === 1 && name.length <= MAX_NAME) return entry;
    const hash = createHash("sha256").update(`${server}\0${tool.name}`).digest("hex").slice(0, 8);
    return { ...entry, name: `${name.slice(0, MAX_NAME - hash.length - 1)}_${hash}` };
  });
}

function joined(server: string, tool: string): string {
  return `${namespaceOf(server)}__${plain(tool)}`;
}

/** The one name of a call that names its tool and, apart from it, the namespace. */
export function callName(namespace: string | null | undefined, name: string): string {
  if (!namespace) return name;
  return namespace.endsWith("__") ? `${namespace}${name}` : `${namespace}__${name}`;
}
