/** Finds files by a few letters of their path, for clients that complete them while a person types. */
import { basename } from "node:path";
import type { FuzzyFileSearchResult } from "@turnkit/protocol/app";
import fuzzysort from "fuzzysort";
import { listFiles } from "../host/list-files.js";
import type { Handlers } from "./handler.js";

/** A person reads no more. */
const most = 50;
/** The last request of each token; earlier ones have nothing left to say. */
const latest = new Map<string, object>();

function matches(root: string, paths: readonly string[], query: string): FuzzyFileSearchResult[] {
  return fuzzysort.go(query, paths, { limit: most }).map(({ target, score, indexes }) => ({
    root,
    path: target.replace(/\/$/, ""),
    match_type: target.endsWith("/") ? "directory" : "file",
    file_name: basename(target),
    score: Math.round(score * 100),
    indices: [...indexes].filter((index) => index < target.replace(/\/$/, "").length),
  }));
}

export const fileSearchHandlers: Handlers = {
  async fuzzyFileSearch({ query, roots, cancellationToken }) {
    const mine = {};
    if (cancellationToken) latest.set(cancellationToken, mine);
    const found =
      query === "" ? [] : await Promise.all(roots.map(async (root) => matches(root, await listFiles(root), query)));
    const current = !cancellationToken || latest.get(cancellationToken) === mine;
    if (cancellationToken && current) latest.delete(cancellationToken);
    const files = current ? found.flat() : [];
    return { files: files.toSorted((a, b) => b.score - a.score).slice(0, most) };
  },
};
