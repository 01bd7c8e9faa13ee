import { commandCase, execCommand, writeStdin, writeStdinLater } from "../command-case.mjs";

export async function run(scene) {
  const client = await scene.start();
  await client.init();
  const threadId = await client.thread();
  await commandCase(client, threadId, "nontty-poll-exit", [
    scene.respond(execCommand(scene, { cmd: "echo begin; sleep 3; echo end", yield_time_ms: 500 }, "call_np")),
    writeStdinLater(scene, "call_np", { chars: "", yield_time_ms: 10000 }, "call_npp"),
    writeStdinLater(scene, "call_np", { chars: "", yield_time_ms: 1000 }, "call_npq"),
  ]);
  await commandCase(client, threadId, "nontty-write", [
    scene.respond(execCommand(scene, { cmd: "sleep 60", yield_time_ms: 300 }, "call_nw")),
    writeStdinLater(scene, "call_nw", { chars: "hello\n", yield_time_ms: 500 }, "call_nww"),
    writeStdinLater(scene, "call_nw", { chars: "\u0004", yield_time_ms: 500 }, "call_nweof"),
    writeStdinLater(scene, "call_nw", { chars: "\u0003\u0003", yield_time_ms: 500 }, "call_nwdbl"),
    writeStdinLater(scene, "call_nw", { chars: "\u0003", yield_time_ms: 1000 }, "call_nwint"),
  ]);
  await commandCase(client, threadId, "nontty-trap", [
    scene.respond(
      execCommand(
        scene,
        { cmd: "trap 'echo trapped; exit 42' INT; echo ready; while true; do sleep 0.1; done", yield_time_ms: 800 },
        "call_tr",
      ),
    ),
    writeStdinLater(scene, "call_tr", { chars: "\u0003", yield_time_ms: 1500 }, "call_tri"),
  ]);
  await commandCase(client, threadId, "nontty-trap-ignore", [
    scene.respond(
      execCommand(
        scene,
        {
          cmd: "trap 'echo nope' INT; echo ready; for i in 1 2 3 4 5 6 7 8 9 10 11 12 13 14 15; do sleep 0.2; done; echo finished",
          yield_time_ms: 500,
        },
        "call_ti",
      ),
    ),
    writeStdinLater(scene, "call_ti", { chars: "\u0003", yield_time_ms: 600 }, "call_tii"),
    writeStdinLater(scene, "call_ti", { chars: "", yield_time_ms: 6000 }, "call_tip"),
  ]);
  await commandCase(client, threadId, "nontty-exec-default", [
    scene.respond(execCommand(scene, { cmd: "exec sleep 60", yield_time_ms: 300 }, "call_ed")),
    writeStdinLater(scene, "call_ed", { chars: "\u0003", yield_time_ms: 1000 }, "call_edi"),
  ]);
  await commandCase(client, threadId, "nontty-pipeline", [
    scene.respond(execCommand(scene, { cmd: "yes | sleep 60; echo after", yield_time_ms: 300 }, "call_pl")),
    writeStdinLater(scene, "call_pl", { chars: "\u0003", yield_time_ms: 1000 }, "call_pli"),
  ]);
  await commandCase(client, threadId, "unknown-session", [
    scene.respond(
      writeStdin(scene, { session_id: 999999, chars: "" }, "call_us1"),
      writeStdin(scene, { session_id: 1, chars: "x" }, "call_us2"),
      writeStdin(scene, { session_id: -5 }, "call_us3"),
    ),
  ]);
  await commandCase(client, threadId, "ws-bad-args", [
    scene.respond(
      writeStdin(scene, {}, "call_wb1"),
      writeStdin(scene, { session_id: "abc" }, "call_wb2"),
      writeStdin(scene, { session_id: 1.5 }, "call_wb3"),
      writeStdin(scene, { session_id: 99999999999 }, "call_wb4"),
      writeStdin(scene, { session_id: 5, chars: null }, "call_wb5"),
      writeStdin(scene, { session_id: 5, yield_time_ms: -1 }, "call_wb6"),
    ),
  ]);
}
