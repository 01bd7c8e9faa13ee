import { setTimeout as sleep } from "node:timers/promises";
import { b64, processParams } from "../parameters.mjs";

export async function run(scene) {
  const client = await scene.initialized();
  await client.request(
    "process/start",
    processParams("t1", "stty size; tty | sed s/[0-9]*//g; echo err >&2; exit 4", { tty: true }),
  );
  await client.waitForClosed("t1");
  scene.note("all", client.output("t1").toString());
  await client.request("process/read", { processId: "t1" });
  await client.request(
    "process/start",
    processParams(
      "t2",
      "ps -o pid=,pgid=,sid=,tpgid=,tty= -p $$ | awk '{print ($1==$2), ($1==$3), ($1==$4)}'; stty -a",
      { tty: true },
    ),
  );
  await client.waitForClosed("t2");
  scene.note("t2", client.output("t2").toString());
  await client.request("process/start", processParams("t3", ["cat"], { tty: true }));
  await client.request("process/write", { processId: "t3", chunk: b64("hello\n"), writeId: "a" });
  await sleep(200);
  scene.note("echo", client.output("t3").toString());
  await client.request("process/write", { processId: "t3", chunk: b64("\x04"), writeId: "b" });
  await client.waitForClosed("t3");
  await client.request("process/start", processParams("t4", ["cat"], { tty: true }));
  await sleep(100);
  await client.request("process/write", { processId: "t4", chunk: b64("\x03"), writeId: "a" });
  await client.waitForClosed("t4");
  await client.request("process/start", processParams("t5", "env | sort", { tty: true, env: {} }));
  await client.waitForClosed("t5");
  scene.note("env with {}", client.output("t5").toString());
  await client.request(
    "process/start",
    processParams("t6", "env | sort", { tty: true, env: { PATH: "/bin", TERM: "dumb" }, size: { rows: 10, cols: 20 } }),
  );
  await client.waitForClosed("t6");
  await client.request("process/start", processParams("t7", "stty size", { tty: true, size: { rows: 10, cols: 20 } }));
  await client.waitForClosed("t7");
  scene.note("size param ignored?", client.output("t7").toString());
  await client.request("process/start", processParams("t8", "sleep 5 & echo x", { tty: true }));
  await client.waitForClosed("t8", 8000);
  scene.note("t8 (bg child holds tty)", client.output("t8").toString());
}
