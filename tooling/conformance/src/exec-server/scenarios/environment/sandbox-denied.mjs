import { processParams, uri } from "../parameters.mjs";

export async function run(scene) {
  const client = await scene.initialized();
  const folder = scene.folder;
  const readOnly = {
    permissions: {
      type: "managed",
      file_system: {
        type: "restricted",
        entries: [{ path: { type: "special", value: { kind: "root" } }, access: "read" }],
      },
      network: "restricted",
    },
    cwd: uri(folder),
    workspaceRoots: [uri(folder)],
    windowsSandboxLevel: "disabled",
    windowsSandboxPrivateDesktop: false,
    useLegacyLandlock: false,
  };
  for (const [id, script] of [
    ["deny", `touch ${folder}/w`],
    ["deny-echo", `echo y > ${folder}/w`],
    ["fail", "exit 1"],
    ["eperm", 'echo "Operation not permitted" >&2; exit 1'],
    ["ok", 'echo "Permission denied"; exit 0'],
  ]) {
    await client.request("process/start", processParams(id, script, { sandbox: readOnly }));
    await client.waitForClosed(id, 5000);
    await client.request("process/read", { processId: id });
  }
  await client.request("process/start", processParams("missing", ["/nope/x"], { sandbox: readOnly }));
  await client.waitForClosed("missing", 3000);
  await client.request("process/start", processParams("tty", `touch ${folder}/w`, { sandbox: readOnly, tty: true }));
  await client.waitForClosed("tty", 3000);
  for (const k of Object.keys(readOnly)) {
    const o = { ...readOnly };
    delete o[k];
    await client.request("process/start", processParams(`m-${k}`, "true", { sandbox: o }));
    await client.waitForClosed(`m-${k}`, 600);
  }
}
