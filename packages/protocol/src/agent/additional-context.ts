/** Context a client adds beside the person's own words, keyed by where it came from. */
import { type Static, Type } from "typebox";
import { named, open, record, stringEnum } from "../define.js";

/** `application`: trusted, becomes a developer message; `untrusted`: becomes a user message. */
export const AdditionalContextKind = stringEnum("AdditionalContextKind", ["untrusted", "application"]);
export type AdditionalContextKind = Static<typeof AdditionalContextKind>;

export const AdditionalContextEntry = open("AdditionalContextEntry", {
  value: Type.String(),
  kind: AdditionalContextKind,
});
export type AdditionalContextEntry = Static<typeof AdditionalContextEntry>;

export const AdditionalContext = named("AdditionalContext", record(AdditionalContextEntry));
export type AdditionalContext = Static<typeof AdditionalContext>;
