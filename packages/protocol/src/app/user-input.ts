/** What a person sends: camelCase, except `text_elements`, which the protocol spells with an underscore. */
import { type Static, Type } from "typebox";
import { ByteRange } from "../agent/byte-range.js";
import { ImageDetail } from "../agent/response-item.js";
import { maybe, open, taggedUnion } from "../define.js";

export const AppTextElement = open("AppTextElement", {
  byteRange: ByteRange,
  placeholder: maybe(Type.String()),
});
export type AppTextElement = Static<typeof AppTextElement>;

export const AppUserInput = taggedUnion("AppUserInput", "type", {
  text: {
    text: Type.String(),
    text_elements: Type.Optional(Type.Array(AppTextElement)),
  },
  image: {
    detail: maybe(ImageDetail),
    url: Type.String(),
  },
  localImage: {
    detail: maybe(ImageDetail),
    path: Type.String(),
  },
  audio: {
    url: Type.String(),
  },
  localAudio: {
    path: Type.String(),
  },
  skill: {
    name: Type.String(),
    path: Type.String(),
  },
  mention: {
    name: Type.String(),
    path: Type.String(),
  },
});
export type AppUserInput = Static<typeof AppUserInput>;
