import { setTimeout as sleep } from "node:timers/promises";
import { isAlive, killProcess, processParams } from "../parameters.mjs";

export async function run(scene) {
  for (const tty of [false, true])
    for (const how of ["SIGTERM", "SIGKILL"]) {
      const server = await scene.startServer();
      const client = await scene.initialized("A", { server });
      client.quiet = true;
      await client.request(
        "process/start",
        processParams(
          "p",
          'trap "" TERM HUP INT; sleep 77 & setsid sleep 78 & k=$!; sleep 0.3; echo $$ $k ; wait; while :; do sleep 0.1; done',
          { tty },
        ),
      );
      await client.waitFor(
        (message) => message.method === "process/output" && /\d+ \d+/.test(client.output("p").toString()),
      );
      const [pid, k] = client.output("p").toString().trim().split(/\s+/).map(Number);
      server.child.kill(how);
      await server.end;
      await sleep(400);
      scene.note(`${tty ? "tty" : "pipe"} ${how}: TERM/HUP-ignoring shell alive, its setsid child alive`, [
        isAlive(pid),
        isAlive(k),
      ]);
      // The shell leads a group; its setsid child does not belong to it.
      for (const each of [-pid, k]) killProcess(each);
    }
}
