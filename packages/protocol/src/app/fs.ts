/** File access for clients: paths are absolute, contents base64. */
import { type Static, Type } from "typebox";
import { maybe, open } from "../define.js";
import { AbsolutePathBuf } from "./scalars.js";

export const FsChangedNotification = open("FsChangedNotification", {
  watchId: Type.String(),
  changedPaths: Type.Array(AbsolutePathBuf),
});
export type FsChangedNotification = Static<typeof FsChangedNotification>;

export const FsCopyParams = open("FsCopyParams", {
  sourcePath: AbsolutePathBuf,
  destinationPath: AbsolutePathBuf,
  recursive: Type.Optional(Type.Boolean()),
});
export type FsCopyParams = Static<typeof FsCopyParams>;

export const FsCopyResponse = open("FsCopyResponse", {});
export type FsCopyResponse = Static<typeof FsCopyResponse>;

export const FsCreateDirectoryParams = open("FsCreateDirectoryParams", {
  path: AbsolutePathBuf,
  recursive: maybe(Type.Boolean()),
});
export type FsCreateDirectoryParams = Static<typeof FsCreateDirectoryParams>;

export const FsCreateDirectoryResponse = open("FsCreateDirectoryResponse", {});
export type FsCreateDirectoryResponse = Static<typeof FsCreateDirectoryResponse>;

export const FsGetMetadataParams = open("FsGetMetadataParams", {
  path: AbsolutePathBuf,
});
export type FsGetMetadataParams = Static<typeof FsGetMetadataParams>;

export const FsGetMetadataResponse = open("FsGetMetadataResponse", {
  isDirectory: Type.Boolean(),
  isFile: Type.Boolean(),
  isSymlink: Type.Boolean(),
  createdAtMs: Type.Integer(),
  modifiedAtMs: Type.Integer(),
});
export type FsGetMetadataResponse = Static<typeof FsGetMetadataResponse>;

export const FsReadDirectoryEntry = open("FsReadDirectoryEntry", {
  fileName: Type.String(),
  isDirectory: Type.Boolean(),
  isFile: Type.Boolean(),
});
export type FsReadDirectoryEntry = Static<typeof FsReadDirectoryEntry>;

export const FsReadDirectoryParams = open("FsReadDirectoryParams", {
  path: AbsolutePathBuf,
});
export type FsReadDirectoryParams = Static<typeof FsReadDirectoryParams>;

export const FsReadDirectoryResponse = open("FsReadDirectoryResponse", {
  entries: Type.Array(FsReadDirectoryEntry),
});
export type FsReadDirectoryResponse = Static<typeof FsReadDirectoryResponse>;

export const FsReadFileParams = open("FsReadFileParams", {
  path: AbsolutePathBuf,
});
export type FsReadFileParams = Static<typeof FsReadFileParams>;

export const FsReadFileResponse = open("FsReadFileResponse", {
  dataBase64: Type.String(),
});
export type FsReadFileResponse = Static<typeof FsReadFileResponse>;

export const FsRemoveParams = open("FsRemoveParams", {
  path: AbsolutePathBuf,
  recursive: maybe(Type.Boolean()),
  force: maybe(Type.Boolean()),
});
export type FsRemoveParams = Static<typeof FsRemoveParams>;

export const FsRemoveResponse = open("FsRemoveResponse", {});
export type FsRemoveResponse = Static<typeof FsRemoveResponse>;

export const FsUnwatchParams = open("FsUnwatchParams", {
  watchId: Type.String(),
});
export type FsUnwatchParams = Static<typeof FsUnwatchParams>;

export const FsUnwatchResponse = open("FsUnwatchResponse", {});
export type FsUnwatchResponse = Static<typeof FsUnwatchResponse>;

export const FsWatchParams = open("FsWatchParams", {
  watchId: Type.String(),
  path: AbsolutePathBuf,
});
export type FsWatchParams = Static<typeof FsWatchParams>;

export const FsWatchResponse = open("FsWatchResponse", {
  path: AbsolutePathBuf,
});
export type FsWatchResponse = Static<typeof FsWatchResponse>;

export const FsWriteFileParams = open("FsWriteFileParams", {
  path: AbsolutePathBuf,
  dataBase64: Type.String(),
});
export type FsWriteFileParams = Static<typeof FsWriteFileParams>;

export const FsWriteFileResponse = open("FsWriteFileResponse", {});
export type FsWriteFileResponse = Static<typeof FsWriteFileResponse>;
