/** The threads there are, the last used first, page by page: whoever chooses one sees the newest at once. */
import type { AppParams, Thread } from "@turnkit/protocol/app";
import type { AppConnection } from "./app-connection.js";

/** As many as a server gives at once. */
const PAGE = 100;
/** Who looks for an older one has its id, or the words to search for. */
const MOST_PAGES = 20;

/** Pages without a thread are left out. */
export async function* threadPages(connection: AppConnection): AsyncGenerator<readonly Thread[], void, undefined> {
  let cursor: string | undefined;
  for (let page = 0; page < MOST_PAGES; page += 1) {
    const params: AppParams<"thread/list"> = { limit: PAGE, sortKey: "updated_at", ...(cursor && { cursor }) };
    const { data, nextCursor } = await connection.request("thread/list", params);
    if (data.length > 0) yield data;
    if (nextCursor == null) return;
    cursor = nextCursor;
  }
}
