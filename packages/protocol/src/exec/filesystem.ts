/** Files of the exec-server's machine: `fs/*`. Every path is a `file://` URI; `sandbox` confines the access. */
import { type Static, Type } from "typebox";
import { literals, maybe, open, shape } from "../define.js";
import { ExecSandbox } from "./sandbox.js";

const Count = Type.Integer({ minimum: 0 });
const sandbox = maybe(ExecSandbox);
/** false: no symbolic link anywhere in the path. */
const followSymlinks = Type.Optional(Type.Boolean());

export const ExecReadFileParams = open("ExecReadFileParams", { path: Type.String(), followSymlinks, sandbox });
export type ExecReadFileParams = Static<typeof ExecReadFileParams>;

export const ExecReadFileResponse = open("ExecReadFileResponse", { dataBase64: Type.String() });
export type ExecReadFileResponse = Static<typeof ExecReadFileResponse>;

export const ExecWriteFileParams = open("ExecWriteFileParams", {
  path: Type.String(),
  dataBase64: Type.String(),
  followSymlinks,
  sandbox,
});
export type ExecWriteFileParams = Static<typeof ExecWriteFileParams>;

export const ExecCreateDirectoryParams = open("ExecCreateDirectoryParams", {
  path: Type.String(),
  /** Default true. */
  recursive: maybe(Type.Boolean()),
  followSymlinks,
  sandbox,
});
export type ExecCreateDirectoryParams = Static<typeof ExecCreateDirectoryParams>;

export const ExecGetMetadataParams = open("ExecGetMetadataParams", { path: Type.String(), followSymlinks, sandbox });
export type ExecGetMetadataParams = Static<typeof ExecGetMetadataParams>;

export const ExecGetMetadataResponse = open("ExecGetMetadataResponse", {
  isDirectory: Type.Boolean(),
  isFile: Type.Boolean(),
  isSymlink: Type.Boolean(),
  size: Count,
  createdAtMs: Type.Integer(),
  modifiedAtMs: Type.Integer(),
});
export type ExecGetMetadataResponse = Static<typeof ExecGetMetadataResponse>;

export const ExecCanonicalizeParams = open("ExecCanonicalizeParams", { path: Type.String(), sandbox });
export type ExecCanonicalizeParams = Static<typeof ExecCanonicalizeParams>;

export const ExecCanonicalizeResponse = open("ExecCanonicalizeResponse", { path: Type.String() });
export type ExecCanonicalizeResponse = Static<typeof ExecCanonicalizeResponse>;

export const ExecReadDirectoryParams = open("ExecReadDirectoryParams", { path: Type.String(), sandbox });
export type ExecReadDirectoryParams = Static<typeof ExecReadDirectoryParams>;

export const ExecReadDirectoryResponse = open("ExecReadDirectoryResponse", {
  entries: Type.Array(shape({ fileName: Type.String(), isDirectory: Type.Boolean(), isFile: Type.Boolean() })),
});
export type ExecReadDirectoryResponse = Static<typeof ExecReadDirectoryResponse>;

export const ExecWalkParams = open("ExecWalkParams", {
  path: Type.String(),
  options: shape({
    maxDepth: Count,
    maxDirectories: Count,
    maxEntries: Count,
    followDirectorySymlinks: Type.Boolean(),
    pruneHiddenDirectories: Type.Optional(Type.Boolean()),
  }),
  sandbox,
});
export type ExecWalkParams = Static<typeof ExecWalkParams>;

export const ExecWalkResponse = open("ExecWalkResponse", {
  entries: Type.Array(shape({ path: Type.String(), kind: literals(["file", "directory"]) })),
  errors: Type.Array(shape({ path: Type.String(), message: Type.String() })),
  truncated: Type.Boolean(),
});
export type ExecWalkResponse = Static<typeof ExecWalkResponse>;

export const ExecRemoveParams = open("ExecRemoveParams", {
  path: Type.String(),
  /** Both default to true. */
  recursive: maybe(Type.Boolean()),
  force: maybe(Type.Boolean()),
  followSymlinks,
  sandbox,
});
export type ExecRemoveParams = Static<typeof ExecRemoveParams>;

export const ExecCopyParams = open("ExecCopyParams", {
  sourcePath: Type.String(),
  destinationPath: Type.String(),
  recursive: Type.Boolean(),
  sandbox,
});
export type ExecCopyParams = Static<typeof ExecCopyParams>;

export const ExecOpenFileParams = open("ExecOpenFileParams", {
  handleId: Type.String(),
  path: Type.String(),
  sandbox,
});
export type ExecOpenFileParams = Static<typeof ExecOpenFileParams>;

export const ExecOpenFileResponse = open("ExecOpenFileResponse", { handleId: Type.String() });
export type ExecOpenFileResponse = Static<typeof ExecOpenFileResponse>;

export const ExecReadBlockParams = open("ExecReadBlockParams", {
  handleId: Type.String(),
  offset: Count,
  /** 1 to 1,048,576. */
  len: Count,
});
export type ExecReadBlockParams = Static<typeof ExecReadBlockParams>;

export const ExecReadBlockResponse = open("ExecReadBlockResponse", { chunk: Type.String(), eof: Type.Boolean() });
export type ExecReadBlockResponse = Static<typeof ExecReadBlockResponse>;

export const ExecCloseFileParams = open("ExecCloseFileParams", { handleId: Type.String() });
export type ExecCloseFileParams = Static<typeof ExecCloseFileParams>;
