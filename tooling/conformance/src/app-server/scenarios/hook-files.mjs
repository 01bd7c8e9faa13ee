// @ts-check
// Hook programs that act on words in what they are given.
import { writeFileSync } from "node:fs";
import path from "node:path";

/** Runs before `body`; `input` is the hook's input and `print` writes its answer. */
const preamble = `import { readFileSync } from "node:fs";
const input = JSON.parse(readFileSync(0, "utf8"));
const print = (answer) => console.log(JSON.stringify(answer));
`;

const bodies = {
  UserPromptSubmit: `
const prompt = input.prompt ?? "";
if (prompt.includes("BLOCK")) print({ decision: "block", reason: "prompt blocked by probe" });
else if (prompt.includes("EXIT2")) {
  console.error("exit two reason");
  process.exit(2);
} else if (prompt.includes("STOP")) print({ continue: false, stopReason: "stopped by probe" });
else if (prompt.includes("CTX"))
  print({ hookSpecificOutput: { hookEventName: "UserPromptSubmit", additionalContext: "extra ctx from hook" } });
else if (prompt.includes("FAIL")) {
  console.error("boom");
  process.exit(7);
}
`,
  PreToolUse: `
const text = JSON.stringify(input.tool_input ?? {});
const decide = (decision) => print({ hookSpecificOutput: { hookEventName: "PreToolUse", ...decision } });
const option = { label: "y", description: "yes" };
const rewritten = { questions: [{ id: "rw", header: "RW", question: "Rewritten?", options: [option] }] };
if (text.includes("DENYME")) decide({ permissionDecision: "deny", permissionDecisionReason: "denied by probe" });
else if (text.includes("EXIT2")) {
  console.error("pre exit two");
  process.exit(2);
} else if (text.includes("REWRITE"))
  decide({
    permissionDecision: "allow",
    updatedInput: input.tool_name === "Bash" ? { command: "echo rewritten" } : rewritten,
  });
`,
  PostToolUse: `
const text = JSON.stringify(input);
if (text.includes("POSTBLOCK")) print({ decision: "block", reason: "post blocked by probe" });
else if (text.includes("POSTCTX"))
  print({ hookSpecificOutput: { hookEventName: "PostToolUse", additionalContext: "post ctx" } });
`,
};

/** Writes hooks.json with one hook for each of the three events. @param {import("../scene.mjs").Scene} scene */
export function writeHooks({ home }) {
  /** The reference names hooks in its recordings by these files. */
  const files = { UserPromptSubmit: "ups.mjs", PreToolUse: "pre.mjs", PostToolUse: "post.mjs" };
  const hooks = Object.entries(bodies).map(([event, body]) => {
    const file = path.join(home, files[/** @type {keyof typeof files} */ (event)]);
    writeFileSync(file, preamble + body);
    const matcher = event === "UserPromptSubmit" ? {} : { matcher: ".*" };
    return [event, [{ ...matcher, hooks: [{ type: "command", command: `node ${file}` }] }]];
  });
  writeFileSync(path.join(home, "hooks.json"), JSON.stringify({ hooks: Object.fromEntries(hooks) }));
}
