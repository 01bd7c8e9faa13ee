/** Tells the model which commands still run, where it may have forgotten that it started them. */

export interface LiveTerminal {
  readonly processId: string;
  readonly command: string;
  readonly cwd: string;
}

/** Longer commands are cut: the model needs to recognise them, not to read them again. */
const SHOWN_CHARACTERS = 200;

/** undefined: nothing runs. */
export function terminalsText(terminals: readonly LiveTerminal[]): string | undefined {
  if (terminals.length === 0) return undefined;
  const rows = terminals.map(({ processId, command, cwd }) => {
    const text = command.length > SHOWN_CHARACTERS ? `${command.slice(0, SHOWN_CHARACTERS)}…` : command;
    return `- session ${processId}: ${JSON.stringify(text)} in ${cwd}`;
  });
  return `<live_terminals>\nThese commands were started earlier and are still running. Read from them or end them with \`write_stdin\` and their session id.\n${rows.join("\n")}\n</live_terminals>`;
}
