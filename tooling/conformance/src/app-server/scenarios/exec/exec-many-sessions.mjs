import { execCommand } from "../command-case.mjs";

export async function run(scene) {
  const client = await scene.start();
  await client.init();
  const threadId = await client.thread();
  const limit = 67;
  const ids = [...Array(limit).keys()].map((i) => `call_m${i}`);
  scene.model.push(
    scene.respond(
      ...ids.map((id, i) => execCommand(scene, { cmd: `sleep 30; : ${i}`, yield_time_ms: 250, login: false }, id)),
    ),
    scene.say("spawned"),
  );
  await client.turn(threadId, "many", {}, 60000);
  const sid = (id) => +(/session ID (\d+)/.exec(String(scene.outputOf(id)))?.[1] ?? -1);
  await client.request("thread/backgroundTerminals/list", { threadId, limit: 100 });

  scene.model.push(
    scene.respond(
      ...ids
        .slice(0, 6)
        .map((id) =>
          scene.functionCall("write_stdin", { session_id: sid(id), chars: "\u0003", yield_time_ms: 250 }, `${id}_w`),
        ),
    ),
    scene.say("checked"),
  );
  await client.turn(threadId, "check", {}, 30000);
  await client.request("thread/backgroundTerminals/clean", { threadId });
  await scene.sleep(800);
  await client.request("thread/backgroundTerminals/list", { threadId });
}
