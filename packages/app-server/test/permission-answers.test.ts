/** Whatever a client answers to a request for permissions, the turn goes on, and nothing is granted that was not asked for. */
import { readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { functionCall, message } from "@turnkit/core/scripted-model";
import { expect, test } from "vitest";
import { connect, folders, text } from "./composed-server.js";

const NOTHING = { network: null, file_system: null };
const NETWORK = { network: { enabled: true }, file_system: null };
const grant = (more: object) => ({ result: { permissions: {}, scope: "turn", ...more } });

test.each<[string, object, object]>([
  ["text", { result: "yes" }, NOTHING],
  ["null", { result: null }, NOTHING],
  ["an empty object", { result: {} }, NOTHING],
  ["a list", { result: { permissions: [] } }, NOTHING],
  ["an error", { error: { code: -1, message: "no" } }, NOTHING],
  ["a turn's transition", { error: { code: -1, message: "no", data: { reason: "turnTransition" } } }, NOTHING],
  ["an unknown scope", grant({ permissions: { network: { enabled: true } }, scope: "forever" }), NOTHING],
  ["a switch that is text", grant({ permissions: { network: { enabled: "yes" } } }), NOTHING],
  ["a path that is a number", grant({ permissions: { fileSystem: { write: [1] } } }), NOTHING],
  ["paths that nobody asked for", grant({ permissions: { fileSystem: { read: ["/"], write: ["/"] } } }), NOTHING],
  ["a relative path", grant({ permissions: { fileSystem: { write: ["."] } } }), NOTHING],
  ["what was asked for", grant({ permissions: { network: { enabled: true } } }), NETWORK],
])("%s", async (_name, reply, granted) => {
  await using at = await folders();
  const file = join(at.home, "config.toml");
  const config = readFileSync(file, "utf8")
    .replace('approval_policy = "never"', 'approval_policy = "on-request"')
    .replace("danger-full-access", "read-only");
  writeFileSync(file, `${config}\n[features]\nrequest_permissions_tool = true\n`);
  await using server = await connect(at);
  const threadId = await server.thread();
  const args = { permissions: { network: { enabled: true } }, reason: "to fetch" };
  at.model.push({ items: [functionCall("request_permissions", args, "c1")] }, { items: [message("done")] });
  const { turn } = await server.ok("turn/start", { threadId, input: text("go") });
  const question = await server.client.notification("item/permissions/requestApproval");
  server.client.send({ id: question.id, ...reply });
  server.client.send({ id: question.id, ...grant({ permissions: { network: { enabled: true } }, scope: "session" }) });
  expect((await server.completed(turn.id)).params.turn.status).toBe("completed");
  const request = at.model.calls[1]?.body as { input: { call_id?: string; output?: string }[] };
  const output =
    request.input.find(({ call_id, output: said }) => call_id === "c1" && said !== undefined)?.output ?? "";
  expect(JSON.parse(output)).toMatchObject({ permissions: granted, scope: "turn" });
  const resolved = server.client.seen.filter(({ method }) => method === "serverRequest/resolved");
  expect(resolved.map(({ params }) => params)).toEqual([{ threadId, requestId: question.id }]);
});
