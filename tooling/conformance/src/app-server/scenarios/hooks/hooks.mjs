import { execCommand, writeStdinLater } from "../command-case.mjs";
import { writeHooks } from "../hook-files.mjs";
import { textInput } from "../input-case.mjs";
import { defaultMode, planMode } from "../modes.mjs";

export async function run(scene) {
  writeHooks(scene);
  const client = await scene.start();
  await client.init();
  await client.request("hooks/list", { cwds: [scene.cwd] });
  const threadId = await client.thread({ config: { bypass_hook_trust: true } });
  client.on("item/tool/requestUserInput", ({ params }) => ({
    answers: { [params.questions[0]?.id ?? "x"]: { answers: ["ans"] } },
  }));
  const turn = async (label, text, responses, params = {}) => {
    scene.note(label);
    scene.model.clear();
    scene.model.push(...responses);
    await client.turn(threadId, text, params, 15_000).catch(() => {});
  };

  await turn("ups-pass", "hello", [scene.say("ok")]);
  await turn("ups-block", "please BLOCK this", [scene.say("should not happen")]);
  await turn("ups-exit2", "please EXIT2 this", [scene.say("should not happen")]);
  await turn("ups-stop", "please STOP this", [scene.say("should not happen")]);
  await turn("ups-fail", "please FAIL this", [scene.say("continues")]);
  await turn("ups-ctx", "add CTX", [scene.say("ok")]);
  await turn("after-blocks", "normal again", [scene.say("ok")]);

  const command = (label, cmd, callId) =>
    turn(label, "run", [scene.respond(execCommand(scene, { cmd }, callId)), scene.say("ok")]);
  await command("pre-deny", "echo DENYME", "call_deny");
  await command("pre-exit2", "echo EXIT2", "call_ex2");
  await command("pre-rewrite", "echo REWRITE", "call_rw");
  await command("post-block", "echo POSTBLOCK", "call_pb");
  await command("post-ctx", "echo POSTCTX", "call_pc");

  const ask = (label, question, callId, collaborationMode = planMode) => {
    const questions = [{ id: "a", header: "H", question, options: [{ label: "x", description: "d" }] }];
    const call = scene.functionCall("request_user_input", { questions }, callId);
    return turn(label, "ask", [scene.respond(call), scene.say("ok")], { collaborationMode });
  };
  await ask("rui-pass", "plain?", "call_rp");
  await ask("rui-deny", "DENYME?", "call_rd");
  await ask("rui-rewrite", "REWRITE?", "call_rr");
  await ask("rui-post-block", "POSTBLOCK?", "call_rpb");
  await ask("rui-interrupted-mode-default", "plain?", "call_rdef", defaultMode);

  // write_stdin has no PreToolUse; PostToolUse runs when the command has ended.
  await turn("write-stdin-hooks", "run", [
    scene.respond(execCommand(scene, { cmd: "cat", tty: true, yield_time_ms: 300 }, "call_wc")),
    writeStdinLater(scene, "call_wc", { chars: "abc\n", yield_time_ms: 300 }, "call_wc1"),
    writeStdinLater(scene, "call_wc", { chars: "\u0004", yield_time_ms: 500 }, "call_wc2"),
    scene.say("ok"),
  ]);
  await turn("write-stdin-post-block", "run", [
    scene.respond(execCommand(scene, { cmd: "sleep 1; echo POSTBLOCK", yield_time_ms: 300 }, "call_wd")),
    writeStdinLater(scene, "call_wd", { chars: "", yield_time_ms: 3000 }, "call_wd1"),
    scene.say("ok"),
  ]);

  scene.model.clear();
  scene.model.push({ items: [scene.message("x")], hold: true }, scene.say("y"));
  const from = client.mark();
  const started = await client.request("turn/start", { threadId, input: textInput("go") });
  await scene.model.waitForHold();
  const expectedTurnId = started.result.turn.id;
  await client.request("turn/steer", { threadId, expectedTurnId, input: textInput("BLOCK steer") });
  scene.model.release();
  await client.waitFor("turn/completed", { from });
  await scene.sleep(200);
}
