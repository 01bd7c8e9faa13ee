/** A script file: what the scripted model answers, request by request. Closed, so that a misspelt member is heard of. */
import { type Static, type TUnsafe, Type } from "typebox";
import { anyObject, anyOf, closed, closedTaggedUnion, itself, shape } from "../define.js";

const text = Type.Optional(Type.String());
const flag = Type.Optional(Type.Boolean());
const milliseconds = Type.Optional(Type.Integer({ minimum: 0 }));
const count = Type.Integer({ minimum: 0 });

/** All that are given must hold; a template that finds nothing does not. A call id `*` means the latest output of any call. */
export interface ScriptCondition {
  /** The request holds an output of this call. */
  readonly hasOutput?: string;
  readonly lacksOutput?: string;
  /** This call's output says that its program is running. */
  readonly running?: string;
  readonly exited?: string;
  /** The text (templates allowed) matches the regular expression `pattern`. */
  readonly matches?: { readonly text: string; readonly pattern: string };
  readonly not?: ScriptCondition;
}

export const ScriptMatch = closed("ScriptMatch", { text: Type.String(), pattern: Type.String() });
export type ScriptMatch = Static<typeof ScriptMatch>;

export const ScriptCondition = closed("ScriptCondition", {
  hasOutput: text,
  lacksOutput: text,
  running: text,
  exited: text,
  matches: Type.Optional(ScriptMatch),
  not: Type.Optional(itself<ScriptCondition>("ScriptCondition")),
}) as unknown as TUnsafe<ScriptCondition>;

export const ScriptItem = closedTaggedUnion("ScriptItem", "type", {
  message: { text: Type.String(), phase: text },
  reasoning: { summary: anyOf([Type.String(), Type.Array(Type.String())]), content: text },
  function_call: {
    name: Type.String(),
    /** An object is rendered and written as JSON; a string is sent as it is. */
    arguments: anyOf([anyObject(), Type.String()]),
    call_id: text,
  },
  custom_tool_call: { name: Type.String(), input: Type.String(), call_id: text },
  raw: { item: anyObject() },
});
export type ScriptItem = Static<typeof ScriptItem>;

export const ScriptUsage = closed("ScriptUsage", {
  input_tokens: count,
  output_tokens: count,
  total_tokens: count,
  input_tokens_details: Type.Optional(shape({ cached_tokens: count })),
  output_tokens_details: Type.Optional(shape({ reasoning_tokens: count })),
});
export type ScriptUsage = Static<typeof ScriptUsage>;

export const ScriptFailure = closed("ScriptFailure", { code: text, message: Type.String() });
export type ScriptFailure = Static<typeof ScriptFailure>;

/** One answer. Times are milliseconds. */
export const ScriptEntry = closed("ScriptEntry", {
  comment: text,
  /** Skipped when this does not hold. */
  when: Type.Optional(ScriptCondition),
  /** Played again until this holds; checked before each time. */
  until: Type.Optional(ScriptCondition),
  /** The most times `until` may play it; default 100. */
  limit: Type.Optional(Type.Integer({ minimum: 1 })),
  items: Type.Optional(Type.Array(ScriptItem)),
  delayMs: milliseconds,
  gapMs: milliseconds,
  deltaGapMs: milliseconds,
  deltas: flag,
  endTurn: flag,
  usage: Type.Optional(ScriptUsage),
  status: Type.Optional(Type.Integer({ minimum: 400 })),
  errorBody: Type.Optional(Type.Unknown()),
  failed: Type.Optional(ScriptFailure),
  incomplete: text,
  noCompleted: flag,
  cut: flag,
});
export type ScriptEntry = Static<typeof ScriptEntry>;

export const ScriptFile = closed("ScriptFile", {
  $schema: text,
  comment: text,
  /** Played once each, in order. */
  responses: Type.Array(ScriptEntry),
  /** Played after them, again and again. */
  repeat: Type.Optional(Type.Array(ScriptEntry)),
});
export type ScriptFile = Static<typeof ScriptFile>;
