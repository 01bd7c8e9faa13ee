import { describe, expect, it, test } from "vitest";
import { readRuleFile } from "./rule-file.js";

const one = (text: string) => {
  const { rules, problems } = readRuleFile(text);
  expect(problems).toEqual([]);
  expect(rules.length).toBe(1);
  return rules[0]!;
};
const rule = (pattern: readonly (readonly string[])[], decision = "allow", justification?: string) => ({
  pattern,
  decision,
  justification,
});

describe("a rule", () => {
  test.each([
    ['prefix_rule(pattern=["a", "b"], decision="allow")', rule([["a"], ["b"]])],
    ['prefix_rule(pattern = ["a"])', rule([["a"]])],
    ['prefix_rule(["a"])', rule([["a"]])],
    ['prefix_rule(["a"], "prompt")', rule([["a"]], "prompt")],
    ["prefix_rule(pattern=['a b', \"it's\"])", rule([["a b"], ["it's"]])],
    [
      'prefix_rule(\n    pattern = ["npm", ["run", "test"]],  # which\n    decision = "prompt",\n)\n',
      rule([["npm"], ["run", "test"]], "prompt"),
    ],
    ['prefix_rule(pattern=["a"], decision="forbidden", justification="no way")', rule([["a"]], "forbidden", "no way")],
    ['prefix_rule(pattern=["a"], match=[["a", "b"], "a c"], not_match=["b"])', rule([["a"]])],
    ['prefix_rule(pattern=["\\"q\\"", "\\\\"])', rule([['"q"'], ["\\"]])],
    ['TOOLS = ["x", "y"]\nprefix_rule(pattern=[TOOLS, "z"])', rule([["x", "y"], ["z"]])],
    ['# first\n\n\nprefix_rule(pattern=["a"]) # last', rule([["a"]])],
    ['host_executable(name="git", paths=["/usr/bin/git"])\nprefix_rule(pattern=["a"])', rule([["a"]])],
    ['prefix_rule(pattern=["a"], justification=None)\r\n', rule([["a"]])],
  ])("%j", (text, expected) => {
    expect(one(text)).toEqual(expected);
  });

  it("that cannot be read is a problem with its line, and costs no other", () => {
    const good = (name: string) => `prefix_rule(pattern=["${name}"])`;
    const bad: readonly (readonly [string, RegExp])[] = [
      ["nonsense(", /end of the statement/],
      ["prefix_rule(pattern=[])", /pattern must be a list of words/],
      ["prefix_rule()", /pattern must be a list of words/],
      ["prefix_rule(pattern=[3])", /pattern must be a list of texts/],
      ["prefix_rule(pattern=[[]])", /pattern must be a list of texts/],
      ['prefix_rule(pattern=["a"], decision="maybe")', /decision must be/],
      ["prefix_rule(pattern=UNKNOWN)", /UNKNOWN is not known/],
      ['prefix_rule(pattern=["a"', /end of the statement/],
      ['prefix_rule(pattern=["a"]) prefix_rule(pattern=["b"])', /unexpected "prefix_rule"/],
      ['prefix_rule(pattern=["a)', /unexpected "\\""/],
      ['prefix_rule(pattern=["a"] + ["b"])', /unexpected "\+"/],
      ["def f():\n    return 1", /unexpected ":"/],
      ['"only a text"', /unexpected "only a text"/],
    ];
    const text = bad.map(([source], at) => `${good(`good${at}`)}\n${source}`).join("\n");
    const { rules, problems } = readRuleFile(`${text}\n${good("last")}`);
    expect(rules.map(({ pattern }) => pattern[0]![0])).toEqual([...bad.keys()].map((at) => `good${at}`).concat("last"));
    for (const [at, [, words]] of bad.entries()) expect(problems[at]).toMatch(words);
    expect(problems.map((problem) => /^line (\d+): /.exec(problem)?.[1])).not.toContain(undefined);
    expect(readRuleFile(`\n\n${good("a")}\nnonsense(\n`).problems).toEqual(["line 4: unexpected end of the statement"]);
  });

  it("is read from a file of any size and of no size", () => {
    expect(readRuleFile("")).toEqual({ rules: [], problems: [] });
    expect(readRuleFile("# nothing\n   \n")).toEqual({ rules: [], problems: [] });
    expect(readRuleFile('prefix_rule(pattern=["a"])\n'.repeat(10_000)).rules.length).toBe(10_000);
  });
});
