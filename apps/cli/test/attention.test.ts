import { existsSync, mkdtempSync, readFileSync } from "node:fs";
import { tmpdir } from "node:os";
import path from "node:path";
import { removeFolder } from "@turnkit/tooling-vitest/remove-folder";
import { describe, expect, it } from "vitest";
import { startInterface } from "./support/interface.js";
import { until } from "./support/virtual-terminal.js";

const QUESTION = { id: "q", header: "Colour", question: "Which?", isOther: false, isSecret: false, options: null };

describe("a person who looks elsewhere", () => {
  it("is told by bell, notification, title and the configured program, once a question is there", async () => {
    const folder = mkdtempSync(path.join(tmpdir(), "turnkit-notify-"));
    const file = path.join(folder, "told");
    try {
      await using ui = await startInterface([80, 24], {
        notify: ["/bin/sh", "-c", 'printf %s "$1" > "$0.new" && mv "$0.new" "$0"', file],
      });
      ui.terminal.type("\x1b[O");
      ui.server.turnStarted();
      ui.server.ask(0, "item/tool/requestUserInput", {
        itemId: "c",
        questions: [QUESTION],
        isBlocking: true,
        autoResolutionMs: null,
      });
      await ui.shows("Which?");
      expect(ui.terminal.written).toContain("\x07\x1b]9;Colour\x07");
      await until(
        () => ui.terminal.written,
        (text) => text.includes("\x1b]0;● action required · turnkit · project\x07"),
      );
      await until(
        () => existsSync(file),
        (there) => there,
        "the notifier ran",
      );
      expect(readFileSync(file, "utf8")).toBe("Colour");
    } finally {
      await removeFolder(folder);
    }
  });

  it("is not told what is before their eyes", async () => {
    await using ui = await startInterface();
    ui.server.turnStarted();
    ui.server.ask(0, "item/tool/requestUserInput", {
      itemId: "c",
      questions: [QUESTION],
      isBlocking: true,
      autoResolutionMs: null,
    });
    await ui.shows("Which?");
    expect(ui.terminal.written).not.toContain("\x1b]9;");
  });
});
