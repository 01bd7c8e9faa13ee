/**
 * The protocol's types, and what is light enough to come with them: constants, error codes, method names.
 * Loads neither a schema library nor Node. Schemas: `/schemas`; validators: `/validate`; readers: `/legacy`, `/rollout`.
 */
export type * from "./agent/index.js";
export { type LocalMedia, type LocalMediaReader, userInputContent } from "./agent/user-content.js";
export {
  audioUrls,
  imageDetails,
  imageUrls,
  localAudioPaths,
  localImageDetails,
  localImagePaths,
  messageText,
  messageTextElements,
  type UserMessageEvent,
  userInputOfEvent,
  userMessageEvent,
} from "./agent/user-message.js";
export { MAX_USER_INPUT_TEXT_CHARS } from "./limits.js";
export type { JsonSchema } from "./registry.js";
export type * from "./rollout/schemas.js";
export { RpcErrorCode } from "./rpc/error-codes.js";
export type * from "./rpc/index.js";
export type { SchemaName, SchemaTypes } from "./schema-types.js";
export { PROTOCOL_VERSION } from "./version.js";
