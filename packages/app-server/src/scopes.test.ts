import { expect, it } from "vitest";
import { Scopes } from "./scopes.js";

function gate() {
  let open = () => {};
  const opened = new Promise<void>((resolve) => {
    open = resolve;
  });
  return { opened, open };
}

it("runs one scope in order and other scopes meanwhile", async () => {
  const scopes = new Scopes();
  const seen: string[] = [];
  const first = gate();
  const done = Promise.all([
    scopes.run("a", async () => {
      await first.opened;
      seen.push("a1");
    }),
    scopes.run("a", () => void seen.push("a2")),
    scopes.run("b", () => void seen.push("b1")),
    scopes.run(null, () => void seen.push("free")),
  ]);
  expect(seen).toEqual(["b1", "free"]);
  first.open();
  await done;
  expect(seen).toEqual(["b1", "free", "a1", "a2"]);
});

it("goes on after a failure and forgets scopes without work", async () => {
  const scopes = new Scopes();
  const failing = scopes.run("a", () => {
    throw new Error("no");
  });
  const next = scopes.run("a", () => 2);
  await expect(failing).rejects.toThrow("no");
  await expect(next).resolves.toBe(2);
  await new Promise<void>((resolve) => setImmediate(resolve));
  expect(scopes.size).toBe(0);
});
