import { mkdtempSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import path from "node:path";
import { removeFolder } from "@turnkit/tooling-vitest/remove-folder";
import { expect, it } from "vitest";
import { startInterface } from "./support/interface.js";

class Folder implements AsyncDisposable {
  readonly path = mkdtempSync(path.join(tmpdir(), "turnkit-images-"));
  write(name: string): string {
    const file = path.join(this.path, name);
    writeFileSync(file, "");
    return file;
  }
  async [Symbol.asyncDispose](): Promise<void> {
    await removeFolder(this.path);
  }
}

it("a pasted path of an image that is there becomes an attachment, several become several", async () => {
  await using folder = new Folder();
  const [one, two] = [folder.write("my shot.png"), folder.write("b.jpg")];
  await using ui = await startInterface();
  ui.terminal.type(`\x1b[200~'${one}' ${two}\x1b[201~`);
  await ui.shows("[Image #1] [Image #2]");
  expect(ui.app.state.composer.field.elements.map((element) => element.payload)).toEqual([
    { kind: "image", path: one },
    { kind: "image", path: two },
  ]);
});

it("finds a file whose accents or spaces the terminal wrote in another form", async () => {
  await using folder = new Folder();
  const file = folder.write("cafe\u0301 9.41\u202fAM.png");
  await using ui = await startInterface();
  ui.terminal.type(`\x1b[200~'${folder.path}/caf\u00e9 9.41 AM.png'\x1b[201~`);
  await ui.shows("[Image #1]");
  expect(ui.app.state.composer.field.elements[0]?.payload).toEqual({ kind: "image", path: file });
});

it("a path where nothing is stays text", async () => {
  await using ui = await startInterface();
  ui.terminal.type("\x1b[200~/nowhere/at all.png\x1b[201~");
  await ui.shows("/nowhere/at all.png");
  expect(ui.app.state.composer.field.elements).toEqual([]);
});
