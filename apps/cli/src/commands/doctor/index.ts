/** `turnkit doctor`: looks at everything that can be wrong and says how to fix it. Exit code 1 when something is. */
import type { CommandRun } from "../../arguments/command-spec.js";
import { ExitCode } from "../../exit.js";
import { bold, dim, type Line, paletteFromEnvironment, plain, renderLine, tinted } from "../../tui/terminal/style.js";
import { VERSION } from "../../version.js";
import { allFindings, type Finding } from "./checks.js";

const MARKS = { ok: tinted("success", "✔ "), warning: tinted("warning", "! "), problem: tinted("danger", "✗ ") };

function lines(findings: readonly Finding[]): Line[] {
  return [
    [bold(`turnkit ${VERSION}`)],
    ...findings.flatMap(({ name, status, detail, fix }): Line[] => [
      [MARKS[status], bold(name.padEnd(11)), plain(detail)],
      ...(fix === undefined ? [] : [[dim(`             ${fix}`)] as Line]),
    ]),
  ];
}

export const run: CommandRun = async ({ switches }) => {
  const findings = await allFindings();
  const ok = findings.every((entry) => entry.status !== "problem");
  if (switches.has("json")) {
    process.stdout.write(`${JSON.stringify({ version: VERSION, ok, findings })}\n`);
  } else {
    const environment = paletteFromEnvironment(process.env);
    const palette = process.stdout.isTTY ? environment : { ...environment, color: "none" as const };
    process.stdout.write(
      lines(findings)
        .map((line) => `${renderLine(line, palette)}\n`)
        .join(""),
    );
  }
  return ok ? ExitCode.ok : ExitCode.failed;
};
