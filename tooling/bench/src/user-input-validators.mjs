// @ts-check
// The same shape written for three validators, and values of all its forms.
import { validators } from "@turnkit/protocol/validate";
import { Type } from "typebox";
import { Compile } from "typebox/compile";
import { z } from "zod";

const details = /** @type {const} */ (["auto", "low", "high", "original"]);

const zodDetail = z.enum(details).nullish();
const zodSchema = z.discriminatedUnion("type", [
  z.looseObject({
    type: z.literal("text"),
    text: z.string(),
    text_elements: z
      .array(
        z.looseObject({
          byte_range: z.looseObject({ start: z.int().min(0), end: z.int().min(0) }),
          placeholder: z.string().nullish(),
        }),
      )
      .optional(),
  }),
  z.looseObject({ type: z.literal("image"), image_url: z.string(), detail: zodDetail }),
  z.looseObject({ type: z.literal("local_image"), path: z.string(), detail: zodDetail }),
  z.looseObject({ type: z.literal("audio"), audio_url: z.string() }),
  z.looseObject({ type: z.literal("local_audio"), path: z.string() }),
  z.looseObject({ type: z.literal("skill"), name: z.string(), path: z.string() }),
  z.looseObject({ type: z.literal("mention"), name: z.string(), path: z.string() }),
]);

const typeboxDetail = Type.Optional(Type.Union([...details.map((value) => Type.Literal(value)), Type.Null()]));
const typeboxSchema = Compile(
  Type.Union([
    Type.Object({
      type: Type.Literal("text"),
      text: Type.String(),
      text_elements: Type.Optional(
        Type.Array(
          Type.Object({
            byte_range: Type.Object({ start: Type.Integer({ minimum: 0 }), end: Type.Integer({ minimum: 0 }) }),
            placeholder: Type.Optional(Type.Union([Type.String(), Type.Null()])),
          }),
        ),
      ),
    }),
    Type.Object({ type: Type.Literal("image"), image_url: Type.String(), detail: typeboxDetail }),
    Type.Object({ type: Type.Literal("local_image"), path: Type.String(), detail: typeboxDetail }),
    Type.Object({ type: Type.Literal("audio"), audio_url: Type.String() }),
    Type.Object({ type: Type.Literal("local_audio"), path: Type.String() }),
    Type.Object({ type: Type.Literal("skill"), name: Type.String(), path: Type.String() }),
    Type.Object({ type: Type.Literal("mention"), name: Type.String(), path: Type.String() }),
  ]),
);

/** @param {unknown} value */
export const ourUserInput = (value) => validators.UserInput(value);
/** @param {unknown} value */
export const zodUserInput = (value) => zodSchema.safeParse(value).success;
/** @param {unknown} value */
export const typeboxUserInput = (value) => typeboxSchema.Check(value);

/** Valid values; most are texts, as in life. @type {readonly unknown[]} */
export const userInputs = [
  { type: "text", text: "Please look at the failing test and tell me why it fails." },
  { type: "text", text: "hello", text_elements: [] },
  {
    type: "text",
    text: "Compare [image 1] with [image 2].",
    text_elements: [
      { byte_range: { start: 8, end: 17 }, placeholder: "[image 1]" },
      { byte_range: { start: 23, end: 32 } },
    ],
  },
  { type: "image", image_url: "data:image/png;base64,AAAA", detail: "high" },
  { type: "local_image", path: "/pictures/a.png", detail: null },
  { type: "audio", audio_url: "data:audio/wav;base64,AAAA" },
  { type: "local_audio", path: "/sounds/a.wav" },
  { type: "skill", name: "dance", path: "/skills/dance/SKILL.md" },
  { type: "mention", name: "calendar", path: "app://calendar" },
];
