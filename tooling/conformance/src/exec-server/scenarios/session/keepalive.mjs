import { setTimeout as sleep } from "node:timers/promises";

export async function run(scene) {
  const third = await scene.initialized("A");
  const t0 = performance.now();
  const times = [];
  third.socket.on("ping", () => times.push(Math.round((performance.now() - t0) / 1000)));
  await sleep(65000);
  scene.note("pings at seconds", times);
  const mute = await scene.connect("B", { socket: { autoPong: false } });
  mute.quiet = true;
  await mute.initialize();
  const t1 = performance.now();
  await mute.waitForEnd(100000);
  scene.note(
    "client that never pongs: closed after s",
    mute.ended ? [Math.round((performance.now() - t1) / 1000), mute.ended] : "not within 100 s",
  );
}
