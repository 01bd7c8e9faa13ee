import { setTimeout as sleep } from "node:timers/promises";
import { processParams } from "../parameters.mjs";

export async function run(scene) {
  const first = await scene.initialized("A");
  const sessionId = first.sessionId;
  scene.remember(first.initialized);
  const second = await scene.connect("B");
  await second.request("initialize", { clientName: "b", resumeSessionId: sessionId });
  await second.request("initialize", { clientName: "b", resumeSessionId: "nope" });
  await second.request("initialize", { clientName: "b", resumeSessionId: "" });
  await second.request("initialize", { clientName: "b" });
  second.notify("initialized", {});
  await second.request("environment/status", {});
  await first.request("process/start", processParams("p", "sleep 30"));
  await second.request("process/read", { processId: "p" });
  await second.request("process/start", processParams("p", "true"));
  await second.waitForClosed("p");
  first.close();
  await first.waitForEnd();
  await sleep(100);
  const third = await scene.connect("C");
  await third.request("initialize", { clientName: "c", resumeSessionId: sessionId });
  await third.request("process/read", { processId: "p" });
  third.notify("initialized", {});
  await third.request("process/read", { processId: "p" });
  const fourth = await scene.connect("D");
  await fourth.request("initialize", { clientName: "d", resumeSessionId: sessionId });
  await third.request("process/terminate", { processId: "p" });
  await third.waitForClosed("p");
}
