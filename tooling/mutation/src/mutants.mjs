// @ts-check
// Which small changes a source file allows: one syntax node at a time, by fixed operators. Does not run anything.
import { parseSync } from "vite";

/**
 * @typedef {object} Mutant
 * @property {string} operator what kind of change it is
 * @property {number} start first character that is replaced
 * @property {number} end
 * @property {string} replacement
 * @property {number} line counted from 1
 * @property {string} lineText the line, without the space around it
 * @property {string} was
 */
/** @typedef {{ type: string, start: number, end: number, [member: string]: any }} Node */

/** @type {Readonly<Record<string, string>>} */
const COMPARISONS = { "<": "<=", "<=": "<", ">": ">=", ">=": ">", "===": "!==", "!==": "===" };
/** @type {Readonly<Record<string, string>>} */
const ARITHMETIC = { "+": "-", "-": "+", "*": "/", "/": "*" };
/** @type {Readonly<Record<string, string>>} */
const LOGICAL = { "&&": "||", "||": "&&", "??": "&&" };
/** @type {Readonly<Record<string, string>>} */
const ASSIGNMENTS = { "+=": "-=", "-=": "+=", "??=": "=" };
/** @type {Readonly<Record<string, string>>} */
const MEMBERS = { min: "max", max: "min", some: "every", every: "some", shift: "pop", push: "unshift" };

/** Statements whose whole absence is a change. */
const REMOVABLE = new Set(["ExpressionStatement", "BreakStatement", "ContinueStatement", "ThrowStatement"]);

/**
 * Every change of a file, in the order of the text.
 * @param {string} file its name decides the language @param {string} text
 * @returns {Mutant[]}
 */
export function mutantsOf(file, text) {
  const { program, errors } = parseSync(file, text);
  if (errors.length > 0) throw new Error(`${file} cannot be read: ${errors[0]?.message}`);
  /** @type {Mutant[]} */
  const mutants = [];
  /** @param {string} operator @param {number} start @param {number} end @param {string} replacement */
  const add = (operator, start, end, replacement) => {
    const before = text.slice(0, start);
    const line = before.split("\n").length;
    const lineText = (text.split("\n")[line - 1] ?? "").trim();
    mutants.push({ operator, start, end, replacement, line, lineText, was: text.slice(start, end) });
  };
  visit(/** @type {any} */ (program), (node, parent) => mutate(node, parent, text, add));
  return mutants.sort((a, b) => a.start - b.start || a.end - b.end);
}

/** @param {Mutant} mutant @param {string} text */
export function apply(mutant, text) {
  return text.slice(0, mutant.start) + mutant.replacement + text.slice(mutant.end);
}

/**
 * @param {Node} node @param {Node | undefined} parent @param {string} text
 * @param {(operator: string, start: number, end: number, replacement: string) => void} add
 */
function mutate(node, parent, text, add) {
  /** @param {Node} left @param {Node} right @param {string} operator @param {string} other @param {string} name */
  const between = (left, right, operator, other, name) => {
    const at = text.indexOf(operator, left.end);
    if (at >= 0 && at < right.start) add(name, at, at + operator.length, other);
  };
  if (REMOVABLE.has(node.type)) add("statement removed", node.start, node.end, ";");
  switch (node.type) {
    case "IfStatement":
    case "WhileStatement":
    case "DoWhileStatement":
    case "ConditionalExpression":
    case "ForStatement":
      if (node.test && !negatedOtherwise(node.test))
        add("condition negated", node.test.start, node.test.end, `!(${slice(node.test, text)})`);
      break;
    case "ReturnStatement":
      // Without its return the function goes on; only where something follows is that a change of its own.
      if (parent?.type === "IfStatement") add("statement removed", node.start, node.end, ";");
      break;
    case "BinaryExpression": {
      const other = COMPARISONS[node.operator];
      const sum = ARITHMETIC[node.operator];
      if (other) between(node.left, node.right, node.operator, other, "comparison changed");
      else if (sum) between(node.left, node.right, node.operator, sum, "arithmetic changed");
      break;
    }
    case "LogicalExpression": {
      const other = LOGICAL[node.operator];
      if (other) between(node.left, node.right, node.operator, other, "logical operator changed");
      break;
    }
    case "AssignmentExpression": {
      const other = ASSIGNMENTS[node.operator];
      if (other) between(node.left, node.right, node.operator, other, "assignment changed");
      break;
    }
    case "UnaryExpression":
      if (node.operator === "!") add("negation removed", node.start, node.argument.start, "");
      break;
    case "MemberExpression": {
      const other = node.computed ? undefined : MEMBERS[node.property.name];
      if (other && parent?.type === "CallExpression")
        add("member changed", node.property.start, node.property.end, other);
      break;
    }
    case "TemplateLiteral":
      if (node.quasis.some((/** @type {Node} */ quasi) => quasi.end > quasi.start))
        add("text emptied", node.start, node.end, "``");
      break;
    case "Literal":
      literal(node, parent, add);
      break;
    default:
  }
}

/**
 * @param {Node} node @param {Node | undefined} parent
 * @param {(operator: string, start: number, end: number, replacement: string) => void} add
 */
function literal(node, parent, add) {
  if (typeof node.value === "boolean") add("literal changed", node.start, node.end, String(!node.value));
  else if (typeof node.value === "number") add("literal changed", node.start, node.end, String(node.value + 1));
  else if (typeof node.value === "string" && parent?.type !== "Property")
    add("text emptied", node.start, node.end, node.value === "" ? '"changed"' : '""');
  else if (typeof node.value === "string" && parent?.value === node) add("text emptied", node.start, node.end, '""');
}

/** @param {Node} node @param {string} text */
const slice = (node, text) => text.slice(node.start, node.end);

/** Another operator makes the same change. @param {Node} test */
const negatedOtherwise = (test) =>
  (test.type === "UnaryExpression" && test.operator === "!") ||
  (test.type === "BinaryExpression" && (test.operator === "===" || test.operator === "!=="));

/** Types, directives, imports, exports from elsewhere and the names of error classes decide nothing. @param {Node} node */
function decidesNothing(node) {
  if (node.type === "ImportDeclaration" || node.type === "ExportAllDeclaration") return true;
  if (typeof node.directive === "string") return true;
  if (node.type === "PropertyDefinition") return node.key?.name === "name";
  const wrapsExpression = ["TSAsExpression", "TSNonNullExpression", "TSSatisfiesExpression", "TSParameterProperty"];
  return node.type.startsWith("TS") && !wrapsExpression.includes(node.type);
}

/** @param {Node} node @param {(node: Node, parent: Node | undefined) => void} see @param {Node} [parent] */
function visit(node, see, parent) {
  if (decidesNothing(node)) return;
  see(node, parent);
  for (const [member, value] of Object.entries(node)) {
    if (member === "typeAnnotation") continue;
    for (const child of Array.isArray(value) ? value : [value])
      if (child && typeof child === "object" && typeof child.type === "string") visit(child, see, node);
  }
}
