/** `file://` URIs on the wire, native paths inside. Owns the conversion and its refusals. */
import { pathToFileURL } from "node:url";

/** The URI cannot be a path of any machine, or not of this one (`foreign`). */
export class PathUriError extends Error {
  override readonly name = "PathUriError";

  constructor(
    message: string,
    readonly foreign: boolean,
  ) {
    super(message);
  }
}

/** @throws {PathUriError} */
export function pathFromUri(uri: string): string {
  let url: URL;
  try {
    url = new URL(uri);
  } catch {
    throw new PathUriError("invalid URI: relative URL without a base", false);
  }
  if (url.protocol !== "file:") {
    throw new PathUriError(`unsupported path URI scheme \`${url.protocol.slice(0, -1)}\``, false);
  }
  if (url.search !== "") throw new PathUriError("query parameters are not allowed in path URIs", false);
  if (url.hash !== "") throw new PathUriError("fragments are not allowed in path URIs", false);
  if (url.hostname !== "") throw new PathUriError(`'${uri}' is invalid on '${process.platform}'`, true);
  let path: string;
  try {
    path = decodeURIComponent(url.pathname);
  } catch {
    throw new PathUriError("invalid URI: the path is not UTF-8", false);
  }
  if (path.includes("\0")) throw new PathUriError("invalid URI: the path holds a NUL byte", false);
  return path.length > 1 && path.endsWith("/") ? path.replace(/\/+$/, "") || "/" : path;
}

export function uriFromPath(path: string): string {
  return pathToFileURL(path).href;
}
