/** What the model is asked for when its history becomes too long, and how the answer is introduced to the model after it. */

export const COMPACTION_PROMPT = `The conversation so far is about to be replaced by a note that you write now. Whoever goes on reads only that note, what the user wrote, and the state of the workspace.

Write the note for them:
- what the user wants, in their terms, with every requirement and preference that still holds
- what has been done and found out, and which decisions were taken for which reasons
- names, paths, commands, values and error texts that will be needed again, exactly as they are
- what is still open, in the order in which to do it

Leave out what no longer matters. Answer with the note alone and call no tools.`;

/** Stands before the note; what begins like this is no message of the user. */
export const SUMMARY_INTRODUCTION =
  "The earlier part of this conversation was shortened. Its messages from the user are kept above; the rest is replaced by this note, written by the model that had read all of it. Go on from there and do not repeat work that the note says is done.";

export function summaryMessage(note: string): string {
  return `${SUMMARY_INTRODUCTION}\n\n${note}`;
}
