/** What a process or a file access is confined to. */
import { type Static, Type } from "typebox";
import { maybe, open, shape, stringEnum, taggedUnion } from "../define.js";

export const ExecAccess = stringEnum("ExecAccess", ["read", "write", "none", "deny"]);
export type ExecAccess = Static<typeof ExecAccess>;

/** The values of a special path are open: `kind` may be one this version does not know. */
export const ExecSandboxPath = taggedUnion("ExecSandboxPath", "type", {
  path: { path: Type.String() },
  special: { value: shape({ kind: Type.String(), subpath: maybe(Type.String()), path: maybe(Type.String()) }) },
  glob_pattern: { pattern: Type.String() },
});
export type ExecSandboxPath = Static<typeof ExecSandboxPath>;

export const ExecFileSystemPermissions = taggedUnion("ExecFileSystemPermissions", "type", {
  restricted: {
    entries: Type.Array(shape({ path: ExecSandboxPath, access: ExecAccess })),
    glob_scan_max_depth: maybe(Type.Integer({ minimum: 0 })),
  },
  unrestricted: {},
  external_sandbox: {},
});
export type ExecFileSystemPermissions = Static<typeof ExecFileSystemPermissions>;

export const ExecPermissionProfile = taggedUnion("ExecPermissionProfile", "type", {
  managed: { file_system: ExecFileSystemPermissions, network: Type.String() },
  disabled: {},
  external: { network: Type.String() },
});
export type ExecPermissionProfile = Static<typeof ExecPermissionProfile>;

export const ExecSandbox = open("ExecSandbox", {
  permissions: ExecPermissionProfile,
  cwd: maybe(Type.String()),
  workspaceRoots: Type.Optional(Type.Array(Type.String())),
  windowsSandboxLevel: Type.String(),
  windowsSandboxPrivateDesktop: Type.Optional(Type.Boolean()),
  windowsSandboxProxySettingsMode: maybe(Type.String()),
  useLegacyLandlock: Type.Optional(Type.Boolean()),
});
export type ExecSandbox = Static<typeof ExecSandbox>;
