import { describe, expect, it } from "vitest";
import { type RunningInterface, startInterface } from "./support/interface.js";
import { until } from "./support/virtual-terminal.js";

const file = (path: string, match_type = "file"): Record<string, unknown> => ({
  root: "/home/ada/project",
  path,
  match_type,
  file_name: path.split("/").at(-1),
  score: 1,
  indices: null,
});

const FILES = [
  file("src", "directory"),
  file("src/main.ts"),
  file("packages/a-very-long-name/of-a-package/src/deep/in/the/tree/main.test.ts"),
  file("docs/my notes.md"),
  file("art/logo.png"),
  ...Array.from({ length: 9 }, (_, index) => file(`more/main-${index}.ts`)),
];

const searched = (ui: RunningInterface, query: string): Promise<unknown> =>
  until(
    () => ui.server.requestsOf("fuzzyFileSearch").map((params) => params.query),
    (queries) => queries.includes(query),
    `a search for ${query}`,
  );

describe.each([
  [80, 24],
  [40, 15],
] as const)("at %dx%d", (columns, rows) => {
  it("files and skills are listed under the draft", async () => {
    await using ui = await startInterface([columns, rows]);
    ui.server.results.set("fuzzyFileSearch", { files: FILES });
    ui.server.results.set("skills/list", {
      data: [
        {
          cwd: "/home/ada/project",
          errors: [],
          skills: [
            {
              name: "release",
              description: "Publishes the packages\nand says so.",
              path: "/s",
              scope: "repo",
              enabled: true,
            },
            { name: "off", description: "Not for use.", path: "/o", scope: "repo", enabled: false },
          ],
        },
      ],
    });
    ui.terminal.type("look at @m");
    await ui.shows("main.test.ts");
    ui.terminal.type("\x1b[B\x1b[B");
    await ui.shows("3 of");
    await expect(await ui.terminal.screen()).toMatchFileSnapshot(`golden/completion-files-${columns}x${rows}.txt`);
    ui.terminal.type("\x1b");
    await until(
      () => ui.terminal.screen(),
      (screen) => screen.includes("test-model"),
      "the list is closed",
    );
    ui.terminal.type("\x15");
    ui.terminal.type("use $");
    await ui.shows("$release");
    await expect(await ui.terminal.screen()).toMatchFileSnapshot(`golden/completion-skills-${columns}x${rows}.txt`);
  });
});

describe("completion", () => {
  it("asks the server for the folder of the thread, and puts the choice into the message", async () => {
    await using ui = await startInterface();
    ui.server.results.set("fuzzyFileSearch", { files: [file("src/main.ts")] });
    ui.terminal.type("read @ma");
    await ui.shows("› src/main.ts");
    expect(ui.server.requestsOf("fuzzyFileSearch").at(-1)).toMatchObject({ query: "ma", roots: ["/home/ada/project"] });
    ui.terminal.submit();
    await ui.shows("read src/main.ts");
    ui.terminal.submit();
    const [turn] = await until(
      () => ui.server.requestsOf("turn/start"),
      (list) => list.length === 1,
    );
    expect(turn).toMatchObject({ input: [{ type: "text", text: "read src/main.ts" }] });
  });

  it("asks one question at a time, and ignores an answer that was overtaken", async () => {
    await using ui = await startInterface();
    let first: (files: unknown) => void = () => {};
    ui.server.results.set("fuzzyFileSearch", new Promise((resolve) => (first = resolve)));
    ui.terminal.type("@a");
    await searched(ui, "a");
    ui.server.results.set("fuzzyFileSearch", { files: [file("abc.ts")] });
    ui.terminal.type("bc");
    await ui.terminal.settled();
    expect(ui.server.requestsOf("fuzzyFileSearch")).toHaveLength(1);
    first({ files: [file("old/abc.ts")] });
    const text = await ui.shows("› abc.ts");
    expect(text).not.toContain("old/abc.ts");
    expect(ui.server.requestsOf("fuzzyFileSearch").map((params) => params.query)).toEqual(["a", "abc"]);
  });

  it("says that no file matches, and Enter then sends", async () => {
    await using ui = await startInterface();
    ui.server.results.set("fuzzyFileSearch", { files: [] });
    ui.terminal.type("ask @ada");
    await ui.shows("no file matches");
    ui.terminal.submit();
    await until(
      () => ui.server.requestsOf("turn/start").length,
      (count) => count === 1,
    );
  });

  it("asks a server that knows no search once, and is silent about it", async () => {
    await using ui = await startInterface();
    ui.server.results.set("fuzzyFileSearch", Object.assign(new Error("method not found"), { code: -32601 }));
    ui.terminal.type("@a");
    await searched(ui, "a");
    // The refusal has been heard.
    await ui.terminal.settled();
    ui.terminal.submit("bc");
    await until(
      () => ui.server.requestsOf("turn/start").length,
      (count) => count === 1,
    );
    expect(ui.server.requestsOf("fuzzyFileSearch")).toHaveLength(1);
    expect(await ui.terminal.text()).not.toContain("method not found");
  });
});
