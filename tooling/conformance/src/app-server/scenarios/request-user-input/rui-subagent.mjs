import { planMode } from "../modes.mjs";
import { question } from "../question-case.mjs";

/** A sub-agent that asks the user. */
export async function run(scene) {
  const client = await scene.start();
  await client.init();
  const threadId = await client.thread();
  let found;
  const search = {
    type: "tool_search_call",
    id: "ts1",
    call_id: "call_ts",
    execution: "client",
    arguments: { query: "spawn agent", limit: 8 },
    status: "completed",
  };
  const plain = scene.functionCall("spawn_agent", { message: "sub task", task_name: "sub" }, "call_sp1");
  for (const [label, item] of [
    ["plain", plain],
    ["search", search],
  ]) {
    scene.model.clear();
    scene.model.push(scene.respond(item), {
      fn: ({ input }) => {
        found = input.find(({ type }) => type === "tool_search_output");
        return { items: [scene.message("ok")] };
      },
    });
    await client.turn(threadId, label, { collaborationMode: planMode });
  }

  const group = found?.tools?.find?.((tool) => JSON.stringify(tool).includes("spawn_agent"));
  const namespace = group?.type === "namespace" ? { namespace: group.name } : {};
  const isSubAgent = (body) => !JSON.stringify(body.input).includes('"spawn now"');
  const spawn = () => scene.functionCall("spawn_agent", { message: "sub task please ask" }, "call_sp2");
  scene.model.clear();
  scene.model.push(
    { match: (body) => !isSubAgent(body), fn: () => ({ items: [{ ...spawn(), ...namespace }] }) },
    { match: isSubAgent, items: [scene.functionCall("request_user_input", { questions: [question()] }, "call_subq")] },
    { match: isSubAgent, items: [scene.message("sub done")] },
  );
  await client.turn(threadId, "spawn now", { collaborationMode: planMode }, 20_000).catch(() => {});
  await scene.sleep(2500);
}
