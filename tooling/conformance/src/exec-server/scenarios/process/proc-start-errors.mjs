import fs from "node:fs";
import { setTimeout as sleep } from "node:timers/promises";
import { b64, processParams, uri } from "../parameters.mjs";

export async function run(scene) {
  const client = await scene.initialized();
  fs.writeFileSync(`${scene.folder}/noexec`, "x");
  fs.writeFileSync(`${scene.folder}/badbin`, "not a script", { mode: 0o755 });
  fs.mkdirSync(`${scene.folder}/sp ace`);
  const t = (id, argv, o) => client.request("process/start", processParams(id, argv, o));
  await t("e1", []);
  await t("e2", ["/nope/x"]);
  await t("e3", ["nope-cmd"]);
  await t("e4", [`${scene.folder}/noexec`]);
  await t("e5", [`${scene.folder}/badbin`]);
  await t("e6", ["/tmp"]);
  await t("e7", [""]);
  await t("e8", ["true"], { cwd: uri("/nope") });
  await t("e9", ["true"], { cwd: uri("/etc/hostname") });
  await t("e10", ["true"], { cwd: "/tmp" });
  await t("e11", ["true"], { cwd: "http://x/" });
  await t("e12", ["true"], { cwd: "file://host/tmp" });
  await t("e13", ["true"], { cwd: "" });
  await t("e14", ["true"], { cwd: "file:tmp" });
  await t("e15", ["true"], { cwd: "file:///" });
  await client.waitForClosed("e15", 2000);
  await t("sp", ["pwd"], { cwd: uri(`${scene.folder}/sp%20ace`) });
  await client.waitForClosed("sp");
  await t("sp2", ["pwd"], { cwd: uri(`${scene.folder}/sp ace`) });
  await client.waitForClosed("sp2");
  await t("dots", ["pwd"], { cwd: uri(`${scene.folder}/sp%20ace/../.`) });
  await client.waitForClosed("dots");
  await t("e2", ["true"]);
  await client.waitForClosed("e2");
  scene.note("id of a failed start is reusable", true);
  for (const [id, o] of [
    ["t1", ["/nope/x"]],
    ["t2", ["nope-cmd"]],
    ["t3", [`${scene.folder}/noexec`]],
    ["t4", [`${scene.folder}/badbin`]],
    ["t5", []],
  ])
    await t(id, o, { tty: true });
  await t("t6", ["true"], { tty: true, cwd: uri("/nope") });
  for (const [id, o] of [
    ["i1", ["/nope/x"]],
    ["i6", ["nope-cmd"]],
  ])
    await t(id, o, { pipeStdin: true });
  await t("dup", "sleep 5");
  await t("dup", ["true"]);
  await client.request("process/terminate", { processId: "dup" });
  await client.waitForClosed("dup");
  await t("dup", ["true"]);
  await t("", ["true"]);
  await t("x".repeat(300), ["true"]);
  await sleep(200);
  await client.request(
    "process/start",
    processParams("arg0", 'echo "$0"; cat /proc/$$/cmdline | tr "\\0" " "', { arg0: "custom-name" }),
  );
  await client.waitForClosed("arg0");
  await client.request("process/start", processParams("arg0tty", ["sleep", "0.2"], { arg0: "custom-name", tty: true }));
  await client.waitForClosed("arg0tty");
  for (const k of ["processId", "argv", "cwd", "env", "tty"]) {
    const p = processParams("m", ["true"]);
    delete p[k];
    await client.request("process/start", p);
  }
  await client.request("process/start", { processId: "min", argv: ["true"], cwd: uri("/tmp"), env: {}, tty: false });
  await client.waitForClosed("min");
  await client.request("process/start", processParams("both", ["cat"], { tty: true, pipeStdin: true }));
  await client.request("process/write", { processId: "both", chunk: b64("q\n"), writeId: "1" });
  await sleep(150);
  await client.request("process/terminate", { processId: "both" });
  await client.waitForClosed("both");
}
