import { execCommand, writeStdinLater } from "../command-case.mjs";

export async function run(scene) {
  const client = await scene.start({ config: { top: "background_terminal_max_timeout = 7000\n" } });
  await client.init();
  const threadId = await client.thread();
  scene.model.push(
    scene.respond(execCommand(scene, { cmd: "sleep 40", yield_time_ms: 250 }, "call_a")),
    writeStdinLater(scene, "call_a", { chars: "", yield_time_ms: 20000 }, "call_b"),
    writeStdinLater(scene, "call_a", { chars: "\u0003", yield_time_ms: 500 }, "call_c"),
    scene.say("x"),
  );
  await client.turn(threadId, "x");
}
