import { processParams, uri } from "../parameters.mjs";

export async function run(scene) {
  const client = await scene.initialized();
  const folder = scene.folder;
  const base = (perm) => ({
    permissions: perm,
    cwd: uri(folder),
    workspaceRoots: [uri(folder)],
    windowsSandboxLevel: "disabled",
    windowsSandboxPrivateDesktop: false,
    useLegacyLandlock: false,
  });
  const readOnly = {
    type: "managed",
    file_system: {
      type: "restricted",
      entries: [{ path: { type: "special", value: { kind: "root" } }, access: "read" }],
    },
    network: "restricted",
  };
  const t = (id, sandbox, script) =>
    client.request("process/start", processParams(id, script, { sandbox })).then(async (r) => {
      if (r.result) await client.waitForClosed(id, 5000);
      return r;
    });
  await client.request("process/start", processParams("e1", "true", { sandbox: { permissions: {} } }));
  await client.request("process/start", processParams("e2", "true", { sandbox: { permissions: 5 } }));
  await client.request("process/start", processParams("e3", "true", { sandbox: { permissions: { type: "zz" } } }));
  await t("dis", base({ type: "disabled" }), "echo x");
  await t("ext", base({ type: "external", network: "enabled" }), "echo x");
  await t("ro", base(readOnly), `echo x; echo y > ${folder}/w; echo $?`);
  await client.request("fs/readFile", { path: uri("/etc/hostname"), sandbox: base(readOnly) });
  await client.request("fs/writeFile", { path: uri(`${folder}/w`), dataBase64: "", sandbox: base(readOnly) });
  await client.request("fs/getMetadata", { path: uri(folder), sandbox: base({ type: "disabled" }) });
}
