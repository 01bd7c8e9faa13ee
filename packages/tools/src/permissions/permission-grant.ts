/**
 * Permissions beyond a sandbox, in one form: which folders may be read and written, and whether the network may be
 * reached. Owns adding them up and cutting them down. Pure; knows nothing of who grants them.
 */
import type { ToolPermissions } from "@turnkit/protocol";

export interface PermissionGrant {
  /** undefined: nothing is said of the network. */
  readonly network: boolean | undefined;
  /** Absolute paths without `.` and `..`, each once. Whatever may be written may be read. */
  readonly read: readonly string[];
  readonly write: readonly string[];
}

export const NO_PERMISSIONS: PermissionGrant = { network: undefined, read: [], write: [] };

/** What a model or a client wrote; `resolve` makes its paths absolute. */
export function readPermissions(given: ToolPermissions, resolve: (path: string) => string): PermissionGrant {
  const paths = (list: readonly string[] | null | undefined) => [...new Set((list ?? []).map(resolve))];
  return {
    network: given.network?.enabled ?? undefined,
    read: paths(given.file_system?.read),
    write: paths(given.file_system?.write),
  };
}

/** As events and the model read it: what is not granted is null, kinds of access without a path are left out. */
export function writePermissions({ network, read, write }: PermissionGrant): ToolPermissions {
  return {
    network: network === undefined ? null : { enabled: network },
    file_system:
      read.length + write.length === 0
        ? null
        : { ...(read.length > 0 && { read: [...read] }), ...(write.length > 0 && { write: [...write] }) },
  };
}

/** Nothing is named, not even a network that stays off. */
export function isEmpty({ network, read, write }: PermissionGrant): boolean {
  return network === undefined && read.length === 0 && write.length === 0;
}

export function addPermissions(first: PermissionGrant, second: PermissionGrant): PermissionGrant {
  const network = first.network === true || second.network === true ? true : (first.network ?? second.network);
  return {
    network,
    read: [...new Set([...first.read, ...second.read])],
    write: [...new Set([...first.write, ...second.write])],
  };
}

/** What of `granted` had been asked for: a folder inside one that was, read access where writing was, never more. */
export function withinRequest(granted: PermissionGrant, asked: PermissionGrant): PermissionGrant {
  const readable = [...asked.read, ...asked.write];
  return {
    network: granted.network === true && asked.network === true ? true : undefined,
    read: granted.read.filter((path) => isWithin(readable, path)),
    write: granted.write.filter((path) => isWithin(asked.write, path)),
  };
}

/** Whether all that is asked for has been granted. */
export function covers(granted: PermissionGrant, asked: PermissionGrant): boolean {
  return (
    (asked.network !== true || granted.network === true) &&
    asked.read.every((path) => isWithin([...granted.read, ...granted.write], path)) &&
    asked.write.every((path) => isWithin(granted.write, path))
  );
}

function isWithin(folders: readonly string[], path: string): boolean {
  return folders.some((folder) => path === folder || path.startsWith(folder.endsWith("/") ? folder : `${folder}/`));
}
