import { describe, expect, test } from "vitest";
import { start } from "../../test/session-rig.js";
import { items, say, toolCall } from "../testing/index.js";
import { limitedOutput } from "./limited-output.js";

const text = (value: string) => ({ type: "input_text" as const, text: value });
const image = { type: "input_image" as const, image_url: `data:image/png;base64,${"A".repeat(1000)}` };

describe("an output", () => {
  test("within the limit and its fifth stays as it is", () => {
    const body = "x".repeat(48);
    expect(limitedOutput(body, 10)).toBe(body);
    const several = [text("x".repeat(40)), image, text("y".repeat(8))];
    expect(limitedOutput(several, 10)).toEqual(several);
  });

  test("beyond it loses its middle, and says how much", () => {
    expect(limitedOutput("x".repeat(4048), 10)).toBe(`${"x".repeat(24)}…1000 tokens truncated…${"x".repeat(24)}`);
    expect(limitedOutput([text("a".repeat(30)), image, text("b".repeat(418)), text("c".repeat(40))], 10)).toEqual([
      text("a".repeat(30)),
      image,
      text(`${"b".repeat(9)}…100 tokens truncated…${"b".repeat(9)}`),
      text("…10 tokens truncated…"),
    ]);
  });
});

test("of a tool that knows no limit does not flood the model", async () => {
  const huge = "h".repeat(4_000_000);
  const rig = await start([items(toolCall("flood", {}, "a"), toolCall("flood", {}, "b")), say("done")], {
    tools: [
      {
        spec: { type: "function", name: "flood", description: "", strict: false, parameters: { type: "object" } },
        exposure: "direct",
        supportsParallelCalls: true,
        isControl: false,
        accepts: () => true,
        preToolUse: () => undefined,
        withUpdatedInput: (call) => call,
        run: async ({ callId }) => ({
          body: callId === "a" ? huge : [text(huge)],
          success: true,
          postToolUse: undefined,
        }),
      },
    ],
  });
  await rig.say("go");
  await rig.next("task_complete");
  const outputs = rig.model.requests[1]!.input.flatMap((item) =>
    item.type === "function_call_output" ? [JSON.stringify(item.output)] : [],
  );
  expect(outputs.length).toBe(2);
  for (const output of outputs) {
    expect(output.length).toBeLessThan(50_000);
    expect(output).toContain("…988000 tokens truncated…");
  }
  await rig.session.shutdown();
});

test("of a hook that stands in for an output does not flood the model", async () => {
  const reason = "no ".repeat(1_000_000);
  const call = toolCall("update_plan", { plan: [] }, "a");
  const rig = await start([items(call), say("done")], {
    hooks: {
      preToolUse: async () => ({ type: "blocked", reason, contexts: [] }),
      userPromptSubmit: async () => ({ blocked: false, contexts: [] }),
      stop: async () => ({ continuations: [], emptyBlock: false }),
    } as never,
  });
  await rig.say("go");
  await rig.next("task_complete");
  const output = rig.model.requests[1]!.input.find((item) => item.type === "function_call_output");
  expect(JSON.stringify(output).length).toBeLessThan(50_000);
  await rig.session.shutdown();
});
