import { expect, test } from "vitest";
import { forbiddenText } from "../src/forbidden-text.mjs";

test.each([
  ["the address of a package registry", `https://registry.npm${"js"}.org/x`],
  ["a path of one machine", `see /wo${"rk"}/main/x`],
  ["a path outside of the repository", `../sha${"red"}/design`],
  ["the number of an issue", `fixes issue ${"#"}12`],
  ["the number of an issue", `seen in owner/name${"#"}345`],
  ["unfinished work", `// TO${"DO"}: later`],
  ["unfinished work", `throw new Error("not imple${"mented"}")`],
  ["a skipped or singled-out test", `test.${"skip"}("x", () => {})`],
])("%s", (what, line) => {
  expect(forbiddenText(`fine\n${line}`)).toEqual([`:2: ${what}: ${line}`]);
});

test("ordinary text passes", () => {
  expect(forbiddenText("an issue with # signs, <uuid#1>, test.each([1])\nhttps://example.test/a/b#section")).toEqual(
    [],
  );
});
