/** Commands nobody should run by accident: forced removal, also behind `sudo` and the like, or in a chain. Pure. */
import { strippedCommands } from "./command-words.js";

/** For scripts that are more than plain commands. */
const FORCED_REMOVAL =
  /(?:^|[;&|({`\n]|\b(?:sudo|env|command|exec|xargs|then|do)\s)\s*(?:sudo\s+)?(?:\S*\/)?rm\s+(?:-\S+\s+)*-[a-zA-Z]*f/;
const WRAPPERS = new Set(["sudo", "env", "command", "exec", "nohup", "time", "xargs"]);
const SHELLS = new Set(["bash", "sh", "zsh"]);

export function isDangerous(script: string): boolean {
  const commands = strippedCommands(script);
  return commands ? commands.some(removesByForce) : FORCED_REMOVAL.test(script);
}

function removesByForce(words: readonly string[]): boolean {
  const [program = "", ...rest] = words;
  const name = program.slice(program.lastIndexOf("/") + 1);
  if (WRAPPERS.has(name)) {
    const next = rest.findIndex((word) => !word.startsWith("-") && !word.includes("="));
    return next >= 0 && removesByForce(rest.slice(next));
  }
  if (SHELLS.has(name)) {
    const script = rest[rest.findIndex((word) => /^-[a-z]*c$/.test(word)) + 1];
    return script !== undefined && isDangerous(script);
  }
  if (name !== "rm") return false;
  const options = rest.includes("--") ? rest.slice(0, rest.indexOf("--")) : rest;
  return options.some((word) => word === "--force" || /^-[a-zA-Z]*f/.test(word));
}
