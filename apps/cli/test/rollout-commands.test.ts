import { existsSync, readFileSync } from "node:fs";
import path from "node:path";
import { describe, expect, it } from "vitest";
import { Home, PROCESS_TIMEOUT } from "./support/cli.js";

const ID = "01990000-0000-7000-8000-000000000000";
const line = (type: string, payload: unknown): string =>
  JSON.stringify({ timestamp: "2026-01-02T03:04:05.678Z", type, payload });

const SESSION = [
  line("session_meta", {
    id: ID,
    session_id: ID,
    timestamp: "2026-01-02T03:04:05.678Z",
    cwd: "/proj",
    originator: "test",
    cli_version: "0.150.0",
    source: "cli",
    model_provider: "test",
    base_instructions: null,
  }),
  line("event_msg", {
    type: "task_started",
    turn_id: "t1",
    started_at: 1,
    model_context_window: 1000,
    collaboration_mode_kind: "default",
  }),
  line("response_item", {
    type: "message",
    role: "user",
    content: [{ type: "input_text", text: "<script>alert(1)</script>" }],
  }),
  line("event_msg", {
    type: "user_message",
    message: "<script>alert(1)</script>",
    images: [],
    local_images: [],
    text_elements: [],
  }),
  line("response_item", {
    type: "function_call",
    name: "request_user_input",
    call_id: "c1",
    arguments: JSON.stringify({
      questions: [
        { id: "pin", header: "Pin", question: "Which pin?", isSecret: true, options: [] },
        { id: "col", header: "C", question: "Which colour?", options: [] },
      ],
    }),
  }),
  line("response_item", {
    type: "function_call_output",
    call_id: "c1",
    output: JSON.stringify({ answers: { pin: { answers: ["user_note: 4711"] }, col: { answers: ["Teal"] } } }),
  }),
  line("event_msg", { type: "agent_message", message: "All done & dusted." }),
  line("response_item", {
    type: "message",
    role: "assistant",
    content: [{ type: "output_text", text: "All done & dusted." }],
  }),
  line("event_msg", {
    type: "task_complete",
    turn_id: "t1",
    last_agent_message: "All done & dusted.",
    duration_ms: 1500,
  }),
];

describe.concurrent("turnkit rollout", { timeout: PROCESS_TIMEOUT }, () => {
  it("validate and inspect tell what is in a file", async () => {
    using home = new Home();
    const file = home.write(`rollout-2026-01-02T03-04-05-${ID}.jsonl`, `${SESSION.join("\n")}\nbroken`);
    const validation = await home.run(["rollout", "validate", "--json", file]);
    expect(validation.code).toBe(3);
    expect(JSON.parse(validation.stdout)).toMatchObject({ file, ok: false, known: 9, losses: [{ line: 10 }] });
    const inspection = await home.run(["rollout", "inspect", "--json", file]);
    expect(JSON.parse(inspection.stdout)).toMatchObject({
      file,
      cliVersion: "0.150.0",
      threadId: ID,
      turns: [{ id: "t1", status: "completed", items: [{ type: "userMessage" }, { type: "agentMessage" }] }],
      losses: [{ line: 10 }],
    });
    expect((await home.run(["rollout", "inspect", file])).stdout).toContain("completed    userMessage, agentMessage");
  });

  it("convert writes a file that validates", async () => {
    using home = new Home();
    const file = home.write(`rollout-2026-01-02T03-04-05-${ID}.jsonl`, `${SESSION.join("\n")}\n`);
    const output = path.join(home.path, "converted.jsonl");
    expect(await home.run(["rollout", "convert", file, "-o", output])).toMatchObject({ code: 0, stdout: "" });
    expect(await home.run(["rollout", "validate", output])).toMatchObject({ code: 0 });
  });

  it("export writes one page that escapes everything, hides secrets and fetches nothing", async () => {
    using home = new Home();
    const file = home.write(`rollout-2026-01-02T03-04-05-${ID}.jsonl`, `${SESSION.join("\n")}\n`);
    const run = await home.run(["rollout", "export", "--html", file]);
    expect(run).toMatchObject({ code: 0, stderr: "" });
    const written = run.stdout.trim();
    expect(existsSync(written)).toBe(true);
    const page = readFileSync(written, "utf8");
    expect(page).toContain("&lt;script&gt;alert(1)&lt;/script&gt;");
    expect(page).not.toMatch(/<script|https?:\/\/|4711/);
    expect(page).toContain("<dt>Which colour?</dt><dd>Teal</dd>");
    expect(page).toContain("All done &amp; dusted.");
    expect(page).toContain("turn complete after 1.5 s");
    expect(page).toContain("default-src 'none'");
  });
});
