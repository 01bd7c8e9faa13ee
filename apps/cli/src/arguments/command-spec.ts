/** The shape in which commands describe their command line; parsing, help and completion all read it. */

export interface OptionSpec {
  readonly long: string;
  readonly short?: string;
  /** Name of the value in help; absent: a switch. */
  readonly value?: string;
  readonly repeat?: boolean;
  readonly choices?: readonly string[];
  readonly description: string;
}

export interface PositionalSpec {
  readonly name: string;
  readonly required: boolean;
  readonly repeat?: boolean;
  readonly description: string;
}

export interface CommandSpec {
  readonly name: string;
  readonly summary: string;
  readonly positionals: readonly PositionalSpec[];
  readonly options: readonly OptionSpec[];
  readonly examples: readonly (readonly [command: string, what: string])[];
  /** Forms of the command line, where the positionals alone do not tell them. */
  readonly usage?: readonly string[];
  readonly subcommands?: readonly CommandSpec[];
  /** Everything after the name is passed on unread. */
  readonly passThrough?: boolean;
  /** The first word that is no option begins another command line, which is not read. */
  readonly commandFollows?: boolean;
  readonly hidden?: boolean;
  readonly load: () => Promise<{ readonly run: CommandRun }>;
}

export interface ParsedArguments {
  readonly positionals: readonly string[];
  /** By long name; every value that was given, in order. Switches have no entry here. */
  readonly values: ReadonlyMap<string, readonly string[]>;
  readonly switches: ReadonlySet<string>;
  /** For commands that pass everything on. */
  readonly raw: readonly string[];
}

/** Returns the exit code. `root` describes all commands, for those that speak about them. */
export type CommandRun = (parsed: ParsedArguments, root: CommandSpec) => Promise<number>;

export const lastValue = (parsed: ParsedArguments, name: string): string | undefined => parsed.values.get(name)?.at(-1);
export const allValues = (parsed: ParsedArguments, name: string): readonly string[] => parsed.values.get(name) ?? [];
