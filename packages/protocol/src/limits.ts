/** Limits that peers share. */

/** Over all text inputs of one submission, in Unicode scalar values (not UTF-16 units, not bytes). */
export const MAX_USER_INPUT_TEXT_CHARS = 1_048_576;
