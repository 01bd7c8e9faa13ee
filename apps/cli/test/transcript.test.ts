import { describe, expect, it } from "vitest";
import { lineOf } from "../src/tui/terminal/style.js";
import { expandPastes } from "../src/tui/text-field/text-field.js";
import { startInterface } from "./support/interface.js";
import { until } from "./support/virtual-terminal.js";

const ANSWER = `# Result

Here is **what** I found in \`main.ts\`:

1. A list item that is long enough to be wrapped at forty columns.
2. Another

\`\`\`ts
const x = 1;

export { x };
\`\`\`

| file | lines |
|------|------:|
| a.ts | 12 |

> quoted words

Done, see [the docs](https://example.com).`;

describe.each([
  [80, 24],
  [40, 15],
] as const)("at %dx%d", (columns, rows) => {
  it("shows a turn with a terminal that is typed into", async () => {
    await using ui = await startInterface([columns, rows]);
    const { server } = ui;
    server.turnStarted();
    server.user("Run the menu program, please.");
    server.agent("m1", "I will start it.");
    server.say("item/started", server.command("c1", "sh menu.sh"));
    server.say("item/commandExecution/outputDelta", { itemId: "c1", delta: "Welcome\r\n\x1b[32mcolour?\x1b[0m " });
    server.say("item/commandExecution/terminalInteraction", { itemId: "c1", processId: "4242", stdin: "" });
    server.say("item/commandExecution/outputDelta", { itemId: "c1", delta: "teal\r\n10%\r50%\r100%\r\n" });
    server.say("item/commandExecution/terminalInteraction", { itemId: "c1", processId: "4242", stdin: "teal\n" });
    server.say("item/commandExecution/terminalInteraction", { itemId: "c1", processId: "4242", stdin: "\x04" });
    server.say(
      "item/completed",
      server.command("c1", "sh menu.sh", { status: "completed", exitCode: 0, durationMs: 1234 }),
    );
    server.say("item/started", server.command("c2", "seq 40", { processId: null }));
    server.say(
      "item/completed",
      server.command("c2", "seq 40", {
        status: "failed",
        exitCode: 3,
        durationMs: 20,
        aggregatedOutput: Array.from({ length: 40 }, (_, row) => `${row + 1}\n`).join(""),
      }),
    );
    server.say("turn/plan/updated", {
      explanation: null,
      plan: [
        { step: "Start", status: "completed" },
        { step: "Type", status: "inProgress" },
        { step: "End", status: "pending" },
      ],
    });
    server.agent("m2", ANSWER);
    server.turnCompleted();
    await ui.shows("Done, see");
    await expect(await ui.terminal.text()).toMatchFileSnapshot(`golden/transcript-${columns}x${rows}.txt`);
  });
});

describe("the transcript", () => {
  it("is drawn once: what scrolled away is never repeated or cleared", async () => {
    await using ui = await startInterface([60, 10]);
    const { server } = ui;
    server.turnStarted();
    for (let round = 0; round < 30; round += 1) {
      server.agent(`m${round}`, `line ${round} of many`);
      if (round % 7 === 0) await ui.shows(`line ${round} of many`);
    }
    server.turnCompleted();
    const text = await ui.shows("line 29 of many");
    const seen = [...text.matchAll(/line (\d+) of many/g)].map((match) => Number(match[1]));
    expect(seen).toEqual(Array.from({ length: 30 }, (_, round) => round));
    expect(ui.terminal.written).not.toContain("\x1b[2J");
    expect(ui.terminal.written).not.toContain("\x1b[3J");
  });

  it("survives resizing without remains of old frames", async () => {
    await using ui = await startInterface([80, 24]);
    ui.server.user("hello");
    ui.server.turnStarted();
    ui.terminal.type("a draft that is long enough to be wrapped when the terminal gets narrow");
    await ui.shows("gets narrow");
    for (const columns of [50, 33, 61, 80]) {
      ui.terminal.resize(columns, 24);
      await until(
        () => ui.terminal.text(),
        (text) => text.includes("test-model"),
      );
      await ui.terminal.settled();
    }
    ui.terminal.type("!");
    const text = await ui.shows("narrow!");
    expect(text.match(/Working/g)).toHaveLength(1);
    expect(text.match(/a draft that/g)).toHaveLength(1);
    expect(text.match(/test-model/g)).toHaveLength(1);
  });

  it("writes nothing while nothing happens", async () => {
    await using ui = await startInterface();
    await ui.terminal.settled();
    const before = ui.terminal.written.length;
    await new Promise((resolve) => setTimeout(resolve, 300));
    expect(ui.terminal.written.length).toBe(before);
  });

  it("rewrites only the rows that changed", async () => {
    await using ui = await startInterface();
    ui.terminal.type("hello");
    await ui.shows("hello");
    const before = ui.terminal.written.length;
    ui.terminal.type("!");
    await ui.shows("hello!");
    expect(ui.terminal.written.length - before).toBeLessThan(80);
  });
});

describe("the first words", () => {
  it("are wrapped, not cut, on small screens", async () => {
    const words = "It asks two questions, starts a program, types into it, and reports.";
    await using ui = await startInterface([40, 15], { banner: [lineOf(words)] });
    const shown = await ui.shows("reports.");
    expect(shown.replace(/\s+/g, " ")).toContain(words);
    expect(shown).not.toContain("…");
  });
});

describe("messages", () => {
  it("Escape twice empties the draft, and the up key brings it back; a key between them counts anew", async () => {
    await using ui = await startInterface();
    const text = (wanted: string): Promise<string> =>
      until(
        () => ui.app.state.composer.field.text,
        (found) => found === wanted,
        `the draft is ${JSON.stringify(wanted)}`,
      );
    ui.terminal.type("draft");
    ui.terminal.type("\x1b");
    await ui.shows("press esc again to clear");
    ui.terminal.type("s");
    ui.terminal.type("\x1b");
    await until(
      () => ui.app.state.armed,
      (armed) => armed?.action === "clear",
    );
    expect(ui.app.state.composer.field.text).toBe("drafts");
    ui.terminal.type("\x1b");
    await text("");
    ui.terminal.type("\x1b[A");
    await text("drafts");
    expect(ui.server.requestsOf("turn/interrupt")).toEqual([]);
  });

  it.each([
    ["/statsu", "there is no command /statsu; did you mean /status?"],
    ["/zzz", "there is no command /zzz; / lists them"],
  ])("%s is no message", async (typed, hint) => {
    await using ui = await startInterface();
    ui.terminal.submit(typed);
    await ui.shows(hint);
    expect(ui.app.state.composer.field.text).toBe(typed);
    expect(ui.server.requestsOf("turn/start")).toEqual([]);
  });

  it("a path and a sentence behind a slash are messages", async () => {
    await using ui = await startInterface();
    for (const [index, typed] of ["/usr/bin is empty", "/tmp/x", "/why not"].entries()) {
      ui.terminal.submit(typed);
      await until(
        () => ui.server.requestsOf("turn/start").length + ui.server.requestsOf("turn/steer").length,
        (count) => count === index + 1,
        typed,
      );
    }
  });

  it("Enter steers the running turn, Tab queues for the next", async () => {
    await using ui = await startInterface();
    ui.terminal.submit("first");
    await until(
      () => ui.server.requestsOf("turn/start").length,
      (count) => count === 1,
    );
    ui.server.turnStarted();
    ui.terminal.submit("steer this");
    await until(
      () => ui.server.requestsOf("turn/steer").length,
      (count) => count === 1,
    );
    expect(ui.server.requestsOf("turn/steer")[0]).toMatchObject({
      expectedTurnId: "turn-1",
      input: [{ type: "text", text: "steer this" }],
    });
    ui.terminal.queue("later");
    await ui.shows("queued: later");
    ui.server.turnCompleted();
    await until(
      () => ui.server.requestsOf("turn/start").length,
      (count) => count === 2,
    );
    expect(ui.server.requestsOf("turn/start")[1]).toMatchObject({ input: [{ text: "later" }] });
  });

  it("a line that comes at once with its newline is a paste, unless bursts are switched off", async () => {
    await using ui = await startInterface();
    ui.terminal.type("look at this\r");
    await ui.shows("look at this");
    expect(ui.app.state.composer.field.text).toBe("look at this\n");
    ui.terminal.submit();
    await until(
      () => ui.server.requestsOf("turn/start").length,
      (count) => count === 1,
    );
    await using typing = await startInterface([80, 24], { pasteBursts: false });
    typing.terminal.type("look at this\r");
    await until(
      () => typing.server.requestsOf("turn/start").length,
      (count) => count === 1,
    );
  });

  it("a message that cannot be sent comes back complete, and says why", async () => {
    await using ui = await startInterface();
    ui.server.failures.set("turn/start", "the server is gone");
    ui.terminal.submit("\x1b[200~precious\nwords\x1b[201~");
    await ui.shows("Not sent: the server is gone");
    expect(ui.app.state.composer.field.text).toBe("precious\nwords");
  });

  it("queued messages are shown, can be edited, and come back complete when their turn cannot start", async () => {
    await using ui = await startInterface([60, 24]);
    const pasted = "long ".repeat(400);
    ui.server.turnStarted();
    ui.terminal.queue(`see \x1b[200~${pasted}\x1b[201~ please`);
    ui.terminal.queue("and then a message that is wider than the terminal by far, truly");
    const shown = await ui.shows("alt + ↑ to edit");
    expect(shown).toContain("⧗ queued: see [Pasted 2000 chars] please");
    ui.terminal.type("\x1b[1;3A");
    await until(
      () => ui.app.state.composer.field.text,
      (text) => text === "and then a message that is wider than the terminal by far, truly",
    );
    ui.terminal.queue("!");
    expect(ui.app.state.queue.map((draft) => draft.text.slice(-6))).toEqual(["please", "truly!"]);
    ui.server.failures.set("turn/start", "the disk is full");
    ui.server.turnCompleted();
    await ui.shows("Not sent: the disk is full");
    const { field } = ui.app.state.composer;
    expect(expandPastes(field).text).toBe(`see ${pasted} please`);
    // The one behind it still waits.
    expect(ui.app.state.queue.map((draft) => draft.text.slice(-6))).toEqual(["truly!"]);
  });

  it("queued messages return to the draft when the turn is interrupted", async () => {
    await using ui = await startInterface();
    ui.server.turnStarted();
    ui.terminal.queue("later");
    ui.terminal.type("\x1b");
    await until(
      () => ui.server.requestsOf("turn/interrupt").length,
      (count) => count === 1,
    );
    ui.server.turnCompleted("interrupted");
    await ui.shows("Interrupted.");
    expect(ui.app.state.composer.field.text).toBe("later");
  });
});

describe("approvals", () => {
  it.each([
    [80, 24],
    [40, 15],
  ] as const)(
    "at %dx%d the question and every choice are in sight, however long the command is",
    async (columns, rows) => {
      await using ui = await startInterface([columns, rows]);
      ui.server.turnStarted();
      ui.server.ask(0, "item/commandExecution/requestApproval", {
        itemId: "c",
        startedAtMs: 0,
        command: Array.from({ length: 12 }, (_, at) => `echo step number ${at} of a long command && \\`).join("\n"),
        cwd: "/home/ada/project",
        reason: "It has to reach the network.",
        proposedExecpolicyAmendment: ["echo"],
      });
      await ui.shows("Run this command?");
      const screen = await ui.terminal.screen();
      for (const words of [
        "Run this command?",
        "echo step number 0",
        "more lines (ctrl + o",
        "› 1. Yes, once (y)",
        "`echo`",
        "(n)",
        "(esc)",
        "enter to choose",
      ])
        expect(screen).toContain(words);
      await expect(screen).toMatchFileSnapshot(`golden/approval-long-${columns}x${rows}.txt`);
    },
  );

  it("show the command with control characters escaped and send the decision", async () => {
    await using ui = await startInterface();
    ui.server.turnStarted();
    ui.server.ask(0, "item/commandExecution/requestApproval", {
      itemId: "c",
      startedAtMs: 0,
      command: "/bin/bash -lc 'echo ok\u001b[2K\u0007; rm -rf build'",
      cwd: "/home/ada/project",
      reason: "Removes old files.",
      proposedExecpolicyAmendment: ["rm", "-rf"],
    });
    await ui.shows("Run this command?");
    await expect(await ui.terminal.screen()).toMatchFileSnapshot("golden/approval-80x24.txt");
    ui.terminal.type("p");
    const result = await until(
      () => ui.server.answers[0]?.result,
      (answer) => answer !== undefined,
    );
    expect(result).toEqual({ decision: { acceptWithExecpolicyAmendment: { execpolicy_amendment: ["rm", "-rf"] } } });
    await ui.shows("allowed, with the rule");
  });
});
