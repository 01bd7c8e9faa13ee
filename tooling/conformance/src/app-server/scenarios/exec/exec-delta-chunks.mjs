import { execCommand } from "../command-case.mjs";

export async function run(scene) {
  const client = await scene.start();
  await client.init();
  const threadId = await client.thread();
  const deltaCase = async (label, cmd, extra = {}) => {
    scene.model.push(
      scene.respond(execCommand(scene, { cmd, yield_time_ms: 8000, ...extra }, `call_${label}`)),
      scene.say("ok"),
    );
    await client.turn(threadId, label);
  };
  await deltaCase("utf8split", "sleep 0.3; printf 'a\\303'; sleep 0.3; printf '\\251b'; sleep 0.2");
  await deltaCase("utf8bad", "sleep 0.3; printf 'a\\377b\\303'; sleep 0.3");
  await deltaCase("big100k", "sleep 0.3; head -c 100000 /dev/zero | tr '\\0' z; sleep 0.2");
  await deltaCase("many", "sleep 0.3; for i in $(seq 1 300); do echo $i; done");
  await deltaCase("huge3m", "sleep 0.3; head -c 3000000 /dev/zero | tr '\\0' q; echo; echo END; sleep 0.2");
  await deltaCase("stderr-interleave", "sleep 0.3; echo o1; echo e1 >&2; echo o2; echo e2 >&2; sleep 0.2");
  await deltaCase("cr", "sleep 0.3; printf 'p1\\rp2\\r\\n'; sleep 0.2");
}
