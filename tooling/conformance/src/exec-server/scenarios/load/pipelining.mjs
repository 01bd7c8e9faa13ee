import { setTimeout as sleep } from "node:timers/promises";
import { processParams } from "../parameters.mjs";

export async function run(scene) {
  for (const [label, poll, n] of [
    ["100", 0, 100],
    ["200", 0, 200],
    ["300", 0, 300],
    ["1000", 0, 1000],
    ["5000", 0, 5000],
    ["100 behind a 1 s poll", 1000, 100],
    ["250 behind a 1 s poll", 1000, 250],
    ["300 behind a 1 s poll", 1000, 300],
    ["1000 behind a 1 s poll", 1000, 1000],
  ]) {
    const third = await scene.initialized("A");
    third.quiet = true;
    await third.request("process/start", processParams("s", "sleep 20"));
    const first = poll ? third.request("process/read", { processId: "s", waitMs: poll }) : null;
    const answers = await Promise.all(
      Array.from({ length: n }, () => third.request("environment/status", {}, { timeout: 4000 })),
    );
    const ok = answers.filter((r) => r.result).length;
    scene.note(label, ok === n ? "all answered" : "some never answered");
    scene.note(`~${label}`, { answered: ok, of: n });
    if (first) await first;
    if (ok < n) {
      await sleep(500);
      const r = await third.request("environment/status", {}, { timeout: 2000 });
      scene.note(
        `${label} — later request`,
        r._timeout ? "no reply (connection wedged)" : r._closed ? "closed" : "answered",
      );
      const fourth = await scene.initialized("B");
      fourth.quiet = true;
      const q = await fourth.request("environment/status", {}, { timeout: 2000 });
      scene.note(`${label} — another connection`, q.result ?? q);
      fourth.cut();
    }
    third.cut();
  }
}
