/** Where the work happens, as the model is told: folder, shell, date. */

export interface EnvironmentFacts {
  readonly cwd: string;
  readonly shell: string;
  /** `YYYY-MM-DD` in the local time zone. */
  readonly currentDate: string;
  readonly timezone: string;
}

export function localDate(epochMs: number): { readonly currentDate: string; readonly timezone: string } {
  const date = new Date(epochMs);
  const two = (value: number) => String(value).padStart(2, "0");
  return {
    currentDate: `${date.getFullYear()}-${two(date.getMonth() + 1)}-${two(date.getDate())}`,
    timezone: Intl.DateTimeFormat().resolvedOptions().timeZone,
  };
}

const escapeXml = (text: string) => text.replaceAll("&", "&amp;").replaceAll("<", "&lt;").replaceAll(">", "&gt;");

export function environmentText(facts: EnvironmentFacts): string {
  return [
    "<environment_context>",
    `  <cwd>${escapeXml(facts.cwd)}</cwd>`,
    `  <shell>${escapeXml(facts.shell)}</shell>`,
    `  <current_date>${facts.currentDate}</current_date>`,
    `  <timezone>${escapeXml(facts.timezone)}</timezone>`,
    "</environment_context>",
  ].join("\n");
}
