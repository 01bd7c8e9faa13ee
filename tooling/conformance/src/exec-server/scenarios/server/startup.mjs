import { setTimeout as sleep } from "node:timers/promises";

const addresses = [
  "ws://localhost:0",
  "ws://127.0.0.1",
  "http://127.0.0.1:0",
  "ws://127.0.0.1:0/x",
  "127.0.0.1:0",
  "ws://[::1]:0",
  "ws://0.0.0.0:0",
  "wss://127.0.0.1:0",
  "unix:///tmp/x.sock",
  "",
];

const argumentLists = [
  ["--concurrent-requests", "0"],
  ["--concurrent-requests", "x"],
  ["--concurrent-requests", "100000"],
  ["--concurrent-requests", "-1"],
  ["--nope"],
];

/** Addresses, arguments, and what ends the server. */
export async function run(scene) {
  const plain = await scene.startServer();
  scene.note("stdout (port 0)", scene.normalized(plain.stdout));
  scene.note("exit on SIGTERM", await plain.stop());
  const silent = scene.newServer({ listen: null });
  await silent.start();
  scene.note("no --listen", silent.stdout.replace(/\d+\n/, "<PORT>\n"));
  // Its signal handlers may follow the address.
  await sleep(200);
  scene.note("exit on SIGINT", await silent.stop("SIGINT"));

  for (const listen of addresses) {
    const server = scene.newServer({ listen });
    const started = await starts(server);
    const refusal = { exit: server.ended, stderr: server.errorText, stdout: server.stdout };
    scene.note(`--listen ${listen}`, started ? { ok: server.stdout.replace(/:\d+\n/, ":<PORT>\n") } : refusal);
    await server.stop();
  }

  const holder = await scene.startServer();
  const rival = scene.newServer({ listen: holder.url });
  scene.note("port in use", (await starts(rival)) ? "started?" : refusalOf(rival));

  for (const args of argumentLists) {
    const server = scene.newServer({ args });
    scene.note(args.join(" "), (await starts(server)) ? "starts" : refusalOf(server));
    await server.stop();
  }

  await stdinEnds(scene, { args: ["--exit-on-stdin-close"] }, "--exit-on-stdin-close", 3000);
  await stdinEnds(scene, { env: { CODEX_EXEC_SERVER_EXIT_ON_STDIN_CLOSE: "1" } }, "env EXIT_ON_STDIN_CLOSE=1", 3000);
  await stdinEnds(scene, {}, "without it", 700);
}

async function starts(server) {
  try {
    await server.start(3000);
    return true;
  } catch {
    return false;
  }
}

function refusalOf(server) {
  return { exit: server.ended, stderr: server.errorText };
}

async function stdinEnds(scene, options, label, ms) {
  const server = scene.newServer(options);
  if (await starts(server)) {
    server.child.stdin.end();
    await Promise.race([server.end, sleep(ms)]);
    scene.note(`${label} after stdin EOF`, server.ended ?? "still running");
  } else scene.note(label, refusalOf(server));
  await server.stop();
}
