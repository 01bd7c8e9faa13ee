/** A session with something of everything that an exported page shows, as the lines of its file. */

export const SAMPLE_THREAD = "01990000-0000-7000-8000-00000000000a";

/** 24 × 24, one colour. */
export const SAMPLE_IMAGE =
  "data:image/png;base64,iVBORw0KGgoAAAANSUhEUgAAABgAAAAYCAIAAABvFaqvAAAAIElEQVR42mPgL1hBFcQwatCoQaMGjRo0atCoQaMGDQKDAITTwDJW2aIDAAAAAElFTkSuQmCC";

const REPLY = `# What I found

The parser **drops the last line** when the file has no newline at its end, see \`src/read-lines.ts\`:

\`\`\`ts
const rest = buffer.slice(start); // never pushed
\`\`\`

1. keep what is left
2. add a test
   for an empty file

| file | lines | before |
|---|---|---|
| read-lines.ts | 12 | 11 |
| main.ts | 4 | 4 |

More in [the notes](https://example.com/notes) or at https://example.com/raw.

> Nothing else reads this way.`;

const PATCH = `*** Begin Patch
*** Update File: src/read-lines.ts
@@ function readLines
-  return lines;
+  if (rest !== "") lines.push(rest);
+  return lines;
*** End Patch
`;

export function sampleSession(): string {
  let clock = Date.UTC(2026, 0, 2, 9, 30);
  const lines: string[] = [];
  const line = (type: string, payload: object): void => {
    lines.push(JSON.stringify({ timestamp: new Date(clock).toISOString(), type, payload }));
    clock += 4_250;
  };
  const event = (payload: object): void => line("event_msg", payload);
  const item = (payload: object): void => line("response_item", payload);
  let calls = 0;
  const call = (name: string, args: unknown, output: unknown): void => {
    const call_id = `call_${calls++}`;
    item({ type: "function_call", name, arguments: JSON.stringify(args), call_id });
    item({ type: "function_call_output", call_id, output });
  };
  const tokens = (input: number, cached: number, output: number): void => {
    const usage = {
      input_tokens: input,
      cached_input_tokens: cached,
      output_tokens: output,
      reasoning_output_tokens: 0,
      total_tokens: input + output,
    };
    event({ type: "token_count", info: { total_token_usage: usage, last_token_usage: usage }, rate_limits: null });
  };
  const said = (text: string, image?: string): void => {
    const picture = image === undefined ? [] : [{ type: "input_image", image_url: image }];
    item({ type: "message", role: "user", content: [{ type: "input_text", text }, ...picture] });
    event({ type: "user_message", message: text, images: [], local_images: [], text_elements: [] });
  };
  const begin = (turn_id: string): void =>
    event({
      type: "task_started",
      turn_id,
      started_at: 1,
      model_context_window: 258_400,
      collaboration_mode_kind: "default",
    });
  const done = (turn_id: string, message: string, duration_ms: number): void => {
    item({ type: "message", role: "assistant", content: [{ type: "output_text", text: message }] });
    event({ type: "task_complete", turn_id, last_agent_message: message, completed_at: 2, duration_ms });
  };

  line("session_meta", {
    id: SAMPLE_THREAD,
    session_id: SAMPLE_THREAD,
    timestamp: new Date(clock).toISOString(),
    cwd: "/home/ada/projects/line-reader",
    originator: "turnkit_tui",
    cli_version: "0.150.0",
    source: "cli",
    model_provider: "openai",
    base_instructions: null,
  });
  begin("t1");
  item({
    type: "message",
    role: "user",
    content: [{ type: "input_text", text: "<environment_context>\n  <cwd>/home/ada</cwd>\n</environment_context>" }],
  });
  said("The last line of a file goes missing.\nCan you find out why? Here is what it looks like:", SAMPLE_IMAGE);
  item({
    type: "reasoning",
    id: "r1",
    summary: [{ type: "summary_text", text: "**Looking at the reader** first" }],
    content: null,
  });
  call(
    "update_plan",
    {
      explanation: "First look, then fix.",
      plan: [
        { step: "Reproduce it", status: "completed" },
        { step: "Fix the reader", status: "in_progress" },
        { step: "Add a test", status: "pending" },
      ],
    },
    "Plan updated",
  );
  tokens(14_200, 9_000, 420);
  call(
    "exec_command",
    { cmd: "printf 'a\\nb' | node main.js" },
    "Chunk ID: a1b2c3\nWall time: 0.2140 seconds\nProcess exited with code 0\nOriginal token count: 1\nOutput:\na\n",
  );
  call(
    "exec_command",
    { cmd: "npm test" },
    `Chunk ID: a1b2c4\nWall time: 12.5000 seconds\nProcess exited with code 1\nOutput:\n${Array.from({ length: 30 }, (_, at) => `not ok ${at} - keeps line ${at}`).join("\n")}\n`,
  );
  tokens(15_900, 14_200, 610);
  call(
    "exec_command",
    { cmd: "node --interactive", tty: true },
    "Chunk ID: a1b2c5\nWall time: 1.0000 seconds\nProcess running with session ID 7\nOutput:\n> \n",
  );
  call(
    "write_stdin",
    { session_id: 7, chars: "1 + 1\n" },
    "Chunk ID: a1b2c6\nWall time: 0.1000 seconds\nProcess running with session ID 7\nOutput:\n2\n",
  );
  tokens(17_000, 15_900, 230);
  done("t1", REPLY, 83_400);
  begin("t2");
  said("Fix it. <b>Ask me</b> if something is unclear & stay brief.");
  call(
    "request_user_input",
    {
      questions: [
        {
          id: "empty",
          header: "Empty files",
          question: "How many lines does an empty file have?",
          options: [
            { label: "None", description: "As wc says." },
            { label: "One", description: "As editors show." },
          ],
        },
        { id: "token", header: "Token", question: "The token of the registry?", isSecret: true, options: [] },
        { id: "else", header: "Else", question: "Anything else?", options: [] },
      ],
    },
    JSON.stringify({
      answers: {
        empty: { answers: ["None", "user_note: but write it down"] },
        token: { answers: ["user_note: s3cret"] },
        else: { answers: [] },
      },
    }),
  );
  tokens(18_400, 17_000, 380);
  item({ type: "custom_tool_call", name: "apply_patch", input: PATCH, call_id: "patch" });
  item({
    type: "custom_tool_call_output",
    call_id: "patch",
    output: JSON.stringify({
      output: "Success. Updated the following files:\nM src/read-lines.ts\n",
      metadata: { exit_code: 0, duration_seconds: 0.1 },
    }),
  });
  call("view_image", { path: "/tmp/screen.png" }, [{ type: "input_image", image_url: SAMPLE_IMAGE }]);
  call("docs__search", { query: "line endings", limit: 3 }, "[]");
  tokens(21_000, 18_400, 900);
  done("t2", "Fixed; `npm test` passes.", 31_000);
  begin("t3");
  said("And on Windows?");
  event({ type: "error", message: "The stream ended before the answer was complete.", codex_error_info: "other" });
  event({ type: "turn_aborted", turn_id: "t3", reason: "interrupted" });
  begin("t4");
  said("Never mind: an_identifier_that_is_much_longer_than_any_screen_is_wide_and_has_no_place_to_break_it_at_all");
  done("t4", "Understood.", 900);
  return `${lines.join("\n")}\n`;
}
