/** A review's outcome as the text of its item. */
import { isJsonObject } from "./json.js";

/** The reviewer's explanation, then its findings; a sentence when there is neither. */
export function reviewText(output: unknown): string {
  if (!isJsonObject(output)) return "The review ended without a result.";
  const parts: string[] = [];
  const explanation = output.overall_explanation;
  if (typeof explanation === "string" && explanation.trim() !== "") parts.push(explanation.trim());
  for (const finding of Array.isArray(output.findings) ? output.findings : []) {
    if (!isJsonObject(finding)) continue;
    const title = typeof finding.title === "string" ? finding.title : "Finding";
    const body = typeof finding.body === "string" ? `\n  ${finding.body.replaceAll("\n", "\n  ")}` : "";
    parts.push(`- ${title}${place(finding.code_location)}${body}`);
  }
  return parts.length > 0 ? parts.join("\n\n") : "The review ended without a result.";
}

function place(location: unknown): string {
  if (!isJsonObject(location) || typeof location.absolute_file_path !== "string") return "";
  const range = isJsonObject(location.line_range) ? `:${location.line_range.start}-${location.line_range.end}` : "";
  return ` (${location.absolute_file_path}${range})`;
}
