/** Every method of every table has validators that refuse a wrong value with one issue, in both directions. */
import { describe, expect, test } from "vitest";
import { AppMethods, appRequestOrder } from "../src/app/index.js";
import { ExecMethods } from "../src/exec/index.js";
import { methodValidators, type SchemaName, validatorNames } from "../src/validate/index.js";

type Names = { params?: SchemaName; result?: SchemaName };
const families = { app: AppMethods, exec: ExecMethods } as unknown as Record<
  string,
  Record<string, Record<string, Names>>
>;
const tables = Object.entries(families).flatMap(([family, directions]) =>
  Object.entries(directions).map(([direction, table]) => [`${family} ${direction}`, table] as const),
);

/** Nothing in the protocols is a bare number. */
const wrong = 5;

describe.each(tables)("%s", (_, table) => {
  test.each(Object.entries(table))("%s", (method, names) => {
    const validators = methodValidators(table)(method);
    if (names.params === undefined) expect(method).toBe("initialized");
    else {
      expect(validatorNames).toContain(names.params);
      expect(validators?.params(wrong)).toHaveLength(1);
    }
    if (names.result !== undefined) {
      expect(validatorNames).toContain(names.result);
      expect(validators?.result(wrong)).toHaveLength(1);
    }
  });
});

test("the tables are whole", () => {
  const sizes = Object.fromEntries(tables.map(([name, table]) => [name, Object.keys(table).length]));
  expect(sizes).toEqual({
    "app clientRequests": 70,
    "app serverRequests": 6,
    "app serverNotifications": 53,
    "app clientNotifications": 1,
    "exec clientRequests": 25,
    "exec serverRequests": 0,
    "exec serverNotifications": 4,
    "exec clientNotifications": 1,
  });
  for (const method of Object.keys(AppMethods.clientRequests)) expect(appRequestOrder).toContain(method);
});
