import { readFileSync } from "node:fs";
import path from "node:path";
import {
  functionCall,
  message,
  type ScriptedModel,
  type ScriptedResponse,
  startScriptedModel,
} from "@turnkit/core/scripted-model";
import { validators } from "@turnkit/protocol/validate";
import { describe, expect, it } from "vitest";
import { type Finished, Home, modelAt, PROCESS_TIMEOUT, type RunOptions } from "./support/cli.js";

const QUESTION = functionCall(
  "request_user_input",
  {
    questions: [
      {
        id: "colour",
        header: "Colour",
        question: "Which?",
        options: [
          { label: "Red", description: "" },
          { label: "Blue", description: "" },
        ],
      },
    ],
  },
  "ask",
);

interface Setup {
  readonly home: Home;
  readonly model: ScriptedModel;
  exec(args: readonly string[], options?: RunOptions): Promise<Finished>;
}

async function withModel<T>(responses: readonly ScriptedResponse[], use: (setup: Setup) => Promise<T>): Promise<T> {
  await using home = new Home();
  await using model = await startScriptedModel({ responses });
  return await use({
    home,
    model,
    exec: (args, options) => home.run(["exec", ...modelAt(model.url), ...args], options),
  });
}

function bodyOf(model: ScriptedModel, call: number): unknown {
  const request = model.calls[call];
  if (!request) throw new Error(`the model was called ${model.calls.length} times`);
  return request.body;
}

const lines = (text: string): Record<string, unknown>[] =>
  text
    .trim()
    .split("\n")
    .map((line) => JSON.parse(line) as Record<string, unknown>);

describe.concurrent("turnkit exec", { timeout: PROCESS_TIMEOUT }, () => {
  it("prints the final message alone, and progress on standard error", () =>
    withModel(
      [
        { items: [message("I look first."), functionCall("exec_command", { cmd: "echo marker-$((40+2))" }, "run")] },
        { items: [message("All **done**.")] },
      ],
      async ({ exec, home }) => {
        const out = path.join(home.path, "last.md");
        const run = await exec(["-s", "danger-full-access", "-o", out, "look around"]);
        expect(run.code).toBe(0);
        expect(run.stdout).toBe("All **done**.\n");
        expect(run.stderr).toContain("I look first.");
        expect(run.stderr).toContain("marker-42");
        expect(run.stderr).not.toContain("All done.");
        expect(readFileSync(out, "utf8")).toBe("All **done**.");
      },
    ));

  it("never waits for an open standard input when a prompt is given", () =>
    withModel([{ items: [message("ok")] }], async ({ exec }) => {
      expect(await exec(["hello"], { input: null })).toMatchObject({ code: 0, stdout: "ok\n" });
    }));

  it("reads the prompt from standard input", () =>
    withModel([{ items: [message("ok")] }, { items: [message("ok")] }], async ({ exec, model }) => {
      expect((await exec(["-"], { input: "from a pipe\n" })).code).toBe(0);
      expect((await exec([], { input: "without a dash\n" })).code).toBe(0);
      const bodies = model.calls.map((call) => JSON.stringify(call.body));
      expect(bodies[0]).toContain('"from a pipe"');
      expect(bodies[1]).toContain('"without a dash"');
    }));

  it("--json prints a head, notifications that follow their schemas, and a result", () =>
    withModel([{ items: [message("ok")] }], async ({ exec }) => {
      const run = await exec(["--json", "hello"]);
      const events = lines(run.stdout);
      expect(events.every((event) => event.version === 1)).toBe(true);
      expect(events[0]).toMatchObject({ type: "session", model: "gpt-5.4", modelProvider: "test" });
      expect(events.at(-1)).toEqual({
        version: 1,
        type: "result",
        status: "completed",
        message: "ok",
        error: null,
        exitCode: 0,
      });
      const completed = events.filter((event) => event.method === "item/completed");
      expect(completed.length).toBeGreaterThan(1);
      for (const event of completed) expect(validators.ItemCompletedNotification(event.params)).toBe(true);
    }));

  it("--experimental-json prints what the SDK reads", () =>
    withModel(
      [{ items: [functionCall("exec_command", { cmd: "true" }, "run")] }, { items: [message("ok")] }],
      async ({ exec }) => {
        const run = await exec(["-s", "danger-full-access", "--experimental-json", "hello"]);
        const events = lines(run.stdout);
        expect(events.map((event) => event.type)).toEqual([
          "thread.started",
          "turn.started",
          "item.started",
          "item.completed",
          "item.completed",
          "turn.completed",
        ]);
        expect(events[3]?.item).toMatchObject({
          id: "item_0",
          type: "command_execution",
          exit_code: 0,
          status: "completed",
        });
        expect(events[4]?.item).toEqual({ id: "item_1", type: "agent_message", text: "ok" });
      },
    ));

  it("a failed turn is exit code 1 with one line that says why", () =>
    withModel([{ status: 400, errorBody: { error: { message: "no such model" } } }], async ({ exec }) => {
      const run = await exec(["hello"]);
      expect(run).toMatchObject({ code: 1, stdout: "" });
      expect(run.stderr).toMatch(/^turnkit: .*no such model/m);
      expect(run.stderr).not.toMatch(/\n\s+at /);
    }));

  it("Ctrl-C interrupts the turn and is exit code 130", () =>
    withModel([{ hold: true, items: [message("never")] }], async ({ exec, model }) => {
      const run = await exec(["hello"], {
        started: (child) => void model.waitForHold(60_000).then(() => child.kill("SIGINT")),
      });
      expect(run).toMatchObject({ code: 130, stdout: "" });
    }));

  it("resumes by id and by --last, and the model sees the first turn", () =>
    withModel(
      [{ items: [message("first answer")] }, { items: [message("second")] }, { items: [message("third")] }],
      async ({ exec, model, home }) => {
        const first = await exec(["first prompt"]);
        const id = /thread (\S+)/.exec(first.stderr)?.[1] as string;
        expect((await home.run(["exec", "resume", ...modelAt(model.url), id, "second prompt"])).stdout).toBe(
          "second\n",
        );
        expect((await home.run(["exec", "resume", ...modelAt(model.url), "--last", "third prompt"])).stdout).toBe(
          "third\n",
        );
        expect(JSON.stringify(model.calls[1]?.body)).toContain("first answer");
        expect(JSON.stringify(model.calls[2]?.body)).toContain("second prompt");
      },
    ));
});

describe.concurrent("questions in exec", { timeout: PROCESS_TIMEOUT }, () => {
  const tools = (model: ScriptedModel): string[] =>
    (bodyOf(model, 0) as { tools: { name?: string }[] }).tools.map((tool) => tool.name ?? "");
  const answered = (model: ScriptedModel): unknown => {
    const { input } = bodyOf(model, 1) as { input: { type: string; output?: string }[] };
    return JSON.parse(input.find((item) => item.type === "function_call_output")?.output ?? "null");
  };

  it("are not offered by default", () =>
    withModel([{ items: [message("ok")] }], async ({ exec, model }) => {
      await exec(["hello"]);
      expect(tools(model)).not.toContain("request_user_input");
    }));

  it("--on-question first takes the first option and says so", () =>
    withModel([{ items: [QUESTION] }, { items: [message("ok")] }], async ({ exec, model }) => {
      const run = await exec(["--on-question", "first", "hello"]);
      expect(run).toMatchObject({ code: 0, stdout: "ok\n" });
      expect(tools(model)).toContain("request_user_input");
      expect(answered(model)).toEqual({ answers: { colour: { answers: ["Red"] } } });
      expect(run.stderr).toContain("Which? Red");
    }));

  it("--answers FILE answers by id", () =>
    withModel([{ items: [QUESTION] }, { items: [message("ok")] }], async ({ exec, model, home }) => {
      const file = home.write("answers.json", '{"colour": ["Blue", "user_note: dark"]}');
      expect(await exec(["--answers", file, "hello"])).toMatchObject({ code: 0 });
      expect(answered(model)).toEqual({ answers: { colour: { answers: ["Blue", "user_note: dark"] } } });
    }));

  it.each(["fail", "answers"])("that nobody can answer end the run with 5 (%s)", (how) =>
    withModel([{ items: [QUESTION] }], async ({ exec, home }) => {
      const policy = how === "fail" ? ["--on-question", "fail"] : ["--answers", home.write("answers.json", "{}")];
      const run = await exec([...policy, "hello"]);
      expect(run).toMatchObject({ code: 5, stdout: "" });
      expect(run.stderr).toMatch(/^turnkit: .*(?:Which\?|no answer to the question "colour")/m);
    }),
  );
});
