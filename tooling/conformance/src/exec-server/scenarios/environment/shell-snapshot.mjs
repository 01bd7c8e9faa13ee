import fs from "node:fs";
import { childEnv, processParams } from "../parameters.mjs";

export async function run(scene) {
  const client = await scene.initialized();
  const st = (id, shellSnapshot, argv) =>
    client
      .request("process/start", processParams(id, argv, { shellSnapshot, env: { ...childEnv, HOME: scene.folder } }))
      .then(async (r) => {
        if (r.result) await client.waitForClosed(id, 8000);
        return r;
      });
  fs.writeFileSync(`${scene.folder}/.bashrc`, "export FROMRC=yes\nmyfn() { echo fn; }\n");
  await st("a", { scopeId: "s1", shell: "/bin/bash" }, ["/bin/bash", "-lc", "echo $FROMRC; myfn"]);
  await st("b", { scopeId: "s1", shell: { name: "bash", path: "/bin/bash" } }, [
    "/bin/bash",
    "-lc",
    "echo $FROMRC; myfn",
  ]);
  await st("c", { scopeId: "", shell: { name: "bash", path: "/bin/bash" } }, ["/bin/bash", "-c", "echo $FROMRC; myfn"]);
  await st("d", { scopeId: "s", shell: { name: "nush", path: "/bin/nush" } }, ["/bin/bash", "-c", "echo x"]);
  await st("e", { scopeId: "s", shell: "Bash" }, ["/bin/bash", "-c", "echo x"]);
  await st("f", { scopeId: "s", shell: "bash" }, ["/bin/bash", "-c", "echo x"]);
}
