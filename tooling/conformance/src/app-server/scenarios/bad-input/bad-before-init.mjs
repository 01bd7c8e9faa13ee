import { rawCase } from "../raw-case.mjs";

export async function run(scene) {
  const client = await scene.start();
  await scene.sleep(600);
  await rawCase(client, "request-before-init", '{"id":1,"method":"thread/start","params":{}}\n');
  await rawCase(client, "unknown-before-init", '{"id":2,"method":"foo/bar","params":{}}\n');
  await rawCase(client, "notification-before-init", '{"method":"initialized"}\n');
  await rawCase(client, "init-missing-params", '{"id":3,"method":"initialize"}\n');
  await rawCase(client, "init-missing-clientInfo", '{"id":4,"method":"initialize","params":{}}\n');
  await rawCase(
    client,
    "init-missing-version",
    '{"id":5,"method":"initialize","params":{"clientInfo":{"name":"x"}}}\n',
  );
  await rawCase(
    client,
    "init-bad-name",
    '{"id":55,"method":"initialize","params":{"clientInfo":{"name":"bad\\nname","version":"1"}}}\n',
  );
  await rawCase(
    client,
    "init-string-id",
    '{"id":"abc","method":"initialize","params":{"clientInfo":{"name":"x","version":"1"}}}\n',
  );
  await rawCase(client, "request-without-initialized", '{"id":7,"method":"thread/loaded/list","params":{}}\n');
  await rawCase(
    client,
    "dup-init",
    '{"id":8,"method":"initialize","params":{"clientInfo":{"name":"y","version":"1"}}}\n',
  );
}
