export async function run(scene) {
  const third = await scene.connect("A");
  await third.request("initialize", { clientName: "drive", resumeSessionId: null, futureField: 1 });
  third.notify("initialized");
  await third.request("environment/status", {});
  third.notify("initialized", {});
  await third.request("environment/status", {});
  await third.request("initialize", { clientName: "again" });
  await third.request("environment/status", {});
  scene.note("still open", !third.ended);
  const fourth = await scene.connect("B");
  fourth.notify("initialized", {});
  scene.note("initialized before initialize", await fourth.waitForEnd(1500));
  const fifth = await scene.connect("C");
  await fifth.request("initialize", {});
  await fifth.request("initialize");
  await fifth.request("initialize", { clientName: 5 });
  await fifth.request("initialize", ["x", null]);
  await fifth.request("initialize", { clientName: "ok" });
  fifth.notify("initialized", null);
  await fifth.request("environment/status");
  const sixth = await scene.connect("D");
  const p = sixth.request("initialize", { clientName: "pipelined" });
  sixth.notify("initialized", {});
  const q = sixth.request("environment/status", {});
  await p;
  await q;
}
