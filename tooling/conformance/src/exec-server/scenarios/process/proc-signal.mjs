import { setTimeout as sleep } from "node:timers/promises";
import { processParams } from "../parameters.mjs";

export async function run(scene) {
  const client = await scene.initialized();
  const interrupt = (id, signal = "interrupt") => client.request("process/signal", { processId: id, signal });
  await client.request(
    "process/start",
    processParams("trap", 'trap "echo got; exit 42" INT; echo up; while :; do sleep 0.05; done'),
  );
  await client.waitForOutput("trap");
  await interrupt("trap");
  await client.waitForClosed("trap");
  await client.request("process/start", processParams("def", "echo up; exec sleep 30"));
  await client.waitForOutput("def");
  await interrupt("def");
  await client.waitForClosed("def");
  await client.request("process/start", processParams("defsh", "echo up; sleep 30; echo after"));
  await client.waitForOutput("defsh");
  await sleep(100);
  await interrupt("defsh");
  await client.waitForClosed("defsh", 4000);
  await client.request("process/start", processParams("ign", 'trap "" INT; echo up; sleep 1; exit 3'));
  await client.waitForOutput("ign");
  await interrupt("ign");
  await interrupt("ign");
  await client.waitForClosed("ign");
  await client.request(
    "process/start",
    processParams("tty", 'trap "echo got; exit 42" INT; echo up; while :; do sleep 0.05; done', { tty: true }),
  );
  await client.waitForOutput("tty");
  await interrupt("tty");
  await client.waitForClosed("tty", 4000);
  await client.request("process/start", processParams("ttydef", "echo up; exec sleep 30", { tty: true }));
  await client.waitForOutput("ttydef");
  await interrupt("ttydef");
  await client.waitForClosed("ttydef", 4000);
  await interrupt("trap");
  await interrupt("unknown");
  await interrupt("trap", "terminate");
  await interrupt("trap", "SIGINT");
  await client.request("process/signal", { processId: "trap" });
  await client.request("process/signal", { processId: "trap", signal: null });
}
