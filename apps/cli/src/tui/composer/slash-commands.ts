/** The commands a person can give with a leading slash. A table only: what they do is in `../app`. */

export interface SlashCommand {
  readonly name: string;
  readonly description: string;
  /** Shown after the name when the command takes an argument. */
  readonly argument: string | null;
  /** false: only between turns. */
  readonly duringTurn: boolean;
}

const command = <Name extends string>(
  name: Name,
  description: string,
  argument: string | null = null,
  duringTurn = true,
): SlashCommand & { readonly name: Name } => ({
  name,
  description,
  argument,
  duringTurn,
});

export const SLASH_COMMANDS = [
  command("help", "keys and commands"),
  command("new", "start a new thread", null, false),
  command("resume", "go on with an earlier thread", "[ID]", false),
  command("fork", "go on from here in a copy of this thread", null, false),
  command("compact", "summarise the history to free context", null, false),
  command("init", "write AGENTS.md: notes on this project for the model", null, false),
  command("plan", "switch plan mode on or off", null, false),
  command("model", "show or change the model", "[NAME]", false),
  command("approvals", "show or change when to ask", "[POLICY]", false),
  command("status", "thread, model, tokens and terminals"),
  command("skills", "skills that can be named with $"),
  command("mcp", "MCP servers and their tools"),
  command("diff", "changes in the working tree, from git"),
  command("output", "the last output that was folded, in full"),
  command("ps", "terminals that run in the background"),
  command("stop", "stop all background terminals"),
  command("quit", "leave"),
] as const satisfies readonly SlashCommand[];

export function slashCommand(name: (typeof SLASH_COMMANDS)[number]["name"]): SlashCommand {
  return SLASH_COMMANDS.find((entry) => entry.name === name) as SlashCommand;
}

/** Commands whose name begins with what was typed, best first. */
export function matchingCommands(typed: string): readonly SlashCommand[] {
  const query = typed.toLowerCase();
  const starts = SLASH_COMMANDS.filter((entry) => entry.name.startsWith(query));
  return starts.length > 0 ? starts : SLASH_COMMANDS.filter((entry) => entry.name.includes(query));
}

/** `/name argument` as its parts; null when the text is no command line or names no command. */
export function parseSlashCommand(text: string): { readonly command: SlashCommand; readonly argument: string } | null {
  const match = /^\/([a-z]+)(?:\s+([\s\S]*))?$/.exec(text.trim());
  const found = SLASH_COMMANDS.find((entry) => entry.name === match?.[1]);
  return found ? { command: found, argument: (match?.[2] ?? "").trim() } : null;
}
