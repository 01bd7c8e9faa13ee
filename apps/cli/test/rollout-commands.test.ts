import { existsSync, readdirSync, readFileSync } from "node:fs";
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
    await using home = new Home();
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
    await using home = new Home();
    const file = home.write(`rollout-2026-01-02T03-04-05-${ID}.jsonl`, `${SESSION.join("\n")}\n`);
    const output = path.join(home.path, "converted.jsonl");
    expect(await home.run(["rollout", "convert", file, "-o", output])).toMatchObject({ code: 0, stdout: "" });
    expect(await home.run(["rollout", "validate", output])).toMatchObject({ code: 0 });
  });

  it("export writes one page that escapes everything, hides secrets and fetches nothing", async () => {
    await using home = new Home();
    const file = home.write(`rollout-2026-01-02T03-04-05-${ID}.jsonl`, `${SESSION.join("\n")}\n`);
    const run = await home.run(["rollout", "export", "--html", file]);
    expect(run).toMatchObject({ code: 0, stderr: "" });
    const written = run.stdout.trim();
    expect(existsSync(written)).toBe(true);
    const page = readFileSync(written, "utf8");
    expect(page).toContain("&lt;script&gt;alert(1)&lt;/script&gt;");
    expect(page).not.toMatch(/<script|https?:\/\/|4711/);
    expect(page).toContain("<dt>Which pin?</dt><dd>••••••</dd><dt>Which colour?</dt><dd>Teal</dd>");
    expect(page).toContain("All done &amp; dusted.");
    expect(page).toContain('<span class="good">complete</span> after 1.5 s');
    expect(page).toContain("default-src 'none'");
  });

  it.each([["validate"], ["inspect"], ["inspect", "--json"], ["convert"], ["export"]])(
    "%s %s: a path that is no file is one line",
    async (...command) => {
      await using home = new Home();
      const missing = path.join(home.path, "nothing.jsonl");
      expect(await home.run(["rollout", ...command, missing])).toEqual({
        code: 3,
        stdout: "",
        stderr: `turnkit: cannot read the session file ${missing}: there is no such file\n`,
      });
      expect(await home.run(["rollout", ...command, home.path])).toEqual({
        code: 3,
        stdout: "",
        stderr: `turnkit: cannot read the session file ${home.path}: it is a folder\n`,
      });
    },
  );

  it("what is no session file has losses, and is not converted", async () => {
    await using home = new Home();
    const file = home.write("notes.txt", "hello\nworld\n");
    const inspection = await home.run(["rollout", "inspect", "--json", file]);
    expect(JSON.parse(inspection.stdout)).toMatchObject({
      threadId: null,
      turns: [],
      losses: [
        { line: 1, reason: "the line is not JSON" },
        { line: 2, reason: "the line is not JSON" },
        { line: 0, reason: "the file has no readable head" },
      ],
    });
    expect((await home.run(["rollout", "validate", file])).code).toBe(3);
    const output = path.join(home.path, "out.jsonl");
    expect(await home.run(["rollout", "convert", "-o", output, file])).toEqual({
      code: 3,
      stdout: "",
      stderr: `turnkit: ${file} cannot be converted: neither the file nor its name tells the thread\n`,
    });
    expect(existsSync(output)).toBe(false);
  });

  it("convert writes several files into a folder under the names that programs look for", async () => {
    await using home = new Home();
    const name = `rollout-2026-01-02T03-04-05-${ID}.jsonl`;
    const files = [
      home.write("a.jsonl", `${SESSION.join("\n")}\n`),
      home.write("b.jsonl", SESSION.join("\n").replaceAll(ID, ID.replace(/0$/, "1"))),
    ];
    expect(await home.run(["rollout", "convert", ...files])).toMatchObject({
      code: 2,
      stderr: "turnkit: several files need a folder to be written to: --output FOLDER\n",
    });
    expect(await home.run(["rollout", "convert", "--json", files[0] as string])).toMatchObject({
      code: 2,
      stderr: "turnkit: --json reports what was written and needs --output\n",
    });
    const folder = path.join(home.path, "converted");
    const run = await home.run(["rollout", "convert", "--json", "-o", folder, ...files]);
    expect(run).toMatchObject({ code: 0, stderr: "" });
    expect(
      run.stdout
        .trimEnd()
        .split("\n")
        .map((text) => JSON.parse(text)),
    ).toEqual([
      { file: files[0], output: path.join(folder, name), lines: 9, dropped: {}, losses: [] },
      {
        file: files[1],
        output: path.join(folder, name.replace("0.jsonl", "1.jsonl")),
        lines: 9,
        dropped: {},
        losses: [],
      },
    ]);
    expect(readdirSync(folder)).toHaveLength(2);
    expect(await home.run(["rollout", "convert", "-o", folder, files[0] as string])).toEqual({
      code: 1,
      stdout: "",
      stderr: `turnkit: cannot write ${path.join(folder, name)}: there is a file already\n`,
    });
    expect(
      await home.run(["rollout", "convert", "-o", path.join(home.path, "missing", "x.jsonl"), files[0] as string]),
    ).toMatchObject({
      code: 1,
      stderr: expect.stringMatching(/^turnkit: cannot write .*: there is no such folder\n$/),
    });
  });

  it("a reader that goes away early is no failure", async () => {
    await using home = new Home();
    const many = Array.from({ length: 20_000 }, () => SESSION[7]).join("\n");
    const file = home.write(`rollout-2026-01-02T03-04-05-${ID}.jsonl`, `${SESSION.join("\n")}\n${many}\n`);
    for (const command of [
      ["rollout", "inspect", "--json", file],
      ["rollout", "convert", file],
      ["schema", "print", "EventMsg"],
    ]) {
      const run = await home.run(command, {
        input: null,
        started: (child) => {
          child.stdin?.destroy();
          child.stdout?.once("data", () => child.stdout?.destroy());
        },
      });
      expect({ command, code: run.code, stderr: run.stderr }).toEqual({ command, code: 0, stderr: "" });
    }
  });
});

describe.concurrent("turnkit schema", { timeout: PROCESS_TIMEOUT }, () => {
  it("lists and prints", async () => {
    await using home = new Home();
    const { stdout } = await home.run(["schema", "list", "--json"]);
    const names = JSON.parse(stdout) as string[];
    expect(names).toEqual(expect.arrayContaining(["UserInput", "TurnStartParams", "RolloutLine", "WriteStdinArgs"]));
    expect(names.length).toBeGreaterThan(600);
    expect((await home.run(["schema", "list"])).stdout).toBe(`${names.join("\n")}\n`);
    expect(JSON.parse((await home.run(["schema", "print", "UserInput"])).stdout)).toMatchObject({
      $schema: "http://json-schema.org/draft-07/schema#",
      title: "UserInput",
      discriminator: { propertyName: "type" },
      definitions: { TextElement: { type: "object" } },
    });
    expect(Object.keys(JSON.parse((await home.run(["schema", "print", "UserInput", "Turn"])).stdout))).toEqual([
      "UserInput",
      "Turn",
    ]);
  });

  it.each([
    ["userinput", "; did you mean UserInput?"],
    ["Turm", "; did you mean Turn?"],
    ["toString", ""],
  ])("does not know %s", async (name, hint) => {
    await using home = new Home();
    expect(await home.run(["schema", "print", name])).toEqual({
      code: 2,
      stdout: "",
      stderr: `turnkit: there is no schema named ${name}${hint}\n\`turnkit schema list\` names them all.\n`,
    });
  });
});
