import xterm from "@xterm/headless";
import { describe, expect, test } from "vitest";
import { InlineScreen } from "./inline-screen.js";
import { type Line, paletteFromEnvironment, plain } from "./style.js";

const size = { columns: 20, rows: 8 };
const line = (text: string): Line => [plain(text)];

function screen() {
  const terminal = new xterm.Terminal({ cols: size.columns, rows: size.rows, allowProposedApi: true });
  let written = Promise.resolve();
  const inline = new InlineScreen(
    (text) => {
      written = written.then(() => new Promise((resolve) => terminal.write(text, resolve)));
    },
    paletteFromEnvironment({ NO_COLOR: "1" }),
  );
  const rows = async () => {
    await written;
    const { buffer } = terminal;
    return Array.from(
      { length: size.rows },
      (_, row) => buffer.active.getLine(row)?.translateToString(true) ?? "",
    ).filter((text) => text !== "");
  };
  return { inline, rows };
}

describe("a line that fills its row to the last cell", () => {
  const full = "abcdefghijklmnopqrst";

  test.each([
    ["when it is drawn", [[full, "second"]]],
    ["as the last line", [["first", full]]],
    [
      "when it replaces another",
      [
        ["first", "second"],
        [full, full],
      ],
    ],
    ["when it is added", [["first"], ["first", full]]],
    ["when a shorter screen follows", [["first", "second", "third"], [full]]],
  ])("keeps its last cell %s", async (_name, frames) => {
    const { inline, rows } = screen();
    for (const frame of frames) inline.draw({ commit: [], live: frame.map(line), cursor: null }, size);
    expect(await rows()).toEqual(frames.at(-1));
  });

  test("keeps its last cell in the scrollback", async () => {
    const { inline, rows } = screen();
    inline.draw({ commit: [], live: [line("asking")], cursor: null }, size);
    inline.draw({ commit: [line(full)], live: [line("done")], cursor: null }, size);
    expect(await rows()).toEqual([full, "done"]);
  });
});

test("a shorter line leaves nothing of the longer one", async () => {
  const { inline, rows } = screen();
  inline.draw({ commit: [], live: [line("a long line"), line("below")], cursor: null }, size);
  inline.draw({ commit: [], live: [line("short"), line("below")], cursor: null }, size);
  expect(await rows()).toEqual(["short", "below"]);
});
