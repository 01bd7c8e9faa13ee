// @ts-check
// Holds what a server sent against the JSON Schema that the reference writes of its own app-server protocol.
import { execFileSync } from "node:child_process";
import { mkdtempSync, readFileSync } from "node:fs";
import { tmpdir } from "node:os";
import path from "node:path";
import { removeFolder } from "@turnkit/tooling-vitest/remove-folder";
import { Ajv } from "ajv";

/** @typedef {{ direction: string, message: any }} Entry direction: `client`, `client raw` (its text), `server`, or what is no traffic */
/** @typedef {{ oneOf: readonly { properties: { method: { enum: readonly [string] }, params?: { $ref?: string } } }[] }} Union */

export class ReferenceJudge {
  #ajv = new Ajv({ strict: false, validateFormats: false, allErrors: false });
  /** @type {any} */
  #definitions;

  /** @param {any} document as the reference generates it */
  constructor(document) {
    this.#definitions = document.definitions;
    this.#ajv.addSchema(document, "reference");
  }

  /** Has the genuine program write its schema. @param {string} program */
  static async of(program) {
    const folder = mkdtempSync(path.join(tmpdir(), "reference-judge-"));
    try {
      execFileSync(program, ["app-server", "generate-json-schema", "--experimental", "--out", folder], {
        env: { PATH: process.env.PATH, HOME: folder, CODEX_HOME: folder },
        stdio: ["ignore", "ignore", "pipe"],
      });
      const file = path.join(folder, "codex_app_server_protocol.schemas.json");
      return new ReferenceJudge(JSON.parse(readFileSync(file, "utf8")));
    } finally {
      await removeFolder(folder);
    }
  }

  /**
   * Every message of the server that breaks the schema, one line each.
   * @param {readonly Entry[]} entries in the order of the wire
   * @returns {{ judged: number, violations: string[] }}
   */
  judge(entries) {
    /** @type {Map<string, string[]>} */
    const asked = new Map();
    /** @type {string[]} */
    const violations = [];
    let judged = 0;
    let unfinished = "";
    for (const { direction, message } of entries) {
      if (direction === "client raw") unfinished += message;
      const lines = unfinished.split("\n");
      unfinished = lines.pop() ?? "";
      for (const request of direction === "client" ? [message] : lines.map(parsed)) {
        if (typeof request?.method !== "string" || request.id === undefined) continue;
        const key = JSON.stringify(request.id);
        asked.set(key, [...(asked.get(key) ?? []), request.method]);
      }
      if (direction !== "server") continue;
      judged += 1;
      const method = message?.method ?? (asked.get(JSON.stringify(message?.id)) ?? []).shift();
      const problem = this.#problem(message, method);
      if (problem !== null) violations.push(`${method}: ${problem}: ${JSON.stringify(message)?.slice(0, 600)}`);
    }
    return { judged, violations };
  }

  /** @param {any} message @param {string | undefined} method @returns {string | null} */
  #problem(message, method) {
    if (message?.method !== undefined) {
      const union = message.id === undefined ? "ServerNotification" : "ServerRequest";
      const index = this.#union(union).oneOf.findIndex((variant) => variant.properties.method.enum[0] === method);
      return index < 0 ? `no ${union} of the reference` : this.#check(`${union}/oneOf/${index}`, message);
    }
    if (message?.error !== undefined) return this.#check("JSONRPCError", message);
    if (message?.result === undefined) return "neither request, notification nor reply";
    if (method === undefined) return "a reply to nothing";
    const name = this.#responseOf(method);
    return name === undefined ? "no result of the reference has this method" : this.#check(name, message.result);
  }

  /** Where the result of a method is defined. @param {string} method */
  #responseOf(method) {
    const variant = this.#union("ClientRequest").oneOf.find(({ properties }) => properties.method.enum[0] === method);
    const params = variant?.properties.params?.$ref?.split("/").at(-1);
    const words = method.split(/[/_]/).map((word) => word.charAt(0).toUpperCase() + word.slice(1));
    const names = [...(params ? [params.replace(/Params$/, "Response")] : []), `${words.join("")}Response`];
    for (const name of names) {
      if (Object.hasOwn(this.#definitions.v2, name)) return `v2/${name}`;
      if (Object.hasOwn(this.#definitions, name)) return name;
    }
    return undefined;
  }

  /** @param {string} name @returns {Union} */
  #union(name) {
    return this.#definitions[name];
  }

  /** @param {string} place below `definitions` @param {unknown} value */
  #check(place, value) {
    const validate = this.#ajv.getSchema(`reference#/definitions/${place}`);
    if (!validate) throw new Error(`the reference's schema has no ${place}`);
    return validate(value) ? null : this.#ajv.errorsText(validate.errors, { dataVar: "message" });
  }
}

/** What the server can have read of a line. @param {string} line @returns {any} */
function parsed(line) {
  try {
    return JSON.parse(line);
  } catch {
    return undefined;
  }
}
