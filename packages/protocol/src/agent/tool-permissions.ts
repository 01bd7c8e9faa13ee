/** What a command may do beyond its sandbox, as tools and events spell it. Only members that are known may be given. */
import { type Static, Type } from "typebox";
import { closed, maybe } from "../define.js";

/** Paths may be relative to the folder of the turn where a model writes them; elsewhere they are absolute. */
export const ToolFileSystemPermissions = closed("ToolFileSystemPermissions", {
  read: maybe(Type.Array(Type.String())),
  write: maybe(Type.Array(Type.String())),
});
export type ToolFileSystemPermissions = Static<typeof ToolFileSystemPermissions>;

export const ToolNetworkPermissions = closed("ToolNetworkPermissions", { enabled: maybe(Type.Boolean()) });
export type ToolNetworkPermissions = Static<typeof ToolNetworkPermissions>;

export const ToolPermissions = closed("ToolPermissions", {
  network: maybe(ToolNetworkPermissions),
  file_system: maybe(ToolFileSystemPermissions),
});
export type ToolPermissions = Static<typeof ToolPermissions>;
