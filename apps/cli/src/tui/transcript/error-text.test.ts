import { expect, it } from "vitest";
import { errorText } from "./error-text.js";

it.each([
  ["plain words", "plain words"],
  ['{"error":{"message":"Too many wishes."}}', "Too many wishes."],
  [
    'unexpected status 400: {"error":{"message":"Too many wishes.","code":1}}',
    "unexpected status 400: Too many wishes.",
  ],
  ['{"detail":"No such model"}', "No such model"],
  ['{"error":"bad key"}', "bad key"],
  ['{"error":{"message":""}}', '{"error":{"message":""}}'],
  ['{"code":7}', '{"code":7}'],
  ["a set {1, 2}", "a set {1, 2}"],
  ["{", "{"],
])("%s", (message, text) => {
  expect(errorText(message)).toBe(text);
});
