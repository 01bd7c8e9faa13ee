/** Requests that start, steer, interrupt or review a turn. */
import { type Static, Type } from "typebox";
import { AdditionalContextEntry } from "../agent/additional-context.js";
import { CollaborationMode } from "../agent/modes.js";
import {
  ApprovalsReviewer,
  AskForApproval,
  Personality,
  ReasoningEffort,
  ReasoningSummary,
} from "../agent/settings-values.js";
import { maybe, open, record, stringEnum, taggedUnion } from "../define.js";
import { MultiAgentMode } from "./collaboration-modes.js";
import { TurnEnvironmentParams } from "./environments.js";
import { AppSandboxPolicy } from "./permissions.js";
import { AbsolutePathBuf } from "./scalars.js";
import { Turn } from "./turn-model.js";
import { AppUserInput } from "./user-input.js";

export const ReviewDelivery = stringEnum("ReviewDelivery", ["inline", "detached"]);
export type ReviewDelivery = Static<typeof ReviewDelivery>;

export const ReviewTarget = taggedUnion("ReviewTarget", "type", {
  uncommittedChanges: {},
  baseBranch: {
    branch: Type.String(),
  },
  commit: {
    sha: Type.String(),
    title: maybe(Type.String()),
  },
  custom: {
    instructions: Type.String(),
  },
});
export type ReviewTarget = Static<typeof ReviewTarget>;

export const ReviewStartParams = open("ReviewStartParams", {
  threadId: Type.String(),
  target: ReviewTarget,
  delivery: maybe(ReviewDelivery),
});
export type ReviewStartParams = Static<typeof ReviewStartParams>;

export const ReviewStartResponse = open("ReviewStartResponse", {
  turn: Turn,
  reviewThreadId: Type.String(),
});
export type ReviewStartResponse = Static<typeof ReviewStartResponse>;

export const TurnInterruptParams = open("TurnInterruptParams", {
  threadId: Type.String(),
  turnId: Type.String(),
});
export type TurnInterruptParams = Static<typeof TurnInterruptParams>;

export const TurnInterruptResponse = open("TurnInterruptResponse", {});
export type TurnInterruptResponse = Static<typeof TurnInterruptResponse>;

export const TurnStartParams = open("TurnStartParams", {
  threadId: Type.String(),
  clientUserMessageId: maybe(Type.String()),
  input: Type.Array(AppUserInput),
  responsesapiClientMetadata: maybe(record(Type.String())),
  additionalContext: maybe(record(AdditionalContextEntry)),
  environments: maybe(Type.Array(TurnEnvironmentParams)),
  cwd: maybe(Type.String()),
  runtimeWorkspaceRoots: maybe(Type.Array(AbsolutePathBuf)),
  approvalPolicy: maybe(AskForApproval),
  approvalsReviewer: maybe(ApprovalsReviewer),
  sandboxPolicy: maybe(AppSandboxPolicy),
  permissions: maybe(Type.String()),
  model: maybe(Type.String()),
  serviceTier: maybe(Type.String()),
  effort: maybe(ReasoningEffort),
  summary: maybe(ReasoningSummary),
  personality: maybe(Personality),
  outputSchema: Type.Optional(Type.Unknown()),
  collaborationMode: maybe(CollaborationMode),
  multiAgentMode: maybe(MultiAgentMode),
});
export type TurnStartParams = Static<typeof TurnStartParams>;

export const TurnStartResponse = open("TurnStartResponse", {
  turn: Turn,
});
export type TurnStartResponse = Static<typeof TurnStartResponse>;

export const TurnSteerParams = open("TurnSteerParams", {
  threadId: Type.String(),
  clientUserMessageId: maybe(Type.String()),
  input: Type.Array(AppUserInput),
  responsesapiClientMetadata: maybe(record(Type.String())),
  additionalContext: maybe(record(AdditionalContextEntry)),
  expectedTurnId: Type.String(),
});
export type TurnSteerParams = Static<typeof TurnSteerParams>;

export const TurnSteerResponse = open("TurnSteerResponse", {
  turnId: Type.String(),
});
export type TurnSteerResponse = Static<typeof TurnSteerResponse>;
