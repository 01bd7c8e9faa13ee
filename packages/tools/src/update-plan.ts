/**
 * update_plan: the model's checklist, shown to the person as it changes. Not available in Plan mode.
 */
import { functionHookPayload, parseArguments, withFunctionArguments } from "./arguments.js";
import { RespondToModel, type Tool } from "./tool.js";

const NAME = "update_plan";
const STATUSES = ["pending", "in_progress", "completed"] as const;

const parameters = {
  type: "object",
  properties: {
    explanation: { type: "string", description: "Why the plan changed, when that is not obvious." },
    plan: {
      type: "array",
      description: "The whole plan, every step each time.",
      items: {
        type: "object",
        properties: {
          step: { type: "string", description: "What is done in this step." },
          status: { type: "string", description: "How far this step is.", enum: STATUSES },
        },
        required: ["step", "status"],
        additionalProperties: false,
      },
    },
  },
  required: ["plan"],
  additionalProperties: false,
} as const;

export function createUpdatePlanTool(): Tool {
  return {
    spec: {
      type: "function",
      name: NAME,
      description:
        "Keeps a checklist of the work for the user to follow. Send all steps every time; have at most one step in_progress.",
      strict: false,
      parameters,
    },
    exposure: "direct",
    supportsParallelCalls: false,
    isControl: true,
    accepts: (payload) => payload.kind !== "custom",
    preToolUse: functionHookPayload,
    withUpdatedInput: withFunctionArguments,
    async run(call, context) {
      if (call.payload.kind !== "function") throw new RespondToModel(`${NAME} handler received unsupported payload`);
      if (context.turn.mode === "plan")
        throw new RespondToModel(`${NAME} is a TODO/checklist tool and is not allowed in Plan mode`);
      const { explanation, plan } = parseArguments("UpdatePlanArgs", call.payload.arguments);
      const steps = plan.map(({ step, status }) => ({ step, status }));
      context.emit({ type: "plan_update", explanation: explanation ?? null, plan: steps });
      const text = "Plan updated";
      return { body: text, success: true, postToolUse: { ...functionHookPayload(call)!, toolResponse: text } };
    },
  };
}
