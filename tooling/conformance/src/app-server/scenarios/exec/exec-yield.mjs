import { execCommand } from "../command-case.mjs";

/** How yield times of exec_command are bounded: each on its own thread, all at once. */
export async function run(scene) {
  const client = await scene.start();
  await client.init();
  await Promise.all(
    [0, 1, 250, 1000, 5000, 10000, 30000, 45000, undefined].map(async (yieldMs) => {
      const threadId = await client.thread();
      const callId = `call_y_${yieldMs}`;
      const args = { cmd: `sleep 62; : y${yieldMs}`, ...(yieldMs === undefined ? {} : { yield_time_ms: yieldMs }) };
      const match = ({ input }) =>
        JSON.stringify(input.at(-1)).includes(`"go ${yieldMs}"`) || input.some(({ call_id }) => call_id === callId);
      scene.model.push(
        { match, fn: () => ({ items: [execCommand(scene, args, callId)] }) },
        { match, fn: () => ({ items: [scene.message("ok")] }) },
      );
      await client.turn(threadId, `go ${yieldMs}`, {}, 80_000);
    }),
  );
}
