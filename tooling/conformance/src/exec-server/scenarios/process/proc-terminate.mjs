import { setTimeout as sleep } from "node:timers/promises";
import { isAlive, killProcess, processParams } from "../parameters.mjs";

export async function run(scene) {
  const client = await scene.initialized();
  const term = (id) => client.request("process/terminate", { processId: id });
  await term("unknown");
  for (const tty of [false, true]) {
    const prefix = tty ? "tty-" : "pipe-";
    await client.request("process/start", processParams(`${prefix}sleep`, "echo up; exec sleep 30", { tty }));
    await client.waitForOutput(`${prefix}sleep`);
    const t0 = performance.now();
    await term(`${prefix}sleep`);
    await client.waitForClosed(`${prefix}sleep`);
    scene.note("ms to closed <200", performance.now() - t0 < 200);
    await term(`${prefix}sleep`);
    await client.request("process/read", { processId: `${prefix}sleep` });
    await client.request(
      "process/start",
      processParams(
        `${prefix}trap`,
        'trap "echo got-term; exit 9" TERM; trap "echo got-hup; exit 8" HUP; echo up; while :; do sleep 0.05; done',
        { tty },
      ),
    );
    await client.waitForOutput(`${prefix}trap`);
    await term(`${prefix}trap`);
    await client.waitForClosed(`${prefix}trap`);
    // children
    await client.request(
      "process/start",
      processParams(
        `${prefix}kids`,
        "sleep 31 & a=$!; setsid sleep 32 & b=$!; nohup sleep 33 >/dev/null 2>&1 & d=$!; sleep 0.3; echo $$ $a $b $d; wait",
        { tty },
      ),
    );
    await client.waitFor(
      (message) =>
        message.method === "process/output" &&
        message.params.processId === `${prefix}kids` &&
        /\d+ \d+ \d+ \d+/.test(client.output(`${prefix}kids`).toString()),
    );
    const pids = client.output(`${prefix}kids`).toString().trim().split(/\s+/).map(Number);
    client.quiet = true;
    await term(`${prefix}kids`);
    const ex = await client.waitForExited(`${prefix}kids`, 3000);
    await sleep(300);
    scene.note(`${prefix}kids alive after terminate [shell, bg child, setsid child, nohup child]`, pids.map(isAlive));
    scene.note("exited", ex.params ?? ex);
    const cl = await client.waitForClosed(`${prefix}kids`, 1500);
    scene.note("closed while a setsid child holds the pipe", cl.params ?? cl);
    for (const p of pids) killProcess(p);
    const cl2 = await client.waitForClosed(`${prefix}kids`, 3000);
    scene.note("closed after that child is gone", cl2.params ?? cl2);
    client.quiet = false;
    await client.request("process/start", processParams(`${prefix}out`, "echo before; sleep 30", { tty }));
    await client.waitForOutput(`${prefix}out`);
    await term(`${prefix}out`);
    await client.waitForClosed(`${prefix}out`);
  }
  await client.request("process/terminate", {});
  await client.request("process/terminate", { processId: 7 });
  // natural exit: what happens to children of a process that ended on its own
  await client.request("process/start", processParams("nat", "sleep 34 >/dev/null 2>&1 & echo $!"));
  await client.waitForClosed("nat");
  client.quiet = true;
  const kp = Number(client.output("nat"));
  await sleep(300);
  scene.note("background child survives the natural exit of its parent", isAlive(kp));
  killProcess(kp);
}
