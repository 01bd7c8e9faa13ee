/** Help texts, made from the descriptions of commands. */
import type { CommandSpec, OptionSpec } from "./command-spec.js";

function row(left: string, right: string, indent: number): string {
  const pad = Math.max(30, indent);
  return left.length + 2 > pad ? `  ${left}\n${" ".repeat(pad + 2)}${right}` : `  ${left.padEnd(pad)}${right}`;
}

function optionRow(option: OptionSpec): string {
  const short = option.short ? `-${option.short}, ` : "    ";
  const value = option.value ? ` ${option.value}` : "";
  const choices = option.choices ? ` (${option.choices.join(", ")})` : "";
  return row(
    `${short}--${option.long}${value}`,
    `${option.description}${choices}${option.repeat ? "; can be repeated" : ""}`,
    32,
  );
}

function usageLine(spec: CommandSpec, path: string): string {
  if (spec.usage) return spec.usage.map((form) => `turnkit ${path} ${form}`).join("\n       ");
  const parts = spec.positionals.map((entry) => {
    const name = entry.repeat ? `${entry.name}…` : entry.name;
    return entry.required ? name : `[${name}]`;
  });
  const command = spec.subcommands ? ["COMMAND"] : [];
  return ["turnkit", path, ...command, ...(spec.options.length > 0 ? ["[OPTIONS]"] : []), ...parts]
    .filter((part) => part !== "")
    .join(" ");
}

export function helpText(spec: CommandSpec, path: string, globals: readonly OptionSpec[]): string {
  const own = spec.options.filter((option) => !globals.includes(option));
  const shared = spec.options.filter((option) => globals.includes(option));
  const visible = (spec.subcommands ?? []).filter((entry) => !entry.hidden);
  const described = spec.positionals.filter((entry) => entry.description !== "");
  const sections = [
    `${spec.summary}\n\nUsage: ${usageLine(spec, path)}`,
    visible.length > 0 ? `Commands:\n${visible.map((entry) => row(entry.name, entry.summary, 18)).join("\n")}` : "",
    described.length > 0
      ? `Arguments:\n${described.map((entry) => row(entry.name, entry.description, 18)).join("\n")}`
      : "",
    own.length > 0 ? `Options:\n${own.map(optionRow).join("\n")}` : "",
    shared.length > 0 ? `Thread options:\n${shared.map(optionRow).join("\n")}` : "",
    spec.examples.length > 0
      ? `Examples:\n${spec.examples.map(([command, what]) => `  ${command}\n      ${what}`).join("\n")}`
      : "",
  ];
  return `${sections.filter((section) => section !== "").join("\n\n")}\n`;
}
