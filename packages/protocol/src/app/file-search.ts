/** Files by a few letters of their path. */
import { type Static, Type } from "typebox";
import { maybe, open, stringEnum } from "../define.js";

export const FuzzyFileSearchParams = open("FuzzyFileSearchParams", {
  query: Type.String(),
  /** Folders that are searched. */
  roots: Type.Array(Type.String()),
  /** A later request with the same token makes an earlier one pointless. */
  cancellationToken: maybe(Type.String()),
});
export type FuzzyFileSearchParams = Static<typeof FuzzyFileSearchParams>;

export const FuzzyFileSearchMatchType = stringEnum("FuzzyFileSearchMatchType", ["file", "directory"]);
export type FuzzyFileSearchMatchType = Static<typeof FuzzyFileSearchMatchType>;

export const FuzzyFileSearchResult = open("FuzzyFileSearchResult", {
  root: Type.String(),
  /** Relative to `root`, with forward slashes. */
  path: Type.String(),
  match_type: FuzzyFileSearchMatchType,
  file_name: Type.String(),
  /** Higher is better. */
  score: Type.Integer({ minimum: 0 }),
  /** Characters of `path` that matched. */
  indices: maybe(Type.Array(Type.Integer({ minimum: 0 }))),
});
export type FuzzyFileSearchResult = Static<typeof FuzzyFileSearchResult>;

export const FuzzyFileSearchResponse = open("FuzzyFileSearchResponse", {
  files: Type.Array(FuzzyFileSearchResult),
});
export type FuzzyFileSearchResponse = Static<typeof FuzzyFileSearchResponse>;
