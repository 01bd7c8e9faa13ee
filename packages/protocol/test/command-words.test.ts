import { execFileSync } from "node:child_process";
import fc from "fast-check";
import { expect, it } from "vitest";
import { joinCommandWords } from "../src/app/convert/command-text.js";

it.each([
  [["/bin/bash", "-lc", "/bin/sh"], "/bin/bash -lc /bin/sh"],
  [["/bin/bash", "-lc", "echo ready; sleep 60"], "/bin/bash -lc 'echo ready; sleep 60'"],
  [["/bin/bash", "-lc", "echo it's"], '/bin/bash -lc "echo it\'s"'],
  [["/bin/bash", "-lc", 'printf "a\\n"'], '/bin/bash -lc "printf \\"a\\\\n\\""'],
  [["/bin/bash", "-lc", 'grep "^x"; tty'], "/bin/bash -lc 'grep \"''^x\"; tty'"],
  [["a", ""], "a ''"],
  [["rm", "-rf", "é"], "rm -rf 'é'"],
])("joins %j", (argv, line) => {
  expect(joinCommandWords(argv)).toBe(line);
});

it("is read back by a shell as the same words", () => {
  const word = fc.string({ unit: "grapheme-ascii", maxLength: 12 }).filter((text) => !text.includes("\0"));
  fc.assert(
    fc.property(fc.array(word, { minLength: 1, maxLength: 6 }), (argv) => {
      const printed = execFileSync("/bin/sh", ["-c", `printf '%s\\0' ${joinCommandWords(argv)}`], { encoding: "utf8" });
      expect(printed.split("\0").slice(0, -1)).toEqual(argv);
    }),
    { numRuns: 20 },
  );
});
