/** Text measured in UTF-8 bytes and Unicode scalar values. */
export { decodeUtf8 } from "./decode.js";
export { effectivePlaceholder, shiftElement, withPlaceholder } from "./text-elements.js";
export {
  type ByteSpan,
  byteOfIndex,
  encodeUtf8,
  headBytes,
  indexOfByte,
  scalarCount,
  sliceBytes,
  tailBytes,
  utf8Length,
} from "./utf8.js";
