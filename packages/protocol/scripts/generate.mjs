/**
 * Writes src/generated/validators.{js,d.ts}: one standalone Ajv validator for every named schema; and those of the
 * configuration file once more by themselves, as config-validators: each start reads them.
 * Run it alone (`node scripts/generate.mjs`) or through the build. Nothing is written when nothing changed.
 */
import { mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { fileURLToPath, pathToFileURL } from "node:url";
import Ajv, { _ } from "ajv";
import standaloneCode from "ajv/dist/standalone/index.js";
import additionalProperties from "ajv/dist/vocabularies/applicator/additionalProperties.js";
import { build, transform } from "esbuild";

const root = join(dirname(fileURLToPath(import.meta.url)), "..");

/** The error of a member that is not known says which ones are. */
additionalProperties.default.error.params = ({ params, parentSchema }) => {
  const known = Object.keys(parentSchema.properties ?? {}).filter((name) => name !== "$schema");
  return _`{additionalProperty: ${params.additionalProperty}, known: ${known.join(", ")}}`;
};

/** Loads a TypeScript module of this package by bundling it first. */
export async function load(entry) {
  const folder = join(root, "node_modules", ".cache");
  mkdirSync(folder, { recursive: true });
  const scratch = mkdtempSync(join(folder, "load-"));
  try {
    const outfile = join(scratch, "module.mjs");
    await build({
      entryPoints: [join(root, entry)],
      outfile,
      bundle: true,
      format: "esm",
      platform: "neutral",
      packages: "external",
      logLevel: "error",
    });
    return await import(pathToFileURL(outfile).href);
  } finally {
    rmSync(scratch, { recursive: true, force: true });
  }
}

/** Writes only what differs, so that watchers and caches stay quiet. */
export function writeIfChanged(path, text) {
  let old;
  try {
    old = readFileSync(path, "utf8");
  } catch {
    old = undefined;
  }
  if (old === text) return false;
  mkdirSync(dirname(path), { recursive: true });
  writeFileSync(path, text);
  return true;
}

/** Ajv's code refers to its runtime by `require`; ours must be an ES module without imports. */
function withoutRequire(code) {
  const length = `function textLength(text) {
  let count = 0;
  for (let index = 0; index < text.length; index++, count++) {
    const unit = text.charCodeAt(index);
    if (unit >= 0xd800 && unit <= 0xdbff && index + 1 < text.length && (text.charCodeAt(index + 1) & 0xfc00) === 0xdc00) index++;
  }
  return count;
}
`;
  const changed = code.replace(/require\("ajv\/dist\/runtime\/ucs2length"\)\.default/g, "textLength");
  const left = changed.match(/require\([^)]*\)/);
  if (left) throw new Error(`generated code still has ${left[0]}`);
  return changed === code ? code : changed.replace(/^"use strict";/, `"use strict";\n${length}`);
}

/** A wrong tag's error names its union, so that the message can list the tag's values; so does that of other unions. */
function withUnionNames(code, unions) {
  let current = "";
  return code.replace(/\/\*# sourceURL="([^"]+)" \*\/|keyword:"(discriminator|anyOf)",params:\{/g, (text, id, word) => {
    if (id !== undefined) {
      current = id;
      return "";
    }
    if (word === "anyOf" && !Object.hasOwn(unions, current)) return text;
    return `${text}union:${JSON.stringify(current)},`;
  });
}

/** The end of the JSON value that begins at an index. */
function endOfJson(text, start) {
  let depth = 0;
  for (let at = start; at < text.length; at++) {
    const character = text[at];
    if (character === '"') {
      at++;
      while (text[at] !== '"') at += text[at] === "\\" ? 2 : 1;
    } else if (character === "{" || character === "[") depth++;
    else if ((character === "}" || character === "]") && --depth === 0) return at + 1;
  }
  throw new Error("a schema in the generated code has no end");
}

/** Ajv's code keeps whole schemas to look a type or an enum up in them: the values go where they are used. */
function withoutSchemas(code) {
  const schemas = new Map();
  for (const match of code.matchAll(/const (schema\d+) = (?=\{)/g)) {
    const start = match.index + match[0].length;
    schemas.set(match[1], JSON.parse(code.slice(start, endOfJson(code, start))));
  }
  return code.replace(/\b(schema\d+)((?:\.\w+|\[\d+\]|\["[^"]+"\])+)/g, (text, name, path) => {
    let value = schemas.get(name);
    for (const [, member, index, key] of path.matchAll(/\.(\w+)|\[(\d+)\]|\["([^"]+)"\]/g)) {
      value = value?.[member ?? key ?? Number(index)];
    }
    return value === undefined ? text : JSON.stringify(value);
  });
}

/** Where in a schema a rule stands is of no use to anybody who has a value in hand. */
function withoutSchemaPaths(code) {
  return code.replace(/schemaPath:"(?:[^"\\]|\\.)*",/g, "");
}

/** Of what Ajv's functions hand to each other, only the path is used: without an object around it, calls are quicker. */
function withPlainPaths(code) {
  return code
    .replaceAll('{instancePath="", parentData, parentDataProperty, rootData=data}={}', 'instancePath=""')
    .replace(/\{instancePath,parentData[^{}]*?,rootData\}/g, "instancePath")
    .replace(/\{instancePath:([^{}]*?),parentData[^{}]*?,rootData\}/g, "$1");
}

/** Most of Ajv's code makes errors: said once, in functions, it is a third shorter, and every start compiles it. */
function withSharedRefusals(code) {
  const refusals = `function refuse(validate, instancePath, keyword, params) {
  validate.errors = [{ instancePath, keyword, params }];
  return false;
}
function refuseType(validate, instancePath, type) {
  return refuse(validate, instancePath, "type", { type });
}
function refuseMissing(validate, instancePath, missingProperty) {
  return refuse(validate, instancePath, "required", { missingProperty });
}
`;
  const refusal =
    /(validate\d+)\.errors = \[\{instancePath(?::([^{}]*?))?,keyword:"([^"]+)",params:\{([^{}]*)\}\}\];return false;/g;
  const shared = { type: ["refuseType", "type: "], required: ["refuseMissing", "missingProperty: "] };
  const changed = code.replace(refusal, (_, validate, path = "instancePath", keyword, params) => {
    const [name, member] = shared[keyword] ?? [];
    if (member === undefined || !params.startsWith(member))
      return `return refuse(${validate},${path},"${keyword}",{${params}});`;
    return `return ${name}(${validate},${path},${params.slice(member.length)});`;
  });
  return changed.replace(/^"use strict";/, `"use strict";\n${refusals}`);
}

/** For each tagged union, the values of its tag: the error of a wrong tag lists them. */
function tagTable(names, definition) {
  const table = {};
  for (const name of names) {
    const { schema } = definition(name);
    if (!schema.discriminator) continue;
    const tag = schema.discriminator.propertyName;
    table[name] = schema.oneOf.map((variant) => variant.properties[tag].const);
  }
  return table;
}

/** Unions of closed objects that share a tag without being told apart by it: see src/validate/forms.ts. */
function unionTable(names, definition) {
  const formsOf = ($ref) => {
    const { schema } = definition($ref);
    if (schema.anyOf) return schema.anyOf.flatMap((form) => (form.$ref ? formsOf(form.$ref) : [undefined]));
    return [schema.additionalProperties === false ? { name: $ref, schema } : undefined];
  };
  const values = (schema) => (schema?.$ref ? definition(schema.$ref).schema.enum : schema?.enum);
  const table = {};
  for (const name of names) {
    if (!definition(name).schema.anyOf) continue;
    const forms = formsOf(name);
    if (forms.includes(undefined)) continue;
    const tag = Object.keys(forms[0].schema.properties).find((member) =>
      forms.every(({ schema }) => schema.required?.includes(member) && values(schema.properties[member])),
    );
    if (tag === undefined) continue;
    table[name] = {
      tag,
      forms: forms.map(({ name, schema: { properties, required } }) => ({
        name,
        tags: values(properties[tag]),
        required,
        known: Object.keys(properties),
      })),
    };
  }
  return table;
}

/** The schemas that a schema consists of, itself included. */
function closureOf(name, definition, found = new Set()) {
  if (found.has(name)) return found;
  found.add(name);
  for (const [, used] of JSON.stringify(definition(name).schema).matchAll(/"\$ref":"([^"]+)"/g))
    closureOf(used, definition, found);
  return found;
}

/** One file of validators with its declarations. @returns whether it changed */
async function writeValidators(file, names, { ajv, definition }) {
  const source = standaloneCode(ajv, Object.fromEntries(names.map((name) => [name, name])));
  const unions = unionTable(names, definition);
  const plain = withPlainPaths(withUnionNames(withoutSchemaPaths(withoutSchemas(withoutRequire(source))), unions));
  const code = withSharedRefusals(plain);
  const left = code.match(/.{20}\b(?:parentData|rootData)\b/);
  if (left) throw new Error(`generated code still has ${left[0]}`);
  const tables = { tags: tagTable(names, definition), unions };
  const exports = Object.entries(tables).map(([name, table]) => `export const ${name} = ${JSON.stringify(table)};\n`);
  const whole = `${code}\n${exports.join("")}`;
  // Unused copies of schemas are most of what Ajv writes: shaking them out makes every start quicker.
  const { code: small } = await transform(whole, { minify: true, treeShaking: true, format: "esm", target: "es2022" });
  const header = "// Generated by scripts/generate.mjs. Do not edit.\n";
  const declarations = `${header}import type { CompiledValidator } from "../validate/compiled.js";
import type { Forms } from "../validate/forms.js";
${names
  .map((name) => `export declare const ${name}: CompiledValidator;`)
  .join("\n")}\nexport declare const tags: Readonly<Record<string, readonly string[]>>;
export declare const unions: Readonly<Record<string, Forms>>;\n`;
  const folder = join(root, "src", "generated");
  const wrote = [
    writeIfChanged(join(folder, `${file}.js`), header + small),
    writeIfChanged(join(folder, `${file}.d.ts`), declarations),
  ];
  return wrote.some(Boolean);
}

export async function generate() {
  const { schemaNames, definition } = await load("src/registry.ts");
  const names = schemaNames();
  const ajv = new Ajv({
    strict: true,
    allowUnionTypes: true,
    discriminator: true,
    inlineRefs: false,
    allErrors: false,
    messages: false,
    code: { source: true, esm: true, lines: false, optimize: 1 },
  });
  for (const name of names) ajv.addSchema({ $id: name, ...definition(name).schema });
  const changed = [
    await writeValidators("validators", names, { ajv, definition }),
    await writeValidators("config-validators", [...closureOf("ConfigFile", definition)], { ajv, definition }),
  ];
  return { names: names.length, changed: changed.some(Boolean) };
}

if (process.argv[1] === fileURLToPath(import.meta.url)) {
  const started = Date.now();
  const { names, changed } = await generate();
  console.log(`${names} validators ${changed ? "written" : "unchanged"} (${Date.now() - started} ms)`);
}
