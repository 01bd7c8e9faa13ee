import { readFileSync } from "node:fs";
import { describe, expect, it } from "vitest";
import { type Finished, Home, PROCESS_TIMEOUT } from "./support/cli.js";

function sessionFile(finished: Finished): string {
  const match = /Session file: (\S+)/.exec(finished.stdout);
  if (!match) throw new Error(`no session file in:\n${finished.stdout}${finished.stderr}`);
  return match[1] as string;
}

/** What the model called, with what it was told. */
function calls(file: string): { name: string; args: Record<string, unknown>; output: string }[] {
  const items = readFileSync(file, "utf8")
    .trim()
    .split("\n")
    .map((line) => JSON.parse(line) as { type: string; payload: Record<string, unknown> })
    .filter((line) => line.type === "response_item")
    .map((line) => line.payload);
  const outputs = new Map(
    items.filter((item) => item.type === "function_call_output").map((item) => [item.call_id, String(item.output)]),
  );
  return items
    .filter((item) => item.type === "function_call")
    .map((item) => ({
      name: String(item.name),
      args: JSON.parse(String(item.arguments)) as Record<string, unknown>,
      output: outputs.get(item.call_id) ?? "",
    }));
}

describe.concurrent("turnkit demo without a terminal", { timeout: PROCESS_TIMEOUT }, () => {
  it("runs to the end, says whose answers it used, and can be resumed as it says", async () => {
    await using home = new Home();
    const demo = await home.run(["demo"]);
    expect(demo.stderr).toBe("");
    expect(demo.code).toBe(0);
    expect(demo.stdout).toContain("Which colour should the flag have?");
    expect(demo.stdout).toContain("these answers were given by the demo itself");
    expect(demo.stdout).toContain("answer: Teal (Recommended)");
    expect(demo.stdout).toContain("colour is Teal");
    expect(demo.stdout).toMatch(/Terminal \d+ ended · exit 0/);
    expect(demo.stdout).toContain("The flag is painted.");
    expect(demo.stdout).toContain("OPENAI_API_KEY");

    const file = sessionFile(demo);
    const validation = await home.run(["rollout", "validate", file]);
    expect(validation).toEqual({ code: 0, stdout: expect.stringMatching(/: ok, \d+ lines/) as string, stderr: "" });

    const command = /Go on with:\s+turnkit (resume \S+) "([^"]+)"/.exec(demo.stdout);
    if (!command) throw new Error("no command to resume with");
    const resumed = await home.run([...(command[1] as string).split(" "), command[2] as string]);
    expect(resumed.code).toBe(0);
    expect(resumed.stdout).toContain("You chose Teal (Recommended) and Wide (Recommended)");
    expect(resumed.stdout).toContain(`You just wrote: ${command[2]}`);
  });

  it("types other bytes when the answers differ, and takes every id from an output", async () => {
    await using home = new Home();
    const demo = await home.run(["demo", "--answer", "colour=deep crimson", "--answer", "width=Narrow"]);
    expect(demo.code).toBe(0);
    const made = calls(sessionFile(demo));
    expect(made.map((call) => call.name)).toEqual([
      "request_user_input",
      "exec_command",
      ...Array.from({ length: 6 }, () => "write_stdin"),
    ]);
    const [ask, start, colour, width, paint, poll, show, end] = made as [
      Call,
      Call,
      Call,
      Call,
      Call,
      Call,
      Call,
      Call,
    ];
    expect(JSON.parse(ask.output)).toEqual({
      answers: {
        colour: { answers: ["None of the above", "user_note: deep crimson"] },
        width: { answers: ["Narrow"] },
      },
    });
    const session = Number(/session ID (\d+)/.exec(start.output)?.[1]);
    for (const call of [colour, width, paint, poll, show, end]) expect(call.args.session_id).toBe(session);
    expect(colour.args.chars).toContain("deep crimson");
    expect(colour.output).toContain("colour is deep crimson");
    const ticket = /#\d+/.exec(poll.output)?.[0];
    expect(show.args.chars).toBe(`show ${ticket}\n`);
    expect(show.output).toContain("deep crimson");
    expect(end.args.chars).toBe("\u0004");
    expect(end.output).toContain("Process exited with code 0");
  });

  it("is refused the question when the feature is off, and says so", async () => {
    await using home = new Home();
    const demo = await home.run(["demo", "--disable", "default_mode_request_user_input"]);
    expect(demo.code).toBe(0);
    expect(demo.stdout).toContain("request_user_input is unavailable in Default mode");
    expect(calls(sessionFile(demo)).map((call) => call.name)).toEqual(["request_user_input"]);
  });

  it("is what `npm start` runs without a model, and not with one", async () => {
    await using home = new Home();
    const without = await home.run(["--cd", "/"], { env: { TURNKIT_START: "1" } });
    expect(without).toMatchObject({ code: 4, stdout: "" });
    const prompt = await home.run(["do something"], { env: { TURNKIT_START: "1" } });
    expect(prompt).toMatchObject({ code: 4, stdout: "" });
    expect(prompt.stderr).toMatch(/^turnkit: no model is configured\n.*OPENAI_API_KEY/);
    const start = await home.run([], { env: { TURNKIT_START: "1" } });
    expect(start.code).toBe(0);
    expect(start.stdout).toContain("npm start -- resume");
  });
});

type Call = ReturnType<typeof calls>[number];
