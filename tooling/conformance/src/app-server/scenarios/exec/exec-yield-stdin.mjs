import { execCommand, writeStdinLater } from "../command-case.mjs";

const cases = {
  "empty-1": { chars: "", yield_time_ms: 1 },
  "empty-default": { chars: "" },
  "empty-5000": { chars: "", yield_time_ms: 5000 },
  "empty-7000": { chars: "", yield_time_ms: 7000 },
  "empty-40000": { chars: "", yield_time_ms: 40000 },
  "chars-1": { chars: "a\n", yield_time_ms: 1 },
  "chars-250": { chars: "a\n", yield_time_ms: 250 },
  "chars-default": { chars: "a\n" },
  "chars-5000": { chars: "a\n", yield_time_ms: 5000 },
  "chars-40000": { chars: "a\n", yield_time_ms: 40000 },
};

/** How yield times of write_stdin are bounded: each on its own thread, all at once. */
export async function run(scene) {
  const client = await scene.start();
  await client.init();
  await Promise.all(
    Object.entries(cases).map(async ([label, args]) => {
      const threadId = await client.thread();
      const opened = `call_o_${label}`;
      const open = { cmd: `stty -echo; sleep 90; : ${label}`, tty: true, yield_time_ms: 250 };
      const match = ({ input }) =>
        JSON.stringify(input.at(-1)).includes(`"go ${label}"`) || input.some(({ call_id }) => call_id === opened);
      scene.model.push(
        { match, fn: () => ({ items: [execCommand(scene, open, opened)] }) },
        { match, ...writeStdinLater(scene, opened, args, `call_w_${label}`) },
        { match, fn: () => ({ items: [scene.message("ok")] }) },
      );
      await client.turn(threadId, `go ${label}`, {}, 80_000);
    }),
  );
}
