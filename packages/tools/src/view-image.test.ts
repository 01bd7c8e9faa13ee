import { mkdir, mkdtemp, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join, resolve } from "node:path";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { nodeFileSystem } from "./node/index.js";
import type { CallContext, ToolTurn } from "./tool.js";
import { createViewImageTool } from "./view-image.js";

let folder: string;
let viewed: string[];

beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), "view-image-"));
  viewed = [];
});
afterEach(() => rm(folder, { recursive: true }));

async function view(args: unknown, modelSeesImages = true) {
  const turn: ToolTurn = { id: "t", mode: "default", cwd: folder, isRootThread: true, outputTokenLimit: 10_000 };
  const context: CallContext = { turn, signal: new AbortController().signal, emit: () => {} };
  const tool = createViewImageTool({
    files: nodeFileSystem,
    resolvePath: resolve,
    modelSeesImages: () => modelSeesImages,
    viewed: (_, callId, path) => viewed.push(`${callId} ${path}`),
    prepare: async (bytes, _, detail) => `data:${detail},${bytes.length}`,
  });
  const payload = { kind: "function", arguments: JSON.stringify(args) } as const;
  return await tool.run({ callId: "call", name: "view_image", payload }, context);
}

describe("view_image", () => {
  it("returns the image and reports that it was looked at", async () => {
    await writeFile(join(folder, "a.png"), "12345");
    const output = await view({ path: "a.png" });
    expect(output.body).toEqual([{ type: "input_image", image_url: "data:high,5", detail: "high" }]);
    expect(viewed).toEqual([`call ${join(folder, "a.png")}`]);
    const original = await view({ path: "a.png", detail: "original" });
    expect(original.body).toEqual([{ type: "input_image", image_url: "data:original,5", detail: "original" }]);
  });

  it("names what is wrong", async () => {
    await mkdir(join(folder, "dir"));
    await writeFile(join(folder, "a.png"), "");
    await expect(view({ path: "/no/such.png" })).rejects.toThrow(
      "unable to locate image at `/no/such.png`: No such file or directory (os error 2)",
    );
    await expect(view({ path: "dir" })).rejects.toThrow(`image path \`${join(folder, "dir")}\` is not a file`);
    await expect(view({ path: "/dev/zero" })).rejects.toThrow("image path `/dev/zero` is not a file");
    await expect(view({ path: "a.png", detail: "low" })).rejects.toThrow(
      "view_image.detail only supports `high` or `original`; omit `detail` for default high resized behavior, got `low`",
    );
    await expect(view({})).rejects.toThrow("missing field `path`");
    await expect(view({ path: "a.png" }, false)).rejects.toThrow(
      "view_image is not allowed because you do not support image inputs",
    );
    expect(viewed).toEqual([]);
  });
});
