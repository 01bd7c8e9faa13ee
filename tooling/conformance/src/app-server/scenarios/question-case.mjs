// @ts-check
// Turns in which the model asks the user.
import { textInput } from "./input-case.mjs";
import { planMode } from "./modes.mjs";

/** @typedef {import("../client.mjs").Client} Client */
/** @typedef {import("../client.mjs").Message} Message */
/** @typedef {import("../model-items.mjs").OutputItem} OutputItem */

export const questionMethod = "item/tool/requestUserInput";

/** A question of two options. */
export function question(id = "color", more = {}) {
  return {
    id,
    header: "Color",
    question: "Which color?",
    options: [
      { label: "Red (Recommended)", description: "warm" },
      { label: "Blue", description: "cold" },
    ],
    ...more,
  };
}

/** @param {import("../scene.mjs").Scene} scene @param {unknown} args @param {string} callId */
export function askUser(scene, args, callId) {
  return scene.functionCall("request_user_input", args, callId);
}

/** Starts a turn and waits until the question is there. @param {Client} client @param {string} threadId @param {OutputItem[]} items */
export async function askAndWait(
  client,
  threadId,
  items,
  params = /** @type {object} */ ({ collaborationMode: planMode }),
) {
  const { scene } = client;
  scene.model.push(scene.respond(...items), scene.say("thanks"));
  const from = client.mark();
  const started = await client.request("turn/start", { threadId, input: textInput("ask me"), ...params });
  const request = await client.waitFor(questionMethod, { from, ms: 8000 });
  await scene.sleep(200);
  return {
    request,
    turnId: started.result.turn.id,
    done: () => client.waitFor("turn/completed", { from, ms: 15_000 }),
  };
}

/** A turn whose question must not reach the client. @param {Client} client @param {string} threadId @param {string} label @param {OutputItem[]} items */
export async function unaskedCase(client, threadId, label, items, params = {}) {
  const { scene } = client;
  scene.note(label);
  scene.model.push(scene.respond(...items), scene.say("after"));
  await client.turn(threadId, "ask me", params, 10_000).catch(() => {});
}
