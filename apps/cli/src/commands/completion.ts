/** `turnkit completion bash|zsh|fish`, made from the table of commands. */
import type { CommandRun, CommandSpec } from "../arguments/command-spec.js";
import { CliError, ExitCode } from "../exit.js";

interface Place {
  readonly path: readonly string[];
  readonly words: readonly string[];
}

/** What can follow each command path. */
function places(spec: CommandSpec, path: readonly string[] = []): Place[] {
  const subcommands = (spec.subcommands ?? []).filter((entry) => !entry.hidden);
  const words = [
    ...subcommands.map((entry) => entry.name),
    ...spec.options.flatMap((option) => [`--${option.long}`, ...(option.short ? [`-${option.short}`] : [])]),
    "--help",
  ];
  return [{ path, words }, ...subcommands.flatMap((entry) => places(entry, [...path, entry.name]))];
}

/** Options that take one of a few words, as patterns of a shell's `case`. */
function choices(spec: CommandSpec): ReadonlyMap<string, string> {
  const own = spec.options.flatMap((option): [string, string][] =>
    option.choices
      ? [[[`--${option.long}`, ...(option.short ? [`-${option.short}`] : [])].join("|"), option.choices.join(" ")]]
      : [],
  );
  return new Map([...own, ...(spec.subcommands ?? []).flatMap((entry) => [...choices(entry)])]);
}

function bash(all: readonly Place[], root: CommandSpec): string {
  const values = [...choices(root)].map(
    ([option, words]) => `    ${option}) COMPREPLY=($(compgen -W "${words}" -- "$current")); return ;;`,
  );
  const cases = all
    .toSorted((a, b) => b.path.length - a.path.length)
    .map(({ path, words }) => `    ${path.length === 0 ? "*" : `"${path.join(" ")}"*`}) words="${words.join(" ")}" ;;`);
  return `_turnkit() {
  local current="\${COMP_WORDS[COMP_CWORD]}" words path="" index
  for ((index = 1; index < COMP_CWORD; index++)); do
    [[ "\${COMP_WORDS[index]}" == -* ]] && break
    path="\${path:+$path }\${COMP_WORDS[index]}"
  done
  case "\${COMP_WORDS[COMP_CWORD-1]}" in
${values.join("\n")}
  esac
  case "$path" in
${cases.join("\n")}
  esac
  COMPREPLY=($(compgen -W "$words" -- "$current"))
  [[ \${#COMPREPLY[@]} -eq 0 ]] && COMPREPLY=($(compgen -f -- "$current"))
}
complete -o filenames -F _turnkit turnkit
`;
}

function zsh(all: readonly Place[], root: CommandSpec): string {
  return `#compdef turnkit
autoload -Uz bashcompinit && bashcompinit
${bash(all, root)}`;
}

function fish(spec: CommandSpec): string {
  const quoted = (text: string): string => text.replace(/\\/g, "\\\\").replace(/'/g, "\\'");
  const lines: string[] = [];
  const visit = (entry: CommandSpec, path: readonly string[]): void => {
    const names = (entry.subcommands ?? []).map((sub) => sub.name).join(" ");
    const seen = path.map((name) => `__fish_seen_subcommand_from ${name}`).join("; and ");
    const none = names === "" ? "" : `not __fish_seen_subcommand_from ${names}`;
    const condition = [seen, none].filter((part) => part !== "").join("; and ");
    for (const sub of entry.subcommands ?? []) {
      lines.push(`complete -c turnkit -f -n '${condition}' -a ${sub.name} -d '${quoted(sub.summary)}'`);
    }
    for (const option of entry.options) {
      const short = option.short ? ` -s ${option.short}` : "";
      const value = option.choices ? ` -x -a '${option.choices.join(" ")}'` : option.value ? " -r" : "";
      lines.push(
        `complete -c turnkit -n '${condition}' -l ${option.long}${short}${value} -d '${quoted(option.description)}'`,
      );
    }
    for (const sub of entry.subcommands ?? []) visit(sub, [...path, sub.name]);
  };
  visit(spec, []);
  return `${lines.join("\n")}\n`;
}

export const run: CommandRun = async ({ positionals: [shell = ""] }, root) => {
  const all = places(root);
  const scripts: Readonly<Record<string, () => string>> = {
    bash: () => bash(all, root),
    zsh: () => zsh(all, root),
    fish: () => fish(root),
  };
  const text = scripts[shell]?.();
  if (text === undefined)
    throw new CliError(`completions are there for bash, zsh and fish, not ${shell}`, ExitCode.usage);
  process.stdout.write(text);
  return ExitCode.ok;
};
