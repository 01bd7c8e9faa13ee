import { inputCase, textItem } from "../input-case.mjs";

export async function run(scene) {
  const client = await scene.start();
  await client.init();
  await inputCase(client, "text-elements", [
    textItem("héllo @file ünd", [
      { byteRange: { start: 7, end: 12 }, placeholder: "[file]" },
      { byteRange: { start: 0, end: 6 } },
    ]),
  ]);
  await inputCase(client, "text-elements-missing-field", [{ type: "text", text: "no elements field" }]);
  await inputCase(client, "text-elements-camelCase", [
    { type: "text", text: "camel abc", textElements: [{ byteRange: { start: 0, end: 5 }, placeholder: null }] },
  ]);
  await inputCase(client, "text-elements-out-of-range", [
    textItem("abc", [{ byteRange: { start: 0, end: 99 } }, { byteRange: { start: 2, end: 1 } }]),
  ]);
  await inputCase(client, "text-two-parts", [
    textItem("one é", [{ byteRange: { start: 0, end: 3 } }]),
    textItem("two", [{ byteRange: { start: 0, end: 3 }, placeholder: "P" }]),
  ]);
  await inputCase(client, "text-empty-string", [textItem("")]);
  await inputCase(client, "text-whitespace", [textItem("  \n ")]);
  await inputCase(client, "empty-array", []);
  await inputCase(client, "unknown-type", [{ type: "video", url: "x" }]);
  await inputCase(client, "text-missing-text", [{ type: "text" }]);
  await inputCase(client, "input-not-array", "zzz", { input: "str" });
  await inputCase(client, "input-missing", "zzz", { input: undefined });
  await inputCase(client, "extra-fields", [{ type: "text", text: "extra", text_elements: [], bogus: 1 }]);
  await inputCase(client, "client-id", [textItem("with client id")], { clientUserMessageId: "cid-1" });
  await inputCase(client, "additional-context", [textItem("ctx")], {
    additionalContext: { "my.source": { value: "some context", kind: "untrusted" } },
  });
  await inputCase(client, "output-schema", [textItem("schema")], {
    outputSchema: {
      type: "object",
      properties: { a: { type: "string" } },
      required: ["a"],
      additionalProperties: false,
    },
  });
}
