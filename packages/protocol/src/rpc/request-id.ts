/** Ids of requests: strings or integers, echoed as they came. */
import { type Static, Type } from "typebox";
import { anyOf, named } from "../define.js";

export const RequestId = named("RequestId", anyOf([Type.String(), Type.Integer()]));
export type RequestId = Static<typeof RequestId>;
