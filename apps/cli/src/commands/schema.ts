/** `turnkit schema list` and `turnkit schema print NAME…`. */
import type { CommandRun } from "../arguments/command-spec.js";
import { nearest } from "../arguments/nearest.js";
import { CliError, ExitCode } from "../exit.js";

export const run: CommandRun = async () => ExitCode.usage;

export const list: CommandRun = async (parsed) => {
  const { schemaNames } = await import("@turnkit/protocol/schemas");
  const names = schemaNames();
  process.stdout.write(parsed.switches.has("json") ? `${JSON.stringify(names)}\n` : `${names.join("\n")}\n`);
  return ExitCode.ok;
};

export const print: CommandRun = async (parsed) => {
  const { jsonSchema, schemaNames } = await import("@turnkit/protocol/schemas");
  const known = schemaNames();
  for (const name of parsed.positionals) {
    if (known.includes(name)) continue;
    const near = known.find((entry) => entry.toLowerCase() === name.toLowerCase()) ?? nearest(name, known);
    throw new CliError(
      `there is no schema named ${name}${near ? `; did you mean ${near}?` : ""}`,
      ExitCode.usage,
      "`turnkit schema list` names them all.",
    );
  }
  const schemas = parsed.positionals.map((name) => jsonSchema(name));
  const [only] = schemas;
  const shown =
    schemas.length === 1 ? only : Object.fromEntries(parsed.positionals.map((name, index) => [name, schemas[index]]));
  process.stdout.write(`${JSON.stringify(shown, null, 2)}\n`);
  return ExitCode.ok;
};
