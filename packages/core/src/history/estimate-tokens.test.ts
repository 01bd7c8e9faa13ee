import type { ResponseItem } from "@turnkit/protocol";
import { expect, test } from "vitest";
import { estimateTokens } from "./estimate-tokens.js";

const user = (...content: Extract<ResponseItem, { type: "message" }>["content"]): ResponseItem => ({
  type: "message",
  role: "user",
  content,
});

test("four bytes are a token, rounded up for each text", () => {
  expect(estimateTokens("", [])).toBe(0);
  expect(estimateTokens("12345", [])).toBe(2);
  const item = user({ type: "input_text", text: "ä".repeat(100) });
  expect(estimateTokens("12345", [item])).toBe(2 + Math.ceil(Buffer.byteLength(JSON.stringify(item)) / 4));
});

test("an image counts the same, however many bytes it has", () => {
  const image = (bytes: number) =>
    user({ type: "input_image", image_url: `data:image/png;base64,${"A".repeat(bytes)}` });
  expect(estimateTokens("", [image(1_000_000)])).toBe(estimateTokens("", [image(4)]));
  expect(estimateTokens("", [image(4)])).toBeGreaterThan(1_000);
});
