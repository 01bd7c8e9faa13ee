import { expect, it } from "vitest";
import { uuidProblem } from "./thread-id.js";

it.each([
  "01a22db4-eb18-7a30-b419-aa902ae17000",
  "01a22db4eb187a30b419aa902ae17000",
  "urn:uuid:01a22db4-eb18-7a30-b419-aa902ae17000",
])("accepts %s", (id) => {
  expect(uuidProblem(id)).toBeNull();
});

it.each([
  [
    "not-a-uuid",
    "invalid character: expected an optional prefix of `urn:uuid:` followed by [0-9a-fA-F-], found `n` at 1",
  ],
  ["zzz", "invalid character: expected an optional prefix of `urn:uuid:` followed by [0-9a-fA-F-], found `z` at 1"],
  ["abc", "invalid length: expected length 32 for simple format, found 3"],
  ["ab-cd", "invalid group count: expected 5, found 2"],
])("says what is wrong with %s", (id, problem) => {
  expect(uuidProblem(id)).toBe(problem);
});
