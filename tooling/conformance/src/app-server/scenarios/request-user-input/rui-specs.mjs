import { defaultMode, planMode } from "../modes.mjs";

export async function run(scene) {
  for (const [label, features, top] of [
    ["default-feature-off", {}, ""],
    ["default-feature-on", { default_mode_request_user_input: true }, ""],
    ["config-disabled", {}, "experimental_request_user_input_enabled = false\n"],
    ["tools-config-disabled", {}, "", "[tools]\nexperimental_request_user_input = { enabled = false }\n"],
  ]) {
    const extra = label === "tools-config-disabled" ? "[tools.experimental_request_user_input]\nenabled = false\n" : "";
    const client = await scene.start({ config: { features, top, tables: extra } });
    await client.init();
    for (const [_ml, cm] of [
      ["none", undefined],
      ["default", defaultMode],
      ["plan", planMode],
    ]) {
      const threadId = await client.thread();
      scene.model.push(scene.say("ok"));
      await client.turn(threadId, "hi", cm ? { collaborationMode: cm } : {});
    }
    await client.stop();
  }
}
