/** Where our schemas differ from the reference's on purpose. A difference that is gone must leave this list. */
import type { Difference } from "./compare-shapes.js";

export interface ExplainedDifference extends Difference {
  readonly reason: string;
}

const newerHistory =
  "written into session files by later versions of the reference, and sent back as history when such a session is resumed";

export const explainedDifferences: readonly ExplainedDifference[] = [
  {
    at: "ResponseItem",
    what: "has the form {type=additional_tools}; the reference has not",
    reason: newerHistory,
  },
  {
    at: "ResponseItem",
    what: "has the form {type=configuration_update}; the reference has not",
    reason: newerHistory,
  },
];

/** Forms of tagged unions that only we have: `[union, tag value]`. Values with them are not held against the reference. */
export const ourOwnForms: readonly (readonly [string, string])[] = explainedDifferences.flatMap(({ at, what }) => {
  const tag = /^has the form \{type=(\w+)\}/.exec(what)?.[1];
  return tag === undefined ? [] : [[at, tag] as const];
});

/** Methods of the reference that this project does not speak, by family. */
export const outOfScope: Readonly<Record<string, readonly string[]>> = {
  "signing in and its tokens": ["account/chatgptAuthTokens/refresh", "account/login/completed", "attestation/generate"],
  "requests of the first version": ["applyPatchApproval", "execCommandApproval"],
  "an external clock": ["currentTime/read"],
  "commands outside of a turn": ["command/exec/outputDelta", "process/exited", "process/outputDelta"],
  "projects, sections and paginated history": ["project/changed", "thread/project/updated", "thread/reverted"],
  "streams of events from MCP servers": ["mcpServer/event/stream/notification"],
  "the app directory": ["app/list/updated"],
  "import from other agents": ["externalAgentConfig/import/completed", "externalAgentConfig/import/progress"],
  "file search sessions": ["fuzzyFileSearch/sessionCompleted", "fuzzyFileSearch/sessionUpdated"],
  "spoken conversation": [
    "thread/realtime/closed",
    "thread/realtime/error",
    "thread/realtime/item/completed",
    "thread/realtime/item/started",
    "thread/realtime/item/transcript/delta",
    "thread/realtime/itemAdded",
    "thread/realtime/outputAudio/delta",
    "thread/realtime/sdp",
    "thread/realtime/started",
    "thread/realtime/transcript/delta",
    "thread/realtime/transcript/done",
  ],
  "another operating system": ["windows/worldWritableWarning", "windowsSandbox/setupCompleted"],
};
