/** A half-open range of UTF-8 byte offsets into a text. */
import { type Static, Type } from "typebox";
import { open } from "../define.js";

export const ByteRange = open("ByteRange", {
  start: Type.Integer({ minimum: 0 }),
  end: Type.Integer({ minimum: 0 }),
});
export type ByteRange = Static<typeof ByteRange>;
