import { describe, expect, test } from "vitest";
import {
  formatError,
  formatNotification,
  formatRawResult,
  formatRequest,
  formatResult,
  parseMessage,
} from "./message.js";

describe("parseMessage", () => {
  const cases: [string, unknown][] = [
    ['{"id":1,"method":"a","params":{"x":1}}', { kind: "request", id: 1, method: "a", params: { x: 1 } }],
    ['{"jsonrpc":"2.0","id":0,"method":"a","extra":true}', { kind: "request", id: 0, method: "a", params: undefined }],
    ['{"id":"","method":"a","result":1}', { kind: "request", id: "", method: "a", params: undefined }],
    ['{"method":"n"}', { kind: "notification", method: "n", params: undefined }],
    ['{"id":3,"result":null}', { kind: "result", id: 3, result: null }],
    [
      '{"id":3,"result":{},"error":{"code":-1,"message":"x"}}',
      { kind: "error", id: 3, error: { code: -1, message: "x" } },
    ],
    [
      '{"id":3,"error":{"code":-1,"message":"x","data":[1]}}',
      { kind: "error", id: 3, error: { code: -1, message: "x", data: [1] } },
    ],
    ["[]", { kind: "malformed", reason: "expected a JSON-RPC object" }],
    ["null", { kind: "malformed", reason: "expected a JSON-RPC object" }],
    ["{}", { kind: "malformed", reason: "missing field `method`" }],
    ['{"id":9}', { kind: "malformed", reason: "missing field `error`" }],
    ['{"id":null,"method":"a"}', { kind: "malformed", reason: "id must be a string or a 64-bit integer" }],
    ['{"id":1.5,"method":"a"}', { kind: "malformed", reason: "id must be a string or a 64-bit integer" }],
    ['{"id":true,"method":"a"}', { kind: "malformed", reason: "id must be a string or a 64-bit integer" }],
    [
      '{"id":9223372036854775808,"method":"a"}',
      { kind: "malformed", reason: "id must be a string or a 64-bit integer" },
    ],
    ['{"id":1,"method":5}', { kind: "malformed", reason: "method must be a string" }],
    ['{"id":1,"error":"x"}', { kind: "malformed", reason: "error must be an object" }],
  ];
  test.each(cases)("%s", (text, expected) => {
    expect(parseMessage(text)).toEqual(expected);
  });

  test("text that is not JSON says why", () => {
    expect(parseMessage("hello")).toMatchObject({ kind: "malformed", reason: expect.stringContaining("JSON") });
  });

  test.each(["9223372036854775807", "-9223372036854775808", "9007199254740993"])("the id %s stays exact", (digits) => {
    const message = parseMessage(`{"params":{"id":1,"x":"\\"id\\":2"},"id": ${digits} ,"method":"a"}`);
    expect(message).toMatchObject({ kind: "request", id: BigInt(digits) });
    expect(formatResult((message as { id: bigint }).id, {})).toBe(`{"id":${digits},"result":{}}`);
  });
});

test("envelopes keep the key order of the wire and never name jsonrpc", () => {
  expect(formatRequest(0, "m", undefined)).toBe('{"method":"m","id":0}');
  expect(formatRequest("a", "m", { x: 1 })).toBe('{"method":"m","id":"a","params":{"x":1}}');
  expect(formatResult(1, undefined)).toBe('{"id":1,"result":null}');
  expect(formatError(1, { code: -32600, message: "no" })).toBe('{"error":{"code":-32600,"message":"no"},"id":1}');
  expect(formatError(1, { code: 1, message: "no", data: {} })).toBe(
    '{"error":{"code":1,"message":"no","data":{}},"id":1}',
  );
  expect(formatNotification("n", { a: 1 }, { emittedAtMs: 2 })).toBe('{"method":"n","params":{"a":1},"emittedAtMs":2}');
});

test("a raw result is put into its envelope, around it where there is room", () => {
  const json = new TextEncoder().encode('{"a":"ü"}');
  const roomy = new Uint8Array(64 + json.length + 1);
  roomy.set(json, 64);
  const inside = roomy.subarray(64, 64 + json.length);
  for (const [result, room] of [
    [json, 0],
    [inside, 64],
    [inside, 3],
  ] as const) {
    const text = new TextDecoder().decode(formatRawResult("id", result, room));
    expect(text).toBe('{"id":"id","result":{"a":"ü"}}');
  }
});
