/** Checks by every validator there is. Whoever imports this reads all of them. */
import * as generated from "../generated/validators.js";
import { checksBy } from "./check.js";

export const { table, compiledFor, check, findFault, judge } = checksBy(generated);
