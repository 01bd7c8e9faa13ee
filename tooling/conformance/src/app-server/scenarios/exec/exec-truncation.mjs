import { commandCase, execCommand, writeStdinLater } from "../command-case.mjs";

export async function run(scene) {
  const client = await scene.start();
  await client.init();
  const threadId = await client.thread();
  await commandCase(client, threadId, "seq-20-tokens", [
    scene.respond(execCommand(scene, { cmd: "seq 1 500", max_output_tokens: 20 }, "call_t20")),
  ]);
  await commandCase(client, threadId, "seq-0-tokens", [
    scene.respond(execCommand(scene, { cmd: "seq 1 50", max_output_tokens: 0 }, "call_t0")),
  ]);
  await commandCase(client, threadId, "seq-fit-exact", [
    scene.respond(execCommand(scene, { cmd: 'printf "abcdefgh"', max_output_tokens: 2 }, "call_tfit")),
  ]);
  await commandCase(client, threadId, "seq-over-by-one", [
    scene.respond(execCommand(scene, { cmd: 'printf "abcdefghi"', max_output_tokens: 2 }, "call_tov")),
  ]);
  await commandCase(client, threadId, "default-big", [
    scene.respond(execCommand(scene, { cmd: "seq 1 20000" }, "call_tbig")),
  ]);
  await commandCase(client, threadId, "huge-max", [
    scene.respond(execCommand(scene, { cmd: "seq 1 20000", max_output_tokens: 1000000 }, "call_thuge")),
  ]);
  await commandCase(client, threadId, "one-long-line", [
    scene.respond(
      execCommand(scene, { cmd: 'head -c 3000 /dev/zero | tr "\\0" x', max_output_tokens: 50 }, "call_tline"),
    ),
  ]);
  await commandCase(client, threadId, "multibyte", [
    scene.respond(
      execCommand(scene, { cmd: 'for i in $(seq 1 100); do printf "é"; done', max_output_tokens: 10 }, "call_tmb"),
    ),
  ]);
  await commandCase(client, threadId, "two-mib", [
    scene.respond(
      execCommand(
        scene,
        { cmd: 'head -c 2500000 /dev/zero | tr "\\0" y; echo END', max_output_tokens: 30 },
        "call_t2m",
      ),
    ),
  ]);
  await commandCase(client, threadId, "ws-trunc", [
    scene.respond(execCommand(scene, { cmd: "sleep 1; seq 1 300; sleep 20", yield_time_ms: 300 }, "call_tw")),
    writeStdinLater(scene, "call_tw", { chars: "", yield_time_ms: 500, max_output_tokens: 15 }, "call_tww"),
    writeStdinLater(scene, "call_tw", { chars: "\u0003", yield_time_ms: 500 }, "call_twk"),
  ]);
}
