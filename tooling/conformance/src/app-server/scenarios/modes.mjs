// @ts-check
// Collaboration modes as a client sends them.
const settings = { model: "gpt-5.4", reasoning_effort: null, developer_instructions: null };

export const planMode = { mode: "plan", settings };
export const defaultMode = { mode: "default", settings };
