// @ts-check
// Turns in which the model runs commands.

/** @typedef {import("../scene.mjs").Scene} Scene */
/** @typedef {import("../model-items.mjs").ScriptedResponse} ScriptedResponse */

/** @param {Scene} scene @param {unknown} args @param {string} callId */
export function execCommand(scene, args, callId) {
  return scene.functionCall("exec_command", args, callId);
}

/** @param {Scene} scene @param {unknown} args @param {string} callId */
export function writeStdin(scene, args, callId) {
  return scene.functionCall("write_stdin", args, callId);
}

/** The session a command's output names, or -1. @param {unknown} output */
export function sessionOf(output) {
  return Number(/session ID (\d+)/.exec(String(output ?? ""))?.[1] ?? -1);
}

/** A write_stdin to the session that an earlier call opened, read when the response is played.
 * @param {Scene} scene @param {string} openedBy @param {object} args @param {string} callId @returns {ScriptedResponse} */
export function writeStdinLater(scene, openedBy, args, callId) {
  return {
    fn: (body) => {
      const output = outputIn(body, openedBy);
      return { items: [writeStdin(scene, { session_id: sessionOf(output), ...args }, callId)] };
    },
  };
}

/** @param {any} body of a model request @param {string} callId */
export function outputIn({ input }, callId) {
  return input.find((/** @type {any} */ item) => item.type === "function_call_output" && item.call_id === callId)
    ?.output;
}

/** One turn of the responses given and a closing message. @param {import("../client.mjs").Client} client @param {string} threadId @param {string} label @param {ScriptedResponse[]} responses */
export async function commandCase(client, threadId, label, responses, params = {}) {
  const { scene } = client;
  scene.note(label);
  scene.model.clear();
  scene.model.push(...responses, scene.say("done"));
  await client.turn(threadId, label, params, 70_000).catch(() => {});
  await scene.sleep(200);
}
