/** Declarations of hooks: `hooks.json` and the `[hooks]` table of a configuration. Closed where members are acted on. */
import { type Static, Type } from "typebox";
import { closed, closedTaggedUnion, maybe, open } from "../define.js";

const count = maybe(Type.Integer({ minimum: 0 }));

/** Only commands are run; the other kinds are understood and skipped, whatever they hold. */
export const HookHandler = closedTaggedUnion(
  "HookHandler",
  "type",
  {
    command: {
      command: Type.String(),
      commandWindows: Type.Optional(Type.Unknown()),
      /** Seconds. */
      timeout: count,
      async: Type.Optional(Type.Boolean()),
      statusMessage: maybe(Type.String()),
      /** Tokens of context that may reach the model; 0: any number. */
      additionalContextLimit: count,
    },
    mcp_tool: {},
    prompt: {},
    agent: {},
  },
  ["mcp_tool", "prompt", "agent"],
);
export type HookHandler = Static<typeof HookHandler>;

/** Handlers for what one matcher matches. */
export const HookGroup = open("HookGroup", { matcher: maybe(Type.String()), hooks: Type.Array(HookHandler) });
export type HookGroup = Static<typeof HookGroup>;

const groups = Type.Optional(Type.Array(HookGroup));

export const HooksTable = closed("HooksTable", {
  PreToolUse: groups,
  PermissionRequest: groups,
  PostToolUse: groups,
  PreCompact: groups,
  PostCompact: groups,
  SessionStart: groups,
  SessionEnd: groups,
  UserPromptSubmit: groups,
  SubagentStart: groups,
  SubagentStop: groups,
  Stop: groups,
  Interrupt: groups,
  /** What is trusted; kept by the configuration and read leniently. */
  state: Type.Optional(Type.Unknown()),
});
export type HooksTable = Static<typeof HooksTable>;

export const HooksFile = closed("HooksFile", {
  description: Type.Optional(Type.Unknown()),
  hooks: maybe(HooksTable),
});
export type HooksFile = Static<typeof HooksFile>;
