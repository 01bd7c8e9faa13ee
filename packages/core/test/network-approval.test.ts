/** A command that wants the network asks first: allowed, denied, remembered, cancelled with its turn. */
import { writeFile } from "node:fs/promises";
import { createServer, type Server } from "node:http";
import path from "node:path";
import { functionCall, message } from "@turnkit/core/scripted-model";
import { afterAll, beforeAll, expect, test } from "vitest";
import { startRig } from "./helpers.js";

let server: Server;
let port: number;
let hits = 0;

beforeAll(async () => {
  server = createServer((_, response) => {
    hits += 1;
    response.end("from outside");
  });
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  const address = server.address();
  port = typeof address === "object" && address ? address.port : 0;
});

afterAll(() => server.close());

/** Fetches through the proxy that the environment names, by CONNECT or with a whole URL. */
function fetchCommand(how: "connect" | "whole"): string {
  const script = `
const proxy = new URL(process.env.HTTP_PROXY);
const auth = "Basic " + Buffer.from(proxy.username + ":" + proxy.password).toString("base64");
const http = require("http");
const base = { host: proxy.hostname, port: proxy.port, headers: { "proxy-authorization": auth } };
const print = (response) => response.on("data", (data) => console.log(response.statusCode, String(data)));
if ("${how}" === "whole") http.get({ ...base, path: "http://127.0.0.1:${port}/x" }, print);
else http.request({ ...base, method: "CONNECT", path: "127.0.0.1:${port}" }).on("connect", (response, socket) => {
  if (response.statusCode !== 200) { console.log(response.statusCode); process.exit(1); }
  http.get({ createConnection: () => socket, path: "/y" }, print).on("close", () => socket.end());
}).end();`;
  return `"${process.execPath}" -e '${script.replaceAll("'", "")}'`;
}

const call = (id: string, how: "connect" | "whole") => command(id, fetchCommand(how));
const command = (id: string, cmd: string) =>
  functionCall("exec_command", { cmd, login: false, yield_time_ms: 30_000 }, id);

test.each(["connect", "whole"] as const)("allowed (%s)", async (how) => {
  await using rig = await startRig({ session: { network: "ask" }, settings: { approval_policy: "on-request" } });
  rig.model.push({ items: [call("c", how)] }, { items: [message("done")] });
  await rig.say("go");
  const asked = await rig.seen("exec_approval_request");
  expect(asked).toMatchObject({
    approval_id: `network#local#${how === "connect" ? "https" : "http"}#127.0.0.1#${port}`,
    network_approval_context: { host: "127.0.0.1", protocol: how === "connect" ? "https" : "http" },
    reason: "127.0.0.1 is not in the allowed_domains",
  });
  rig.session.decide(asked.approval_id as string, "approved");
  await rig.seen("task_complete");
  expect(rig.outputOf("c")).toContain("200 from outside");
});

test("denied: the command is ended and the model reads why; nothing reached the place", async () => {
  await using rig = await startRig({ session: { network: "ask" }, settings: { approval_policy: "on-request" } });
  const before = hits;
  rig.model.push({ items: [call("c", "whole")] }, { items: [message("done")] });
  await rig.say("go");
  const asked = await rig.seen("exec_approval_request");
  rig.session.decide(asked.approval_id as string, { denied: { rejection: "not today" } });
  await rig.seen("task_complete");
  expect(rig.outputOf("c")).toMatch(/not today/);
  expect(rig.session.backgroundTerminals()).toEqual([]);
  expect(hits).toBe(before);
});

test("never asked where asking is forbidden; remembered where the person says so", async () => {
  await using never = await startRig({ session: { network: "ask" } });
  never.model.push({ items: [call("c", "whole")] }, { items: [message("done")] });
  await never.turn("go");
  expect(never.outputOf("c")).toContain("was blocked by policy.");
  await using rig = await startRig({ session: { network: "ask" }, settings: { approval_policy: "on-request" } });
  rig.model.push(
    { items: [call("1", "whole"), call("2", "whole")] },
    { items: [call("3", "whole")] },
    { items: [message("done")] },
  );
  await rig.say("go");
  const asked = await rig.seen("exec_approval_request");
  rig.session.decide(asked.approval_id as string, "approved_for_session");
  await rig.seen("task_complete");
  for (const id of ["1", "2", "3"]) expect(rig.outputOf(id)).toContain("200 from outside");
  expect(rig.events.filter((event) => event.type === "exec_approval_request")).toHaveLength(1);
});

test("an interruption takes the question back", async () => {
  await using rig = await startRig({ session: { network: "ask" }, settings: { approval_policy: "on-request" } });
  rig.model.push({ items: [call("c", "whole")] });
  await rig.say("go");
  await rig.seen("exec_approval_request");
  // Interrupted earlier, the command would end unannounced.
  await rig.seen("exec_command_begin");
  await rig.session.interrupt();
  // The command asked for something nobody will answer any more: it ends.
  const end = await rig.seen("exec_command_end");
  expect(end).toMatchObject({ exit_code: -1, stderr: "network approval was cancelled before a decision was returned" });
});

/** A client of SOCKS 5 in a few lines: hello, name, CONNECT to a name or an address, then a request. */
function socksCommand(host: string): string {
  const script = `
const proxy = new URL(process.env.ALL_PROXY);
const socket = require("net").connect(proxy.port, proxy.hostname);
const counted = (text) => Buffer.concat([Buffer.from([text.length]), Buffer.from(text)]);
const steps = [
  Buffer.from([5, 1, 2]),
  Buffer.concat([Buffer.from([1]), counted(proxy.username), counted(proxy.password)]),
  Buffer.concat([Buffer.from([5, 1, 0, 3]), counted("${host}"), Buffer.from([${port >> 8}, ${port & 255}])]),
  Buffer.from("GET /s HTTP/1.0\\r\\n\\r\\n"),
];
socket.on("connect", () => socket.write(steps.shift()));
socket.on("data", (data) => {
  if (steps.length > 0 && data[1] !== 0 && data[1] !== 2) { console.log("refused with " + data[1]); socket.end(); }
  else if (steps.length > 0) socket.write(steps.shift());
  else process.stdout.write(data);
});`;
  return `"${process.execPath}" -e '${script.replaceAll("'", "")}'`;
}

test.each([
  ["approved", "127.0.0.1", "from outside"],
  ["denied", "localhost", "not by this door"],
] as const)("SOCKS 5: %s", async (decision, host, expected) => {
  await using rig = await startRig({ session: { network: "ask" }, settings: { approval_policy: "on-request" } });
  const before = hits;
  rig.model.push({ items: [command("c", socksCommand(host))] }, { items: [message("done")] });
  await rig.say("go");
  const asked = await rig.seen("exec_approval_request");
  expect(asked).toMatchObject({
    approval_id: `network#local#socks5_tcp#${host}#${port}`,
    network_approval_context: { host, protocol: "socks5Tcp" },
  });
  rig.session.decide(
    asked.approval_id as string,
    decision === "approved" ? decision : { denied: { rejection: "not by this door" } },
  );
  await rig.seen("task_complete");
  expect(rig.outputOf("c")).toContain(expected);
  expect(hits - before).toBe(decision === "approved" ? 1 : 0);
});

test("what was written before a late denial is kept, and the terminal's id is free again", async () => {
  await using rig = await startRig({ session: { network: "ask" }, settings: { approval_policy: "on-request" } });
  const [ask, go] = [path.join(rig.cwd, "ask"), path.join(rig.cwd, "go")];
  // The question comes after the call has yielded: while one waits for a person, no call does.
  const cmd = `echo before; until [ -e ${ask} ]; do sleep 0.05; done; ${fetchCommand("whole")}; sleep 60`;
  const live = functionCall("exec_command", { cmd, login: false, yield_time_ms: 250 }, "c");
  rig.model.push(
    { items: [live] },
    { items: [command("w", `until [ -e ${go} ]; do sleep 0.05; done`)] },
    { items: [message("done")] },
  );
  await rig.say("go");
  await rig.seen("exec_command_begin", (event) => event.call_id === "w");
  await writeFile(ask, "");
  const asked = await rig.seen("exec_approval_request");
  const running = () =>
    rig.session
      .backgroundTerminals()
      .map(({ itemId }) => itemId)
      .toSorted();
  expect(running()).toEqual(["c", "w"]);
  rig.session.decide(asked.approval_id as string, { denied: { rejection: "too late" } });
  const end = await rig.seen("exec_command_end", (event) => event.call_id === "c");
  expect(end).toMatchObject({ exit_code: -1, status: "failed" });
  expect(end.aggregated_output).toMatch(/before\s+too late/);
  expect(running()).toEqual(["w"]);
  await writeFile(go, "");
  await rig.seen("task_complete");
});
