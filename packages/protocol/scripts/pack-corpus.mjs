/**
 * Packs a folder of session files into fixtures/rollouts: one brotli-compressed JSON object per version, file name to
 * text (or to base64 where the name ends in .zst), and the folder's tables beside them.
 * Use: node scripts/pack-corpus.mjs FOLDER
 */
import { mkdirSync, readdirSync, readFileSync, statSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { fileURLToPath } from "node:url";
import { brotliCompressSync, constants } from "node:zlib";

const folder = process.argv[2];
if (!folder) {
  console.error("Use: node scripts/pack-corpus.mjs FOLDER");
  process.exit(2);
}
const target = join(dirname(fileURLToPath(import.meta.url)), "..", "fixtures", "rollouts");
mkdirSync(target, { recursive: true });

function write(name, value) {
  const text = Buffer.from(JSON.stringify(value));
  const packed = brotliCompressSync(text, {
    params: {
      [constants.BROTLI_PARAM_QUALITY]: 11,
      [constants.BROTLI_PARAM_LGWIN]: 24,
      [constants.BROTLI_PARAM_SIZE_HINT]: text.length,
    },
  });
  writeFileSync(join(target, `${name}.json.br`), packed);
  return packed.length;
}

let total = 0;
let files = 0;
for (const entry of readdirSync(folder).sort()) {
  const path = join(folder, entry);
  if (statSync(path).isDirectory()) {
    const names = readdirSync(path)
      .filter((name) => /\.jsonl(\.zst)?$/.test(name))
      .sort();
    const bundle = Object.fromEntries(
      names.map((name) => [name, readFileSync(join(path, name)).toString(name.endsWith(".zst") ? "base64" : "utf8")]),
    );
    files += names.length;
    total += write(entry, bundle);
  } else if (entry.endsWith(".json")) {
    total += write(entry.slice(0, -".json".length), JSON.parse(readFileSync(path, "utf8")));
  }
}
console.log(`${files} session files, ${total} bytes packed`);
