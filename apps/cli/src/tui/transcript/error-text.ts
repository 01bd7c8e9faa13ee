/** The words of a failure for a person: of a server's JSON answer, what it says. */

const WORDS = ["message", "detail", "error_description"] as const;

export function errorText(message: string): string {
  const start = message.indexOf("{");
  if (start < 0 || !message.trimEnd().endsWith("}")) return message;
  let value: unknown;
  try {
    value = JSON.parse(message.slice(start));
  } catch {
    return message;
  }
  const said = saidIn(value);
  return said === null ? message : `${message.slice(0, start)}${said}`;
}

function saidIn(value: unknown): string | null {
  if (typeof value === "string") return value.trim() === "" ? null : value;
  if (typeof value !== "object" || value === null) return null;
  const members = value as Record<string, unknown>;
  for (const name of WORDS) {
    const word = members[name];
    if (typeof word === "string" && word.trim() !== "") return word;
  }
  return "error" in members ? saidIn(members.error) : null;
}
