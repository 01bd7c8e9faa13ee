// @ts-check
// Runs one scenario against a server and gives back what can be compared.
import { normalizer } from "./normalize.mjs";
import { Scene } from "./scene.mjs";
import { strippedStreams } from "./strip.mjs";

/** The order of these notifications among others is a race in the reference itself. */
const racy = new Set([
  "remoteControl/status/changed",
  "thread/started",
  "thread/settings/updated",
  "thread/queue/changed",
  "mcpServer/startupStatus/updated",
  "account/rateLimits/updated",
]);

/**
 * @param {(scene: Scene) => Promise<void>} run
 * @param {{ command: readonly string[], folder: string }} options the folder is made
 */
export async function observe(run, { command, folder }) {
  const scene = await Scene.open({ command, folder });
  /** @type {Error | undefined} */
  let failure;
  try {
    await run(scene);
  } catch (error) {
    failure = /** @type {Error} */ (error);
    scene.note(`scenario failed: ${failure.message}`);
  } finally {
    await scene.stopServers();
  }
  return { entries: scene.entries, requests: scene.model.requests, failure, streams: streamsOf(scene) };
}

/** @param {Scene} scene */
function streamsOf(scene) {
  const normalize = normalizer({ home: scene.home, cwd: scene.cwd, host: new URL(scene.model.url).host });
  // One normalizer numbers ids in order of appearance, so the order of these statements is part of the format.
  const wire = scene.entries
    .filter(({ direction }) => direction !== "stderr")
    .map(({ direction, message }) => ({ direction, message: normalize(message) }));
  const requests = scene.model.requests.map(({ method, path: target, body }) =>
    normalize({ method, path: target, body }),
  );
  const rollout = scene.rollouts().map(normalize);
  const asked = new Map(
    wire
      .filter(({ direction, message }) => direction === "client" && message?.id !== undefined)
      .map(({ message }) => [message.id, message.method]),
  );
  return strippedStreams({
    wire: racyLast(wire.filter(({ direction }) => direction === "server").map(({ message }) => message)),
    asked,
    requests,
    rollout,
  });
}

/** @param {any[]} messages */
function racyLast(messages) {
  const racing = messages.filter(({ method }) => racy.has(method));
  const texts = new Map(racing.map((message) => [message, JSON.stringify(message)]));
  racing.sort((a, b) => ((texts.get(a) ?? "") < (texts.get(b) ?? "") ? -1 : 1));
  return [...messages.filter(({ method }) => !racy.has(method)), ...racing];
}
