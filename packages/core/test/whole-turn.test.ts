/** One turn through everything: a question over HTTP, an answer, a program in a terminal, typing into it, the file. */
import { functionCall, message, reasoning } from "@turnkit/core/scripted-model";
import { expect, test } from "vitest";
import { PLAN, startRig } from "./helpers.js";

const questions = [
  {
    id: "name",
    header: "Name",
    question: "Which name?",
    options: [
      { label: "Ada (Recommended)", description: "short" },
      { label: "Grace", description: "longer" },
    ],
  },
];

function sessionIdIn(output: string | undefined): number {
  return Number(/session ID (\d+)/.exec(output ?? "")?.[1]);
}

test("asks, runs a program in a terminal, types into it and finishes", async () => {
  await using rig = await startRig({ session: { features: { defaultModeQuestions: true } } });
  rig.model.push(
    { items: [reasoning("thinking hard", "raw"), functionCall("request_user_input", { questions }, "call_ask")] },
    {
      fn: () => ({
        items: [
          functionCall(
            "exec_command",
            { cmd: "read line; echo got:$line; exit 3", tty: true, login: false, yield_time_ms: 250 },
            "call_exec",
          ),
        ],
      }),
    },
    {
      fn: () => ({
        items: [
          functionCall(
            "write_stdin",
            { session_id: sessionIdIn(rig.outputOf("call_exec")), chars: "Grace\n", yield_time_ms: 30_000 },
            "call_write",
          ),
        ],
      }),
    },
    { items: [message("All done.")] },
  );
  const turnId = await rig.say("hi there");
  const asked = await rig.seen("request_user_input");
  expect(asked).toMatchObject({ call_id: "call_ask", turn_id: turnId, isBlocking: false, autoResolutionMs: null });
  expect(asked.questions[0]).toMatchObject({ isOther: true, isSecret: false });
  rig.session.answer(turnId, { answers: { name: { answers: ["Grace"] } } });
  const done = await rig.seen("task_complete");
  expect(done).toMatchObject({ turn_id: turnId, last_agent_message: "All done." });
  expect(rig.outputOf("call_ask")).toBe('{"answers":{"name":{"answers":["Grace"]}}}');
  expect(rig.outputOf("call_exec")).toMatch(
    /^Chunk ID: [0-9a-f]{6}\nWall time: 0\.\d{4} seconds\nProcess running with session ID \d+\nOriginal token count: 0\nOutput:\n$/,
  );
  expect(rig.outputOf("call_write")).toMatch(/Process exited with code 3\n(.*\n)*Output:\nGrace\r\ngot:Grace\r\n$/);
  // In how many pieces the output comes is a matter of timing.
  const types = rig.events.map((event) => event.type);
  const told = types.filter((type, at) => type !== "exec_command_output_delta" || types[at - 1] !== type);
  expect(told).toEqual([
    "task_started",
    "item_started",
    "item_completed",
    "user_message",
    "item_started",
    "agent_reasoning_section_break",
    "reasoning_content_delta",
    "reasoning_content_delta",
    "reasoning_raw_content_delta",
    "item_completed",
    "agent_reasoning",
    "request_user_input",
    "token_count",
    "exec_command_begin",
    "token_count",
    "exec_command_output_delta",
    "terminal_interaction",
    "exec_command_end",
    "token_count",
    "item_started",
    "agent_message_content_delta",
    "agent_message_content_delta",
    "item_completed",
    "agent_message",
    "token_count",
    "task_complete",
  ]);
  const lines = await rig.rollout();
  expect(lines.map(({ type, payload }) => (payload.type ? `${type}:${payload.type}` : type))).toEqual([
    "session_meta",
    "event_msg:task_started",
    "response_item:message",
    "response_item:message",
    "world_state",
    "turn_context",
    "response_item:message",
    "event_msg:user_message",
    "event_msg:agent_reasoning",
    "response_item:reasoning",
    "response_item:function_call",
    "response_item:function_call_output",
    "event_msg:token_count",
    "response_item:function_call",
    "response_item:function_call_output",
    "event_msg:token_count",
    "response_item:function_call",
    "response_item:function_call_output",
    "event_msg:token_count",
    "event_msg:agent_message",
    "response_item:message",
    "event_msg:token_count",
    "event_msg:task_complete",
  ]);
});

test("in Plan mode a proposed plan is an item of its own", async () => {
  await using rig = await startRig();
  rig.model.push({ items: [message("intro\n<proposed_plan>\n# The plan\n- do it\n</proposed_plan>\noutro")] });
  await rig.turn("plan it", { thread_settings: { collaboration_mode: PLAN } });
  const items = rig.events.flatMap((event) => (event.type === "item_completed" ? [event.item] : []));
  expect(items.slice(1)).toEqual([
    { type: "Plan", id: expect.stringMatching(/-plan$/), text: "# The plan\n- do it\n" },
    expect.objectContaining({ type: "AgentMessage", content: [{ type: "Text", text: "intro\noutro" }] }),
  ]);
});
