import type { ResponseItem } from "@turnkit/protocol";
import { describe, expect, it } from "vitest";
import { errorOfStatus } from "../model/model-error.js";
import { History } from "./history.js";

const image = { type: "input_image", image_url: "data:image/png;base64,AA==", detail: "high" } as const;
const text = (value: string) => ({ type: "input_text", text: value }) as const;
const user = (...content: (typeof image | ReturnType<typeof text>)[]): ResponseItem => ({
  type: "message",
  role: "user",
  content,
});
const answer: ResponseItem = { type: "message", role: "assistant", content: [{ type: "output_text", text: "ok" }] };

describe("images that a provider refuses", () => {
  it("are replaced where no model has answered yet, in messages and in outputs", () => {
    const call: ResponseItem = { type: "function_call", call_id: "c", name: "view_image", arguments: "{}" };
    const output: ResponseItem = { type: "function_call_output", call_id: "c", output: [image] };
    const history = new History([user(text("old"), image), answer, user(text("new"), image), call, output]);
    const before = [...history.items];
    const items = history.withoutUnansweredImages("gone");
    expect(items).toEqual([
      user(text("old"), image),
      answer,
      user(text("new"), text("gone")),
      call,
      { ...output, output: [text("gone")] },
    ]);
    expect(history.items).toEqual(before);
    expect(new History(items).withoutUnansweredImages("gone")).toBeUndefined();
  });

  it("are known by the provider's words", () => {
    const refused = (status: number, body: string) => errorOfStatus(status, body, undefined).refusesImage;
    expect(refused(400, '{"error":{"message":"The image data you provided does not represent a valid image"}}')).toBe(
      true,
    );
    expect(refused(400, '{"error":{"message":"unknown parameter"}}')).toBe(false);
    expect(refused(500, "image")).toBe(false);
  });
});
