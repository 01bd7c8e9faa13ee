import { processParams } from "../parameters.mjs";

export async function run(scene) {
  const client = await scene.initialized();
  for (const tty of [false, true])
    for (const [n, script] of [
      ["0", "exit 0"],
      ["1", "exit 1"],
      ["127", "nope_cmd 2>/dev/null"],
      ["255", "exit 255"],
      ["256", "exit 256"],
      ["TERM", "kill -TERM $$"],
      ["KILL", "kill -KILL $$"],
      ["INT", "kill -INT $$"],
      ["SEGV", "kill -SEGV $$"],
      ["HUP", "kill -HUP $$"],
      ["ABRT", "kill -ABRT $$"],
      ["RTMIN", "kill -34 $$"],
    ]) {
      const id = (tty ? "tty" : "pipe") + n;
      await client.request(
        "process/start",
        processParams(id, `exec sh -c "${script.replace("$$", "\\$\\$")}"`, { tty }),
      );
      const e = await client.waitForExited(id, 5000);
      scene.note(id, e.params ?? e);
      await client.waitForClosed(id, 5000);
    }
}
