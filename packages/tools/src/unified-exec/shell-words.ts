/**
 * Shell words: joining an argument vector into one line that shells split the same way, and splitting a simple
 * script into commands and words. The quoting chooses, piece by piece, the plainest of three styles that bash,
 * zsh and fish all read alike.
 */

const UNQUOTED = /^[A-Za-z0-9_+\-./:@\]]$/;
const NOT_IN_SINGLE = new Set(["'", "\\", "^"]);
const NOT_IN_DOUBLE = new Set(["`", "$", "!", "^"]);

export function shellJoin(argv: readonly string[]): string {
  return argv.map(shellQuote).join(" ");
}

export function shellQuote(word: string): string {
  if (word === "") return "''";
  const characters = [...word];
  let quoted = "";
  let at = 0;
  while (at < characters.length) {
    const piece = nextPiece(characters, at);
    quoted += piece.text;
    at = piece.end;
  }
  return quoted;
}

function nextPiece(characters: readonly string[], start: number): { readonly text: string; readonly end: number } {
  let plain = true;
  let single = true;
  let double = true;
  let end = start;
  // Bash expands ^ in most places; right after an opening single quote it does not.
  if (characters[start] === "^") {
    plain = false;
    double = false;
    end = start + 1;
  }
  for (; end < characters.length; end++) {
    const character = characters[end]!;
    const nextPlain: boolean = plain && UNQUOTED.test(character);
    const nextSingle: boolean = single && !NOT_IN_SINGLE.has(character);
    const nextDouble: boolean = double && !NOT_IN_DOUBLE.has(character);
    if (!nextPlain && !nextSingle && !nextDouble) break;
    plain = nextPlain;
    single = nextSingle;
    double = nextDouble;
  }
  const raw = characters.slice(start, end).join("");
  if (plain) return { text: raw, end };
  if (single) return { text: `'${raw}'`, end };
  return { text: `"${raw.replace(/[\\"$`]/g, (character) => `\\${character}`)}"`, end };
}

/** A script of plain commands: each a list of words. The operator is what stands before it. */
export interface SimpleCommand {
  readonly words: readonly string[];
  readonly operator: "" | "&&" | "||" | ";" | "|";
}

/** undefined: the script uses more of the shell than words, quotes and separators. */
export function splitSimpleScript(script: string): readonly SimpleCommand[] | undefined {
  const commands: { words: string[]; operator: SimpleCommand["operator"] }[] = [{ words: [], operator: "" }];
  let word: string | undefined;
  const endWord = () => {
    if (word !== undefined) commands.at(-1)!.words.push(word);
    word = undefined;
  };
  for (let at = 0; at < script.length; at++) {
    const character = script[at]!;
    const two = script.slice(at, at + 2);
    if (character === "'") {
      const close = script.indexOf("'", at + 1);
      if (close < 0) return undefined;
      word = (word ?? "") + script.slice(at + 1, close);
      at = close;
    } else if (character === '"') {
      const close = script.indexOf('"', at + 1);
      if (close < 0) return undefined;
      const inside = script.slice(at + 1, close);
      if (/[\\$`]/.test(inside)) return undefined;
      word = (word ?? "") + inside;
      at = close;
    } else if (two === "&&" || two === "||" || character === ";" || character === "|" || character === "\n") {
      endWord();
      const operator = two === "&&" || two === "||" ? two : character === "|" ? "|" : ";";
      if (commands.at(-1)!.words.length === 0) {
        if (operator === ";" && character === "\n") continue;
        return undefined;
      }
      commands.push({ words: [], operator });
      at += two === "&&" || two === "||" ? 1 : 0;
    } else if (character === " " || character === "\t") {
      endWord();
    } else if (/[\\$`<>(){}&#*?[\]~!]/.test(character)) {
      return undefined;
    } else {
      word = (word ?? "") + character;
    }
  }
  endWord();
  if (commands.at(-1)!.words.length === 0) {
    const last = commands.pop()!;
    if (last.operator !== ";") return undefined;
  }
  return commands.length === 0 ? undefined : commands;
}
