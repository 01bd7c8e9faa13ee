/** Conversions between the core's and the app protocol's spellings. They touch no files. */
export { joinCommandWords, pathOfPlace } from "./command-text.js";
export { affectsTurn, toAppErrorInfo, toTurnError } from "./errors.js";
export { reviewText } from "./review-text.js";
export {
  durationMilliseconds,
  toCommandAction,
  toFileUpdateChanges,
  toThreadItem,
  toWebSearchAction,
} from "./turn-item.js";
export { fromAppTextElement, fromAppUserInput, toAppTextElement, toAppUserInput } from "./user-input.js";
