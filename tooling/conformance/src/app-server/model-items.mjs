// @ts-check
// What the scripted model says in scenarios. Ids are counted per scene, because recordings hold them.

/** @typedef {import("@turnkit/core/scripted-model").ScriptedResponse} ScriptedResponse */
/** @typedef {import("@turnkit/core/scripted-model").OutputItem} OutputItem */

export class ModelItems {
  #count = 0;

  /** @param {string} kind */
  #id(kind) {
    this.#count += 1;
    return `${kind}_mock_${String(this.#count).padStart(4, "0")}`;
  }

  /** @param {string} text @returns {OutputItem} */
  message(text) {
    const content = [{ type: "output_text", text, annotations: [] }];
    return { type: "message", role: "assistant", id: this.#id("msg"), content };
  }

  /** @param {string} name @param {unknown} args an object, or the text to send @param {string} callId @returns {OutputItem} */
  functionCall(name, args, callId) {
    const text = typeof args === "string" ? args : JSON.stringify(args);
    return { type: "function_call", id: this.#id("fc"), call_id: callId, name, arguments: text };
  }

  /** @param {string} summary @param {string} content @returns {OutputItem} */
  reasoning(summary, content) {
    return {
      type: "reasoning",
      id: this.#id("rs"),
      summary: [{ type: "summary_text", text: summary }],
      content: [{ type: "reasoning_text", text: content }],
      encrypted_content: "enc",
    };
  }

  /** A response that is one message. @param {string} text @returns {ScriptedResponse} */
  say(text) {
    return { items: [this.message(text)] };
  }

  /** A response of these items. @param {OutputItem[]} items @returns {ScriptedResponse} */
  respond(...items) {
    return { items };
  }
}
