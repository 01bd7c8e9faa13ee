/** Looking into values whose shape is not pinned. */

export type JsonObject = Record<string, unknown>;

export function isJsonObject(value: unknown): value is JsonObject {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}

export function stringMember(value: Record<string, unknown>, key: string): string | null {
  const member = value[key];
  return typeof member === "string" ? member : null;
}

/** `in_progress` and `InProgress` become `inProgress`. */
export function camelCase(text: string): string {
  const joined = text.replace(/_([a-z0-9])/g, (_, letter: string) => letter.toUpperCase());
  return joined.charAt(0).toLowerCase() + joined.slice(1);
}
