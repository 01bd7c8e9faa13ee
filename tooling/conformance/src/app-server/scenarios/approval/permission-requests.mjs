// Permissions beyond the sandbox: asked for by the tool and by a command, granted for a turn and for the session.
import { mkdirSync } from "node:fs";
import { removeFolder } from "@turnkit/tooling-vitest/remove-folder";
import { approvalConfig } from "../approval-case.mjs";

const method = "item/permissions/requestApproval";
/** Outside of the folders that may be written; the same in every run, because requests name it. */
const outside = "/var/tmp/conformance-permissions";

export async function run(scene) {
  const client = await scene.start({
    config: {
      ...approvalConfig("on-request", "workspace-write"),
      features: { request_permissions_tool: true, exec_permission_approvals: true },
    },
  });
  await client.init();
  client.on("item/commandExecution/requestApproval", () => ({ decision: "accept" }));
  const threadId = await client.thread();
  await removeFolder(outside);
  for (const name of ["a", "b"]) mkdirSync(`${outside}/${name}`, { recursive: true });
  const request = (permissions, more = {}) => ["request_permissions", { permissions, reason: "to write", ...more }];
  const write = (folder, more = {}) => [
    "exec_command",
    { cmd: `sleep 0.4; { echo x > ${outside}/${folder}/file; } 2> /dev/null; echo $?`, login: false, ...more },
  ];
  const writing = (folder) => ({ file_system: { write: [`${outside}/${folder}`] } });
  const additional = (folder) => ({
    sandbox_permissions: "with_additional_permissions",
    additional_permissions: writing(folder),
    justification: "May I?",
  });
  let calls = 0;
  const turn = async (label, answer, ...steps) => {
    scene.note(label);
    client.on(method, (message) => {
      const result = answer(message.params.permissions);
      if ("error" in result) client.send({ id: message.id, ...result });
      else return result;
    });
    scene.model.clear();
    for (const [name, args] of steps) {
      calls += 1;
      scene.model.push(scene.respond(scene.functionCall(name, args, `call_${calls}`)));
    }
    scene.model.push(scene.say("done"));
    await client.turn(threadId, label);
  };

  const all = (permissions) => ({ permissions });
  await turn("of a command, nothing", all, write("b", { ...additional("b"), additional_permissions: {} }));
  await turn("for the turn", all, request(writing("a")), write("a"), write("b"));
  await turn("the next turn", all, write("a"));
  await turn(
    "for the session",
    (permissions) => ({ permissions, scope: "session" }),
    request(writing("a")),
    write("a"),
  );
  await turn("the turn after it", all, write("a"));
  await turn("nothing", () => ({ permissions: {} }), request(writing("b")), write("b"));
  await turn(
    "a part",
    () => ({ permissions: { fileSystem: { write: [`${outside}/b/inside`, "/etc"] } } }),
    request({ file_system: { read: ["/root"], write: [`${outside}/b`] }, network: { enabled: true } }),
  );
  await turn("an error", () => ({ error: { code: -1, message: "no" } }), request(writing("b")));
  await turn("no answer", () => ({ bogus: 1 }), request(writing("b")));
  await turn(
    "reviewed session",
    (permissions) => ({ permissions, scope: "session", strictAutoReview: true }),
    request(writing("b")),
  );
  await turn(
    "bad arguments",
    all,
    request({}),
    request({ network: {} }),
    request(writing("b"), { environment_id: "x" }),
  );
  await turn("of a command", all, write("b", additional("b")), write("a", additional("a")), write("b"));
  scene.note("never");
  await client.request("thread/settings/update", { threadId, approvalPolicy: "never" });
  await turn("never", all, request(writing("b")), write("b", additional("b")));
  await removeFolder(outside);
}
