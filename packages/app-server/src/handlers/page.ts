/** Pages of a list that is already in order. Pure. */
import { RpcErrorCode } from "@turnkit/protocol";
import { RpcError } from "@turnkit/rpc";

export interface Page<Row> {
  readonly data: Row[];
  readonly nextCursor: string | null;
  /** Of the first row, for paging the other way; null where there is none. */
  readonly backwardsCursor: string | null;
}

interface PageRequest<Row> {
  readonly rows: readonly Row[];
  readonly cursor: string | null | undefined;
  readonly limit: number | null | undefined;
  readonly defaultLimit: number;
  readonly maxLimit: number;
  /** The cursor after which the next page starts. */
  readonly cursorOf: (row: Row) => string;
  readonly backwardsCursorOf: (row: Row) => string;
}

/** @throws {RpcError} a cursor that names no row */
export function pageOf<Row>(request: PageRequest<Row>): Page<Row> {
  const { rows, cursor, cursorOf } = request;
  let start = 0;
  if (cursor != null) {
    const index = rows.findIndex((row) => cursorOf(row) === cursor || request.backwardsCursorOf(row) === cursor);
    if (index < 0) throw new RpcError(RpcErrorCode.invalidRequest, `invalid cursor: ${cursor}`);
    start = cursorOf(rows[index] as Row) === cursor ? index + 1 : index;
  }
  const size = Math.min(Math.max(1, request.limit ?? request.defaultLimit), request.maxLimit);
  const data = rows.slice(start, start + size);
  const [first, last] = [data[0], data.at(-1)];
  return {
    data,
    nextCursor: last !== undefined && start + size < rows.length ? cursorOf(last) : null,
    backwardsCursor: first === undefined ? null : request.backwardsCursorOf(first),
  };
}
