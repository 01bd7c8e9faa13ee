import type { ContentItem, ResponseItem } from "@turnkit/protocol";
import { expect, test } from "vitest";
import { userWords } from "./user-words.js";

const said = (...content: readonly (string | ContentItem)[]): ResponseItem => ({
  type: "message",
  role: "user",
  content: content.map((part) => (typeof part === "string" ? { type: "input_text", text: part } : part)),
});
const image: ContentItem = { type: "input_image", image_url: "data:image/png;base64,AA==" };

test("only a person's words, without the names of attachments", () => {
  const label = '<image name=[Image #1] path="/a.png">';
  const history = [
    said("# AGENTS.md instructions for /p"),
    said("<environment_context><cwd>/p</cwd></environment_context>"),
    said("look ", label, image, "</image>", "here"),
    said(image),
    { type: "message", role: "assistant", content: [{ type: "output_text", text: "answer" }] } as ResponseItem,
    said(`${label} as text`, "</image>"),
    said("what was done"),
  ];
  expect(userWords(history, ["what was done"])).toEqual(["look here", "", `${label} as text</image>`]);
});
