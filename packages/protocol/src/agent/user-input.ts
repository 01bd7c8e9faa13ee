/** What a person sends to the agent, as the core keeps it: tagged by `type`, snake_case. */
import { type Static, Type } from "typebox";
import { maybe, named, open, taggedUnion } from "../define.js";
import { ByteRange } from "./byte-range.js";
import { ImageDetail } from "./response-item.js";

/** A span of the text, in UTF-8 bytes, with what a user interface shows in its place. */
export const TextElement = open("TextElement", {
  byte_range: ByteRange,
  placeholder: maybe(Type.String()),
});
export type TextElement = Static<typeof TextElement>;

export const UserInput = taggedUnion("UserInput", "type", {
  text: { text: Type.String(), text_elements: Type.Optional(Type.Array(TextElement)) },
  image: { image_url: Type.String(), detail: maybe(ImageDetail) },
  local_image: { path: Type.String(), detail: maybe(ImageDetail) },
  audio: { audio_url: Type.String() },
  local_audio: { path: Type.String() },
  skill: { name: Type.String(), path: Type.String() },
  mention: { name: Type.String(), path: Type.String() },
});
export type UserInput = Static<typeof UserInput>;

export const UserInputList = named("UserInputList", Type.Array(UserInput));
export type UserInputList = Static<typeof UserInputList>;
