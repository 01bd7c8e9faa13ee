import { processParams } from "../parameters.mjs";

export async function run(scene) {
  const client = await scene.initialized();
  await client.request("process/start", processParams("p1", "echo out; sleep 0.1; echo err >&2; sleep 0.1; exit 3"));
  await client.waitForClosed("p1");
  await client.request("process/read", { processId: "p1" });
  await client.request("process/start", processParams("p2", ["/bin/true"]));
  await client.waitForClosed("p2");
  await client.request("process/read", { processId: "p2" });
  await client.request("process/start", processParams("p3", ["cat"]));
  await client.waitForClosed("p3");
  scene.note("cat without stdin got EOF", true);
  await client.request(
    "process/start",
    processParams("p4", "readlink /proc/self/fd/0; readlink /proc/self/fd/1 | sed s/[0-9]*//g"),
  );
  await client.waitForClosed("p4");
  await client.request(
    "process/start",
    processParams("p5", "readlink /proc/self/fd/0 | sed s/[0-9]*//g", { pipeStdin: true }),
  );
  await client.waitForClosed("p5");
  await client.request("process/start", processParams("p6", 'printf "\\377\\000\\001abc"'));
  await client.waitForClosed("p6");
  await client.request(
    "process/start",
    processParams(
      "p7",
      'ps -o pid=,ppid=,pgid=,sid=,tty= -p $$ | awk \'{print ($1==$3)?"pgid=pid":"pgid!=pid", ($1==$4)?"sid=pid":"sid!=pid", $5}\'',
    ),
  );
  await client.waitForClosed("p7");
  await client.request("process/start", processParams("p8", "sleep 0.3 & echo parent-done"));
  await client.waitForExited("p8");
  scene.note(
    "exited first; closed yet",
    !!client.messages.find((message) => message.method === "process/closed" && message.params.processId === "p8"),
  );
  await client.waitForClosed("p8");
  await client.request("process/start", processParams("p9", "(sleep 0.3; echo late) & echo parent-done"));
  await client.waitForClosed("p9");
  await client.request("process/read", { processId: "p9" });
  await client.request("process/start", processParams("p10", "exec 1>&- 2>&-; sleep 0.3; exit 5"));
  await client.waitForClosed("p10");
}
