import { setTimeout as sleep } from "node:timers/promises";
import { isAlive, killProcess, processParams } from "../parameters.mjs";

export async function run(scene) {
  const server = await scene.startServer();
  const first = await scene.initialized("A");
  await first.request("process/start", processParams("p", 'trap "" TERM; echo $$; while :; do sleep 0.1; done'));
  await first.waitFor((message) => message.method === "process/output");
  const pid = Number(first.output("p"));
  first.quiet = true;
  const ex = await server.stop("SIGTERM");
  scene.note("server exit", ex);
  await sleep(300);
  scene.note("client sees", first.ended);
  scene.note("child alive after server SIGTERM", isAlive(pid));
  killProcess(pid);
  const secondServer = await scene.startServer();
  const second = await scene.initialized("B", { server: secondServer });
  second.quiet = true;
  await second.request("process/start", processParams("p", "echo $$; exec sleep 300"));
  await second.waitFor((message) => message.method === "process/output");
  const pid2 = Number(second.output("p"));
  secondServer.child.kill("SIGKILL");
  await secondServer.end;
  await sleep(400);
  scene.note("child alive after server SIGKILL", isAlive(pid2));
  killProcess(pid2);
}
