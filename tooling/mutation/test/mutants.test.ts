// Which changes are made to a piece of source, and that they are what they say.
import { expect, test } from "vitest";
import { apply, mutantsOf } from "../src/mutants.mjs";

/** Every change of a text as the text it makes. */
const made = (text: string) => mutantsOf("example.ts", text).map((mutant) => apply(mutant, text));

test.each([
  ["f(a < b);", ["f(a <= b);", ";"]],
  ["f(a >= b);", ["f(a > b);", ";"]],
  ["f(a === b);", ["f(a !== b);", ";"]],
  ["f(a && b);", ["f(a || b);", ";"]],
  ["f(a ?? b);", ["f(a && b);", ";"]],
  ["f(!a);", ["f(a);", ";"]],
  ["a += 1;", ["a -= 1;", "a += 2;", ";"]],
  ["a ??= b;", ["a = b;", ";"]],
  ["const x = a ? b : c;", ["const x = !(a) ? b : c;"]],
  ["const x = Math.min(a, b);", ["const x = Math.max(a, b);"]],
  ["const x = a.some(f);", ["const x = a.every(f);"]],
  ['const x = "a";', ['const x = "";']],
  ['const x = "";', ['const x = "changed";']],
  ["const x = `a b`;", ["const x = ``;"]],
  ["const x = { key: true };", ["const x = { key: false };"]],
  ["if (a) return;", ["if (!(a)) return;", "if (a) ;"]],
  ["if (!a) b();", ["if (a) b();", "if (!a) ;"]],
  ["for (;;) break;", ["for (;;) ;"]],
])("%s", (text, expected) => {
  // A return outside of a function cannot be read.
  const inside = text.includes("return") ? (line: string) => `function f() { ${line} }` : (line: string) => line;
  expect(made(inside(text)).sort()).toEqual(expected.map(inside).sort());
});

test.each([
  'import a from "a";',
  'export * from "b";',
  'type A = "x" | 1;',
  'interface A { readonly a: "x" }',
  'class A extends Error { override readonly name = "A"; }',
  '"use strict";',
  "const x = a;",
])("%s decides nothing", (text) => {
  expect(made(text)).toEqual([]);
});

test("positions are those of the text, whatever characters come before", () => {
  const text = 'const é = "😀";\nf(x as Y<"z">, 1);';
  expect(made(text)).toEqual([
    'const é = "";\nf(x as Y<"z">, 1);',
    'const é = "😀";\n;',
    'const é = "😀";\nf(x as Y<"z">, 2);',
  ]);
  expect(mutantsOf("example.ts", text).map(({ line, lineText }) => [line, lineText])).toEqual([
    [1, 'const é = "😀";'],
    [2, 'f(x as Y<"z">, 1);'],
    [2, 'f(x as Y<"z">, 1);'],
  ]);
});

test("what cannot be read is an error", () => {
  expect(() => mutantsOf("example.ts", "const = 1")).toThrow("example.ts cannot be read");
});
