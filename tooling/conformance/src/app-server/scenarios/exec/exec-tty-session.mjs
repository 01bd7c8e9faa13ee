import { commandCase, execCommand, writeStdinLater } from "../command-case.mjs";

export async function run(scene) {
  const client = await scene.start();
  await client.init();
  const threadId = await client.thread();
  await commandCase(client, threadId, "tty-shell", [
    scene.respond(execCommand(scene, { cmd: "/bin/sh", tty: true, yield_time_ms: 500 }, "call_open")),
    writeStdinLater(scene, "call_open", { chars: "echo hello-tty\n", yield_time_ms: 500 }, "call_w1"),
    writeStdinLater(scene, "call_open", { chars: "", yield_time_ms: 500 }, "call_poll"),
    writeStdinLater(scene, "call_open", { chars: "exit 7\n", yield_time_ms: 1000 }, "call_exit"),
    writeStdinLater(scene, "call_open", { chars: "", yield_time_ms: 500 }, "call_after"),
  ]);
  await commandCase(client, threadId, "cat-eof", [
    scene.respond(execCommand(scene, { cmd: "cat", tty: true, yield_time_ms: 500 }, "call_cat")),
    writeStdinLater(scene, "call_cat", { chars: "hello unified exec\n", yield_time_ms: 500 }, "call_cw"),
    writeStdinLater(scene, "call_cat", { chars: "\u0004", yield_time_ms: 500 }, "call_ceof"),
    writeStdinLater(scene, "call_cat", { chars: "more\n", yield_time_ms: 500 }, "call_cgone"),
  ]);
  await commandCase(client, threadId, "tty-ctrl-c", [
    scene.respond(execCommand(scene, { cmd: "echo ready; sleep 60", tty: true, yield_time_ms: 500 }, "call_tc")),
    writeStdinLater(scene, "call_tc", { chars: "\u0003", yield_time_ms: 1000 }, "call_tci"),
  ]);
  await commandCase(client, threadId, "tty-no-chars-key", [
    scene.respond(
      execCommand(scene, { cmd: "echo ready; sleep 2; echo finished", tty: true, yield_time_ms: 300 }, "call_nk"),
    ),
    writeStdinLater(scene, "call_nk", {}, "call_nkp"),
  ]);
}
