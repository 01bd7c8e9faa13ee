import fs from "node:fs";
import { processParams, uri } from "../parameters.mjs";

export async function run(scene) {
  await scene.startServer({
    env: { FOO_KEY: "k", BAR_SECRET: "s", BAZ_TOKEN: "t", PLAIN: "p", HOME: "/root", USER: "root", LANG: "C" },
  });
  const client = await scene.initialized();
  const run = async (id, o) => {
    await client.request("process/start", processParams(id, ["/usr/bin/env"], o));
    await client.waitForClosed(id);
    scene.note(
      id,
      client
        .output(id)
        .toString()
        .split("\n")
        .filter(Boolean)
        .sort()
        .map((l) => (l.length > 60 ? `${l.slice(0, 60)}…` : l)),
    );
  };
  await run("exact", { env: { A: "1" } });
  await run("empty", { env: {} });
  const pol = (o) => ({ inherit: "all", ignoreDefaultExcludes: false, exclude: [], set: {}, includeOnly: [], ...o });
  await run("all", { env: {}, envPolicy: pol({}) });
  await run("all-ignore", { env: {}, envPolicy: pol({ ignoreDefaultExcludes: true }) });
  await run("core", { env: {}, envPolicy: pol({ inherit: "core" }) });
  await run("none", { env: { X: "1" }, envPolicy: pol({ inherit: "none", set: { Y: "y", X: "set" } }) });
  await run("exclude", {
    env: {},
    envPolicy: pol({ inherit: "all", exclude: ["p*"], includeOnly: ["PLAIN", "L*", "foo_*"] }),
  });
  await run("includeOnly", {
    env: { EXTRA: "1" },
    envPolicy: pol({ inherit: "all", includeOnly: ["PLAIN", "l?NG", "foo_*"], set: { SETV: "v" } }),
  });
  await run("null policy", { env: { A: "1" }, envPolicy: null });
  for (const k of ["inherit", "ignoreDefaultExcludes", "exclude", "set", "includeOnly"]) {
    const p = pol({});
    delete p[k];
    await client.request("process/start", processParams(`m${k}`, ["true"], { envPolicy: p }));
  }
  await client.request("process/start", processParams("lookup", ["mytool"], { env: { PATH: scene.folder } }));
  fs.writeFileSync(`${scene.folder}/mytool`, '#!/bin/sh\necho found "$0" "$@"\n', { mode: 0o755 });
  await client.request("process/start", processParams("lookup2", ["mytool", "a"], { env: { PATH: scene.folder } }));
  await client.waitForClosed("lookup2");
  await client.request(
    "process/start",
    processParams("lookup3", ["./mytool", "a"], { cwd: uri(scene.folder), env: {} }),
  );
  await client.waitForClosed("lookup3");
  await client.request("process/start", processParams("lookup4", ["sh", "-c", "echo nopath $PATH"], { env: {} }));
  await client.waitForClosed("lookup4");
  await client.request("process/start", processParams("badkey", ["/usr/bin/env"], { env: { "A=B": "1", "": "x" } }));
  await client.waitForClosed("badkey", 1500);
  await client.request("process/start", processParams("nul", ["/usr/bin/env"], { env: { A: "x\u0000y" } }));
  await client.request("process/start", processParams("nul2", ["echo", "x\u0000y"]));
}
