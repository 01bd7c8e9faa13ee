/** A connection that is cut after a write was sent and before it was answered: the program reads the bytes once. */
import { mkdtemp, readFile } from "node:fs/promises";
import { connect, createServer, type Socket } from "node:net";
import { tmpdir } from "node:os";
import path from "node:path";
import { functionCall, message } from "@turnkit/core/scripted-model";
import { removeFolder } from "@turnkit/tooling-vitest/remove-folder";
import { expect, test } from "vitest";
import { sessionOf } from "./exec-rig.js";
import { startRig } from "./helpers.js";
import { remoteHost } from "./hosts.js";

/** Passes bytes on; once armed it keeps the server's back and cuts as soon as the client's next bytes are through. */
async function cuttingProxy(target: string) {
  const port = Number(new URL(target).port);
  const pairs = new Set<readonly [Socket, Socket]>();
  let armed = false;
  let cuts = 0;
  const server = createServer((client) => {
    const upstream = connect(port, "127.0.0.1");
    const pair = [client, upstream] as const;
    pairs.add(pair);
    const end = () => {
      pairs.delete(pair);
      client.destroy();
      upstream.destroy();
    };
    for (const socket of pair) socket.on("error", end).on("close", end);
    client.on("data", (bytes) => {
      if (!armed) return void upstream.write(bytes);
      armed = false;
      cuts += 1;
      client.pause();
      upstream.write(bytes, () => client.destroy());
    });
    upstream.on("data", (bytes) => {
      if (!client.destroyed && !client.isPaused()) client.write(bytes);
    });
  });
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  const address = server.address();
  return {
    url: `ws://127.0.0.1:${typeof address === "object" && address ? address.port : 0}`,
    arm: () => {
      armed = true;
    },
    cuts: () => cuts,
    async close() {
      for (const [client, upstream] of pairs) {
        client.destroy();
        upstream.destroy();
      }
      await new Promise((resolve) => server.close(resolve));
    },
  };
}

test("one turn's write_stdin", async () => {
  const folder = await mkdtemp(path.join(tmpdir(), "turnkit-cut-"));
  const file = path.join(folder, "seen");
  let proxy: Awaited<ReturnType<typeof cuttingProxy>> | undefined;
  try {
    await using remote = await remoteHost(async (url) => {
      proxy = await cuttingProxy(url);
      return proxy.url;
    });
    await using rig = await startRig({ session: { processHost: remote.host } });
    rig.model.push(
      {
        items: [
          functionCall(
            "exec_command",
            { cmd: `stty raw -echo; exec tee ${file}`, login: false, tty: true, yield_time_ms: 500 },
            "open",
          ),
        ],
      },
      {
        fn: () => {
          proxy?.arm();
          const id = sessionOf(rig.outputOf("open") ?? "");
          return {
            items: [
              functionCall("write_stdin", { session_id: id, chars: "exactly once\n", yield_time_ms: 2_000 }, "write"),
            ],
          };
        },
      },
      {
        fn: () => ({
          items: [
            functionCall("write_stdin", { session_id: sessionOf(rig.outputOf("open") ?? ""), chars: "end\n" }, "end"),
          ],
        }),
      },
      { items: [message("done")] },
    );
    await rig.turn("go");
    expect(proxy?.cuts()).toBe(1);
    expect(rig.outputOf("write")).toContain("Process running with session ID");
    // What came twice would stand before the end.
    let seen = "";
    while (!seen.endsWith("end\n")) {
      seen = await readFile(file, "utf8").catch(() => "");
      await new Promise((resolve) => setImmediate(resolve));
    }
    expect(seen).toBe("exactly once\nend\n");
  } finally {
    await proxy?.close();
    await removeFolder(folder);
  }
});
