import { chmodSync, existsSync, mkdtempSync, readFileSync, statSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import path from "node:path";
import { removeFolder } from "@turnkit/tooling-vitest/remove-folder";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { startInterface } from "./support/interface.js";
import { until } from "./support/virtual-terminal.js";

const PNG = "iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg==";
const CTRL_V = "\x16";

/** A folder that is the whole PATH while a test runs, with programs made of shell built-ins. */
let folder: string;
const path0 = process.env.PATH;

beforeEach(() => {
  folder = mkdtempSync(path.join(tmpdir(), "turnkit-path-"));
  writeFileSync(path.join(folder, "image"), Buffer.from(PNG, "base64"));
  process.env.PATH = folder;
});
afterEach(async () => {
  process.env.PATH = path0;
  await removeFolder(folder);
});

function program(name: string, script: string): void {
  const file = path.join(folder, name);
  writeFileSync(file, `#!/bin/sh\nexec 2>>${folder}/errors\nprintf '%s\\n' "$*" >> ${folder}/calls\n${script}\n`);
  chmodSync(file, 0o755);
}

const give = 'PATH=/usr/bin:/bin exec cat "${0%/*}/image"';

describe("Ctrl-V", () => {
  it.each([
    [
      "wl-paste",
      `case "$*" in *--list-types*) printf 'text/plain\\nimage/png\\n';; *"--type image/png"*) ${give};; esac`,
    ],
    ["xclip", `case "$*" in *TARGETS*) printf 'TARGETS\\nimage/png\\n';; *image/png*) ${give};; esac`],
    ["pngpaste", give],
    ["powershell.exe", `printf '%s\\r\\n' '${PNG}'`],
  ])("attaches the image that %s gives, from a private file that goes away", async (name, script) => {
    program(name, script);
    let file: string;
    {
      await using ui = await startInterface();
      ui.terminal.type("see ");
      ui.terminal.type(CTRL_V);
      await ui.shows("see [Image #1]");
      ui.terminal.submit();
      const [turn] = await until(
        () => ui.server.requestsOf("turn/start"),
        (list) => list.length === 1,
      );
      const input = turn?.input as { type: string; path: string }[] | undefined;
      file = input?.[0]?.path ?? "";
      expect(input).toMatchObject([{ type: "localImage" }, { type: "text", text: "see [Image #1]" }]);
      expect(readFileSync(file)).toEqual(Buffer.from(PNG, "base64"));
      expect(statSync(file).mode & 0o777).toBe(0o600);
      expect(statSync(path.dirname(file)).mode & 0o777).toBe(0o700);
    }
    expect(existsSync(path.dirname(file))).toBe(false);
  });

  it("asks the next program when one fails, and takes a format that the clipboard has", async () => {
    program("wl-paste", "exit 1");
    program("xclip", `case "$*" in *TARGETS*) printf 'image/jpeg\\n';; *image/jpeg*) ${give};; esac`);
    await using ui = await startInterface();
    ui.terminal.type(CTRL_V);
    await ui.shows("[Image #1]");
    expect(ui.app.state.composer.field.elements[0]?.payload).toMatchObject({ path: expect.stringMatching(/\.jpg$/) });
  });

  it("says that the clipboard holds no image", async () => {
    program("wl-paste", "printf 'text/plain\\n'");
    await using ui = await startInterface();
    ui.terminal.type(CTRL_V);
    await ui.shows("the clipboard holds no image");
    expect(ui.app.state.composer.field.text).toBe("");
  });

  it("says what is missing when nothing can read the clipboard", async () => {
    await using ui = await startInterface();
    ui.terminal.type(CTRL_V);
    await ui.shows(/needs wl-paste, xclip or\s+pngpaste/);
  });
});
