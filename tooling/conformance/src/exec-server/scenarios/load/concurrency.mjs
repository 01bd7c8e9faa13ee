import { b64, processParams } from "../parameters.mjs";

/** Waits last this many times longer than the notes say, and a reply may be late, so that a busy machine changes nothing. */
const SLOWER = 5;
/** Timers may end a moment before their time. */
const EARLY_MS = 10;

export async function run(scene) {
  for (const n of ["1", "2", "8"]) {
    await scene.startServer({ args: ["--concurrent-requests", n] });
    const third = await scene.initialized(`n${n}`, {});
    third.quiet = true;
    await third.request("process/start", processParams("s", "sleep 20"));
    const t0 = performance.now();
    const at = {};
    const mark = (k) => (r) => {
      at[k] = (performance.now() - t0) / SLOWER;
      return r;
    };
    await Promise.all([
      third.request("process/read", { processId: "s", waitMs: 600 * SLOWER }).then(mark("read600")),
      third.request("process/read", { processId: "s", waitMs: 400 * SLOWER }).then(mark("read400")),
      third.request("process/read", { processId: "s", waitMs: 200 * SLOWER }).then(mark("read200")),
      third.request("environment/status", {}).then(mark("status")),
      third.request("process/start", processParams("z", ["true"])).then(mark("start")),
      third.request("nope", {}).then(mark("unknown method")),
      third.request("process/read", {}).then(mark("bad params")),
    ]);
    scene.note(
      `--concurrent-requests ${n}: reply times (ms, to the nearest 200)`,
      Object.fromEntries(
        Object.keys(at)
          .filter((k) => k !== "bad params")
          .sort()
          .map((k) => [k, Math.floor((at[k] + EARLY_MS) / 200) * 200]),
      ),
    );
    await third.request("process/terminate", { processId: "s" });
    await third.request("process/start", processParams("cat", ["cat"], { pipeStdin: true }));
    await Promise.all(
      Array.from({ length: 200 }, (_, i) =>
        third.request("process/write", { processId: "cat", chunk: b64(`${i}\n`), writeId: `w${i}` }),
      ),
    );
    const lines = () => third.output("cat").toString().trim().split("\n");
    await third.waitFor(() => lines().length >= 200);
    const nums = lines().map(Number);
    scene.note(
      `${n === "1" ? "" : "~"}200 pipelined writes arrive in order, slots ${n}`,
      nums.length === 200 && nums.every((v, i) => v === i),
    );
    await third.request("process/terminate", { processId: "cat" });
  }
  await scene.startServer({});
  const third = await scene.initialized("two-conns");
  const fourth = await scene.initialized("two-conns-b");
  third.quiet = fourth.quiet = true;
  await third.request("process/start", processParams("s", "sleep 20"));
  const p = third.request("process/read", { processId: "s", waitMs: 3000 });
  const t0 = performance.now();
  await fourth.request("environment/status", {});
  scene.note("another connection is not blocked", performance.now() - t0 < 2000);
  await p;
  await third.request("process/terminate", { processId: "s" });
}
