/** A command line as the plain commands it consists of, for rules that look at their words. Pure. */
import { splitSimpleScript } from "@turnkit/tools";

/** undefined: the script does more than run plain commands, so that no rule about words can judge it. */
export function plainCommands(script: string): readonly (readonly string[])[] | undefined {
  return splitSimpleScript(script)?.map(({ words }) => words);
}

/** The words of the one command the script consists of, else the shell's whole argument vector. */
export function amendmentFor(script: string, argv: readonly string[]): readonly string[] {
  const commands = plainCommands(script);
  return commands?.length === 1 ? commands[0]! : argv;
}
