/** Params of methods that take none: left out, null, or an object nobody looks into. */
import type { Static } from "typebox";
import { anyObject, named, nullable } from "../define.js";

export const NoParams = named("NoParams", nullable(anyObject()));
export type NoParams = Static<typeof NoParams> | undefined;
