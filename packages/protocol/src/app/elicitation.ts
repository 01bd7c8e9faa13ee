/** Forms and links an MCP server asks the person to act on. */
import { type Static, Type } from "typebox";
import { anyOf, closed, maybe, named, open, record, stringEnum, taggedUnion } from "../define.js";

export const McpElicitationArrayType = stringEnum("McpElicitationArrayType", ["array"]);
export type McpElicitationArrayType = Static<typeof McpElicitationArrayType>;

export const McpElicitationBooleanType = stringEnum("McpElicitationBooleanType", ["boolean"]);
export type McpElicitationBooleanType = Static<typeof McpElicitationBooleanType>;

export const McpElicitationBooleanSchema = closed("McpElicitationBooleanSchema", {
  type: McpElicitationBooleanType,
  title: maybe(Type.String()),
  description: maybe(Type.String()),
  default: maybe(Type.Boolean()),
});
export type McpElicitationBooleanSchema = Static<typeof McpElicitationBooleanSchema>;

export const McpElicitationConstOption = closed("McpElicitationConstOption", {
  const: Type.String(),
  title: Type.String(),
});
export type McpElicitationConstOption = Static<typeof McpElicitationConstOption>;

export const McpElicitationStringType = stringEnum("McpElicitationStringType", ["string"]);
export type McpElicitationStringType = Static<typeof McpElicitationStringType>;

export const McpElicitationLegacyTitledEnumSchema = closed("McpElicitationLegacyTitledEnumSchema", {
  type: McpElicitationStringType,
  title: maybe(Type.String()),
  description: maybe(Type.String()),
  enum: Type.Array(Type.String()),
  enumNames: maybe(Type.Array(Type.String())),
  default: maybe(Type.String()),
});
export type McpElicitationLegacyTitledEnumSchema = Static<typeof McpElicitationLegacyTitledEnumSchema>;

export const McpElicitationTitledEnumItems = closed("McpElicitationTitledEnumItems", {
  anyOf: Type.Array(McpElicitationConstOption),
});
export type McpElicitationTitledEnumItems = Static<typeof McpElicitationTitledEnumItems>;

export const McpElicitationTitledMultiSelectEnumSchema = closed("McpElicitationTitledMultiSelectEnumSchema", {
  type: McpElicitationArrayType,
  title: maybe(Type.String()),
  description: maybe(Type.String()),
  minItems: maybe(Type.Integer({ minimum: 0 })),
  maxItems: maybe(Type.Integer({ minimum: 0 })),
  items: McpElicitationTitledEnumItems,
  default: maybe(Type.Array(Type.String())),
});
export type McpElicitationTitledMultiSelectEnumSchema = Static<typeof McpElicitationTitledMultiSelectEnumSchema>;

export const McpElicitationUntitledEnumItems = closed("McpElicitationUntitledEnumItems", {
  type: McpElicitationStringType,
  enum: Type.Array(Type.String()),
});
export type McpElicitationUntitledEnumItems = Static<typeof McpElicitationUntitledEnumItems>;

export const McpElicitationUntitledMultiSelectEnumSchema = closed("McpElicitationUntitledMultiSelectEnumSchema", {
  type: McpElicitationArrayType,
  title: maybe(Type.String()),
  description: maybe(Type.String()),
  minItems: maybe(Type.Integer({ minimum: 0 })),
  maxItems: maybe(Type.Integer({ minimum: 0 })),
  items: McpElicitationUntitledEnumItems,
  default: maybe(Type.Array(Type.String())),
});
export type McpElicitationUntitledMultiSelectEnumSchema = Static<typeof McpElicitationUntitledMultiSelectEnumSchema>;

export const McpElicitationMultiSelectEnumSchema = named(
  "McpElicitationMultiSelectEnumSchema",
  anyOf([McpElicitationUntitledMultiSelectEnumSchema, McpElicitationTitledMultiSelectEnumSchema]),
);
export type McpElicitationMultiSelectEnumSchema = Static<typeof McpElicitationMultiSelectEnumSchema>;

export const McpElicitationTitledSingleSelectEnumSchema = closed("McpElicitationTitledSingleSelectEnumSchema", {
  type: McpElicitationStringType,
  title: maybe(Type.String()),
  description: maybe(Type.String()),
  oneOf: Type.Array(McpElicitationConstOption),
  default: maybe(Type.String()),
});
export type McpElicitationTitledSingleSelectEnumSchema = Static<typeof McpElicitationTitledSingleSelectEnumSchema>;

export const McpElicitationUntitledSingleSelectEnumSchema = closed("McpElicitationUntitledSingleSelectEnumSchema", {
  type: McpElicitationStringType,
  title: maybe(Type.String()),
  description: maybe(Type.String()),
  enum: Type.Array(Type.String()),
  default: maybe(Type.String()),
});
export type McpElicitationUntitledSingleSelectEnumSchema = Static<typeof McpElicitationUntitledSingleSelectEnumSchema>;

export const McpElicitationSingleSelectEnumSchema = named(
  "McpElicitationSingleSelectEnumSchema",
  anyOf([McpElicitationUntitledSingleSelectEnumSchema, McpElicitationTitledSingleSelectEnumSchema]),
);
export type McpElicitationSingleSelectEnumSchema = Static<typeof McpElicitationSingleSelectEnumSchema>;

export const McpElicitationEnumSchema = named(
  "McpElicitationEnumSchema",
  anyOf([
    McpElicitationSingleSelectEnumSchema,
    McpElicitationMultiSelectEnumSchema,
    McpElicitationLegacyTitledEnumSchema,
  ]),
);
export type McpElicitationEnumSchema = Static<typeof McpElicitationEnumSchema>;

export const McpElicitationNumberType = stringEnum("McpElicitationNumberType", ["number", "integer"]);
export type McpElicitationNumberType = Static<typeof McpElicitationNumberType>;

export const McpElicitationNumberSchema = closed("McpElicitationNumberSchema", {
  type: McpElicitationNumberType,
  title: maybe(Type.String()),
  description: maybe(Type.String()),
  minimum: maybe(Type.Number()),
  maximum: maybe(Type.Number()),
  default: maybe(Type.Number()),
});
export type McpElicitationNumberSchema = Static<typeof McpElicitationNumberSchema>;

export const McpElicitationObjectType = stringEnum("McpElicitationObjectType", ["object"]);
export type McpElicitationObjectType = Static<typeof McpElicitationObjectType>;

export const McpElicitationStringFormat = stringEnum("McpElicitationStringFormat", [
  "email",
  "uri",
  "date",
  "date-time",
]);
export type McpElicitationStringFormat = Static<typeof McpElicitationStringFormat>;

export const McpElicitationStringSchema = closed("McpElicitationStringSchema", {
  type: McpElicitationStringType,
  title: maybe(Type.String()),
  description: maybe(Type.String()),
  minLength: maybe(Type.Integer({ minimum: 0 })),
  maxLength: maybe(Type.Integer({ minimum: 0 })),
  format: maybe(McpElicitationStringFormat),
  default: maybe(Type.String()),
});
export type McpElicitationStringSchema = Static<typeof McpElicitationStringSchema>;

export const McpElicitationPrimitiveSchema = named(
  "McpElicitationPrimitiveSchema",
  anyOf([
    McpElicitationEnumSchema,
    McpElicitationStringSchema,
    McpElicitationNumberSchema,
    McpElicitationBooleanSchema,
  ]),
);
export type McpElicitationPrimitiveSchema = Static<typeof McpElicitationPrimitiveSchema>;

export const McpElicitationSchema = closed("McpElicitationSchema", {
  $schema: maybe(Type.String()),
  type: McpElicitationObjectType,
  properties: record(McpElicitationPrimitiveSchema),
  required: maybe(Type.Array(Type.String())),
});
export type McpElicitationSchema = Static<typeof McpElicitationSchema>;

export const McpServerElicitationAction = stringEnum("McpServerElicitationAction", ["accept", "decline", "cancel"]);
export type McpServerElicitationAction = Static<typeof McpServerElicitationAction>;

export const McpServerElicitationRequestParams = taggedUnion("McpServerElicitationRequestParams", "mode", {
  form: {
    _meta: Type.Optional(Type.Unknown()),
    message: Type.String(),
    requestedSchema: McpElicitationSchema,
    serverName: Type.String(),
    threadId: Type.String(),
    turnId: maybe(Type.String()),
  },
  "openai/form": {
    _meta: Type.Optional(Type.Unknown()),
    message: Type.String(),
    requestedSchema: Type.Unknown(),
    serverName: Type.String(),
    threadId: Type.String(),
    turnId: maybe(Type.String()),
  },
  url: {
    _meta: Type.Optional(Type.Unknown()),
    message: Type.String(),
    url: Type.String(),
    elicitationId: Type.String(),
    serverName: Type.String(),
    threadId: Type.String(),
    turnId: maybe(Type.String()),
  },
});
export type McpServerElicitationRequestParams = Static<typeof McpServerElicitationRequestParams>;

export const McpServerElicitationRequestResponse = open("McpServerElicitationRequestResponse", {
  action: McpServerElicitationAction,
  content: Type.Optional(Type.Unknown()),
  _meta: Type.Optional(Type.Unknown()),
});
export type McpServerElicitationRequestResponse = Static<typeof McpServerElicitationRequestResponse>;
