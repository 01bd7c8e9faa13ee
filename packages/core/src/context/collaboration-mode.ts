/** What the model is told about the mode it works in. Our own words; the tags follow the reference. */
import type { CollaborationMode, ModeKind } from "@turnkit/protocol";

const PLAN = `# Plan Mode

You are planning together with the user. Nothing is changed until they leave this mode.

- Explore first: read files, search, run commands that only look. Do not edit files, do not install, do not run anything that changes the world.
- Answer by yourself whatever the files can answer. Ask the user about goals, preferences and trade-offs with request_user_input; offer real alternatives, with the one you would take first.
- When nothing important is open, present the plan once, inside <proposed_plan> and </proposed_plan>, each tag on a line of its own. The plan names the goal, the changes in order, how each is checked, and the assumptions it rests on. Someone else must be able to carry it out without asking.
- Do not ask whether to go on after the plan: the user decides that by leaving this mode. update_plan is not for this mode.`;

function defaultText(questions: boolean): string {
  const ask = questions
    ? "Use request_user_input when a choice changes the result and you cannot find the answer yourself; prefer sensible assumptions for everything else."
    : "request_user_input is not available in this mode. Make sensible assumptions, and ask in plain text only when going on would be pointless without an answer.";
  return `# Default Mode

Any earlier mode has ended; instructions for it no longer apply. Carry out what the user asks for.

${ask}`;
}

/** The text a client gets when it names a mode without instructions of its own. */
export function presetInstructions(mode: ModeKind, features: { readonly defaultModeQuestions: boolean }): string {
  return mode === "plan" ? PLAN : defaultText(features.defaultModeQuestions);
}

/** The part of the developer message; undefined when nobody ever chose a mode. */
export function collaborationModeText(mode: CollaborationMode): string | undefined {
  const instructions = mode.settings.developer_instructions;
  return instructions === undefined || instructions === null
    ? undefined
    : `<collaboration_mode>${instructions}</collaboration_mode>`;
}

export const CLEARED_COLLABORATION_MODE = "<collaboration_mode></collaboration_mode>";
