import { expect, it } from "vitest";
import { OverrideError, parseOverrides } from "./overrides.js";

it("reads values as TOML where they are, and as text otherwise", () => {
  const entries = [
    'model="o3"',
    "model_provider=mock",
    "features.x=true",
    "a.b=3",
    "list=['x']",
    "list=[1, 2]",
    "text='it''s'",
    "environment={ A = '1' }",
    "long=1_000",
  ];
  expect(parseOverrides(entries)).toEqual({
    model: "o3",
    model_provider: "mock",
    "features.x": true,
    "a.b": 3,
    list: [1, 2],
    text: "'it''s'",
    environment: { A: "1" },
    long: 1000,
  });
});

it.each(["", "=1", "no-equals", "a b=1", ".a=1"])("refuses %j", (entry) => {
  expect(() => parseOverrides([entry])).toThrow(OverrideError);
});
