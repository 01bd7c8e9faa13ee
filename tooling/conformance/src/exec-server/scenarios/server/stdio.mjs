import { setTimeout as sleep } from "node:timers/promises";
import { Connection } from "../../connection.mjs";
import { isAlive, killProcess, processParams } from "../parameters.mjs";

export async function run(scene) {
  await conversation(scene);
  await violation(scene);
  await lastLine(scene);
  await longLine(scene);
}

async function open(scene, listen, name) {
  const server = await scene.startServer({ listen });
  const client = Connection.overStdio(server, scene.entries, name);
  await client.request("initialize", { clientName: "drive" });
  return { server, client };
}

async function conversation(scene) {
  const server = await scene.startServer({ listen: "stdio" });
  let stdout = "";
  server.child.stdout.on("data", (text) => (stdout += text));
  const client = Connection.overStdio(server, scene.entries, "A");
  await client.request("initialize", { clientName: "drive" });
  client.notify("initialized", {});
  await client.request("environment/status", {});
  client.sendRaw("{nope");
  await sleep(150);
  client.sendRaw("");
  client.sendRaw("   ");
  await client.request("process/start", processParams("p", "echo hi; exit 3"));
  await client.waitForClosed("p");
  client.sendRaw('[{"id":9,"method":"environment/status"}]');
  await sleep(150);
  scene.note("first bytes", scene.normalized(stdout.slice(0, 30)));
  scene.note("stderr", server.errorText);

  await client.request("process/start", processParams("k", "echo $$; exec sleep 60"));
  await client.waitForOutput("k");
  const pid = Number(client.output("k"));
  client.quiet = true;
  server.child.stdin.end();
  await Promise.race([server.end, sleep(4000)]);
  scene.note("after stdin EOF", server.ended ?? "still running");
  await sleep(200);
  scene.note("child alive", isAlive(pid));
  killProcess(pid);
}

async function violation(scene) {
  const { server, client } = await open(scene, "stdio://", "B");
  client.notify("nope", {});
  await Promise.race([server.end, sleep(2000)]);
  scene.note("unknown notification over stdio", server.ended ?? "still running");
}

async function lastLine(scene) {
  const { server, client } = await open(scene, "stdio", "C");
  client.notify("initialized");
  client.quiet = true;
  server.child.stdin.write('{"id":5,"method":"environment/status"}');
  await sleep(200);
  server.child.stdin.end();
  await Promise.race([server.end, sleep(2000)]);
  scene.note(
    "~last line without newline answered",
    client.messages.some(({ id }) => id === 5),
  );
  scene.note("exit", server.ended ?? "still running");
}

async function longLine(scene) {
  const { client } = await open(scene, "stdio", "D");
  client.notify("initialized");
  const pad = "x".repeat(20 * 1024 * 1024);
  client.sendRaw(JSON.stringify({ id: 8, method: "environment/status", params: { pad } }));
  scene.note("20 MiB line", await client.waitFor(({ id }) => id === 8 || id === -1, 5000));
  await client.request("environment/status", {}, { timeout: 1500 });
}
