/** The error of a value that does not have the shape it must have. */
import { formatIssue, type Issue } from "./issue.js";
import { joinPath } from "./path.js";

export class ValidationError extends Error {
  override readonly name = "ValidationError";
  /** Where, with the label of the value in front: `params.input[1].text`. */
  readonly path: string;
  /** The name of the schema. */
  readonly schema: string;
  readonly issues: readonly Issue[];

  constructor(schema: string, issue: Issue, label: string) {
    super(formatIssue(issue, label));
    this.path = joinPath(label, issue.path);
    this.schema = schema;
    this.issues = [issue];
  }
}
