/** Old items of the model's history. */
import { isObject, type JsonObject, type Upgrade } from "./read-result.js";

export const upgradeResponseItem: Upgrade = (value, note) => {
  if (value.type === "compaction_summary") {
    note("compaction_summary");
    return { ...value, type: "compaction" };
  }
  if (value.type === "reasoning" && Array.isArray(value.content)) {
    const content = value.content.map((part) => {
      if (typeof part !== "string") return part;
      note("reasoning content of plain strings");
      return { type: "reasoning_text", text: part };
    });
    return content.some((part, index) => part !== (value.content as unknown[])[index]) ? { ...value, content } : value;
  }
  if (value.type === "function_call_output" && isObject(value.output)) {
    note("output object");
    return { ...value, output: outputText(value.output) };
  }
  return value;
};

/** Some early writers kept the body and its success apart. */
function outputText(output: JsonObject): unknown {
  return typeof output.content === "string" ? output.content : JSON.stringify(output);
}
