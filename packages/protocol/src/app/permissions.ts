/** Sandbox policies and permission profiles. */
import { type Static, Type } from "typebox";
import { closed, maybe, open, stringEnum, taggedUnion } from "../define.js";
import { AbsolutePathBuf, LegacyAppPathString } from "./scalars.js";

export const ActivePermissionProfile = open("ActivePermissionProfile", {
  id: Type.String(),
  extends: maybe(Type.String()),
});
export type ActivePermissionProfile = Static<typeof ActivePermissionProfile>;

export const FileSystemAccessMode = stringEnum("FileSystemAccessMode", ["read", "write", "deny"]);
export type FileSystemAccessMode = Static<typeof FileSystemAccessMode>;

export const FileSystemSpecialPath = taggedUnion("FileSystemSpecialPath", "kind", {
  root: {},
  minimal: {},
  project_roots: {
    subpath: maybe(LegacyAppPathString),
  },
  tmpdir: {},
  slash_tmp: {},
  unknown: {
    path: Type.String(),
    subpath: maybe(LegacyAppPathString),
  },
});
export type FileSystemSpecialPath = Static<typeof FileSystemSpecialPath>;

export const FileSystemPath = taggedUnion("FileSystemPath", "type", {
  path: {
    path: LegacyAppPathString,
  },
  glob_pattern: {
    pattern: Type.String(),
  },
  special: {
    value: FileSystemSpecialPath,
  },
});
export type FileSystemPath = Static<typeof FileSystemPath>;

export const FileSystemSandboxEntry = open("FileSystemSandboxEntry", {
  path: FileSystemPath,
  access: FileSystemAccessMode,
});
export type FileSystemSandboxEntry = Static<typeof FileSystemSandboxEntry>;

export const AdditionalFileSystemPermissions = open("AdditionalFileSystemPermissions", {
  read: maybe(Type.Array(LegacyAppPathString)),
  write: maybe(Type.Array(LegacyAppPathString)),
  globScanMaxDepth: maybe(Type.Integer({ minimum: 1 })),
  entries: maybe(Type.Array(FileSystemSandboxEntry)),
});
export type AdditionalFileSystemPermissions = Static<typeof AdditionalFileSystemPermissions>;

export const AdditionalNetworkPermissions = open("AdditionalNetworkPermissions", {
  enabled: maybe(Type.Boolean()),
});
export type AdditionalNetworkPermissions = Static<typeof AdditionalNetworkPermissions>;

export const AdditionalPermissionProfile = open("AdditionalPermissionProfile", {
  network: maybe(AdditionalNetworkPermissions),
  fileSystem: maybe(AdditionalFileSystemPermissions),
});
export type AdditionalPermissionProfile = Static<typeof AdditionalPermissionProfile>;

export const GrantedPermissionProfile = open("GrantedPermissionProfile", {
  network: maybe(AdditionalNetworkPermissions),
  fileSystem: maybe(AdditionalFileSystemPermissions),
});
export type GrantedPermissionProfile = Static<typeof GrantedPermissionProfile>;

export const NetworkAccess = stringEnum("NetworkAccess", ["restricted", "enabled"]);
export type NetworkAccess = Static<typeof NetworkAccess>;

export const PermissionGrantScope = stringEnum("PermissionGrantScope", ["turn", "session"]);
export type PermissionGrantScope = Static<typeof PermissionGrantScope>;

export const PermissionProfileListParams = open("PermissionProfileListParams", {
  cursor: maybe(Type.String()),
  limit: maybe(Type.Integer({ minimum: 0 })),
  cwd: maybe(Type.String()),
});
export type PermissionProfileListParams = Static<typeof PermissionProfileListParams>;

export const PermissionProfileSummary = open("PermissionProfileSummary", {
  id: Type.String(),
  description: maybe(Type.String()),
  allowed: Type.Boolean(),
});
export type PermissionProfileSummary = Static<typeof PermissionProfileSummary>;

export const PermissionProfileListResponse = open("PermissionProfileListResponse", {
  data: Type.Array(PermissionProfileSummary),
  nextCursor: maybe(Type.String()),
});
export type PermissionProfileListResponse = Static<typeof PermissionProfileListResponse>;

export const RequestPermissionProfile = closed("RequestPermissionProfile", {
  network: maybe(AdditionalNetworkPermissions),
  fileSystem: maybe(AdditionalFileSystemPermissions),
});
export type RequestPermissionProfile = Static<typeof RequestPermissionProfile>;

export const AppSandboxPolicy = taggedUnion("AppSandboxPolicy", "type", {
  dangerFullAccess: {},
  readOnly: {
    networkAccess: Type.Optional(Type.Boolean()),
  },
  externalSandbox: {
    networkAccess: Type.Optional(NetworkAccess),
  },
  workspaceWrite: {
    writableRoots: Type.Optional(Type.Array(AbsolutePathBuf)),
    networkAccess: Type.Optional(Type.Boolean()),
    excludeTmpdirEnvVar: Type.Optional(Type.Boolean()),
    excludeSlashTmp: Type.Optional(Type.Boolean()),
  },
});
export type AppSandboxPolicy = Static<typeof AppSandboxPolicy>;
