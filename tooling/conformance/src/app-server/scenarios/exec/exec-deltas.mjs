import { commandCase, execCommand } from "../command-case.mjs";

export async function run(scene) {
  const client = await scene.start();
  await client.init();
  const threadId = await client.thread();
  await commandCase(client, threadId, "slow-lines", [
    scene.respond(
      execCommand(scene, { cmd: "for i in 1 2 3; do echo line$i; sleep 0.4; done", yield_time_ms: 10000 }, "call_slow"),
    ),
  ]);
  await commandCase(client, threadId, "slow-lines-tty", [
    scene.respond(
      execCommand(
        scene,
        { cmd: "for i in 1 2 3; do echo line$i; sleep 0.4; done", yield_time_ms: 10000, tty: true },
        "call_slowt",
      ),
    ),
  ]);
  await commandCase(client, threadId, "big-sleep", [
    scene.respond(execCommand(scene, { cmd: "seq 1 200; sleep 1; seq 201 400", yield_time_ms: 10000 }, "call_bs")),
  ]);
}
