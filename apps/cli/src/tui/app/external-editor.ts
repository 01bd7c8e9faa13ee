/** Writes the draft with the person's own editor ($VISUAL, $EDITOR). */
import { spawn } from "node:child_process";
import { mkdtemp, readFile, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import path from "node:path";
import { withDraft } from "../composer/composer.js";
import { expandPastes } from "../text-field/text-field.js";
import type { AppContext } from "./app-context.js";

export async function editExternally(app: AppContext): Promise<void> {
  const editor = process.env.VISUAL || process.env.EDITOR;
  if (!editor) throw new Error("Set VISUAL or EDITOR to write the draft with an editor.");
  const folder = await mkdtemp(path.join(tmpdir(), "turnkit-draft-"));
  try {
    const file = path.join(folder, "draft.md");
    await writeFile(file, expandPastes(app.state.composer.field).text, { mode: 0o600 });
    const code = await app.suspend(
      () =>
        new Promise<number | null>((resolve, reject) => {
          // Through a shell, because editors are commonly given with arguments.
          const child = spawn("/bin/sh", ["-c", `${editor} "$1"`, "sh", file], { stdio: "inherit" });
          child.on("error", reject);
          child.on("exit", resolve);
        }),
    );
    if (code !== 0) throw new Error(`The editor ended with ${code ?? "a signal"}; the draft is unchanged.`);
    const text = (await readFile(file, "utf8")).replace(/\n+$/, "");
    app.update({ ...app.state, composer: withDraft(app.state.composer, { text, elements: [] }) });
  } finally {
    await rm(folder, { recursive: true, force: true });
  }
}
