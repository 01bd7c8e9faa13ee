/** Values of thread settings that the core and the app protocol spell alike. */
import { type Static, Type } from "typebox";
import { anyOf, literals, named, shape, stringEnum, wrapped } from "../define.js";

export const ApprovalsReviewer = stringEnum("ApprovalsReviewer", ["user", "auto_review", "guardian_subagent"]);
export type ApprovalsReviewer = Static<typeof ApprovalsReviewer>;

/** Which requests for approval reach the person; the others are refused. */
export const GranularApproval = shape({
  sandbox_approval: Type.Boolean(),
  rules: Type.Boolean(),
  skill_approval: Type.Optional(Type.Boolean()),
  request_permissions: Type.Optional(Type.Boolean()),
  mcp_elicitations: Type.Boolean(),
});

export const AskForApproval = named(
  "AskForApproval",
  anyOf([literals(["untrusted", "on-request", "never"]), wrapped("granular", GranularApproval)]),
);
export type AskForApproval = Static<typeof AskForApproval>;

export const MultiAgentVersion = stringEnum("MultiAgentVersion", ["disabled", "v1", "v2"]);
export type MultiAgentVersion = Static<typeof MultiAgentVersion>;

export const NonSteerableTurnKind = stringEnum("NonSteerableTurnKind", ["review", "compact"]);
export type NonSteerableTurnKind = Static<typeof NonSteerableTurnKind>;

export const Personality = stringEnum("Personality", ["none", "friendly", "pragmatic"]);
export type Personality = Static<typeof Personality>;

export const ReasoningEffort = named("ReasoningEffort", Type.String({ minLength: 1 }));
export type ReasoningEffort = Static<typeof ReasoningEffort>;

export const ReasoningSummary = stringEnum("ReasoningSummary", ["auto", "concise", "detailed", "none"]);
export type ReasoningSummary = Static<typeof ReasoningSummary>;

export const SandboxMode = stringEnum("SandboxMode", ["read-only", "workspace-write", "danger-full-access"]);
export type SandboxMode = Static<typeof SandboxMode>;

export const ThreadHistoryMode = stringEnum("ThreadHistoryMode", ["legacy", "paginated"]);
export type ThreadHistoryMode = Static<typeof ThreadHistoryMode>;

export const Verbosity = stringEnum("Verbosity", ["low", "medium", "high"]);
export type Verbosity = Static<typeof Verbosity>;
