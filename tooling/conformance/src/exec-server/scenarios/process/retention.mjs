import { processParams, unb64 } from "../parameters.mjs";

export async function run(scene) {
  const client = await scene.initialized();
  client.quiet = true;
  const go = async (id, argv, o) => {
    await client.request("process/start", processParams(id, argv, o));
    await client.waitForClosed(id, 30000);
    const ev = client.messages.filter((message) => message.params?.processId === id);
    const outs = ev.filter((message) => message.method === "process/output");
    const sizes = outs.map((message) => unb64(message.params.chunk).length);
    const tot = sizes.reduce((a, b) => a + b, 0);
    const r = (await client.request("process/read", { processId: id })).result;
    const rt = r.chunks.reduce((a, k) => a + unb64(k.chunk).length, 0);
    const hist = {};
    for (const z of sizes) hist[z] = (hist[z] || 0) + 1;
    scene.note(id, {
      notifiedBytes: tot,
      chunksAtMost8192: Math.max(...sizes) <= 8192,
      readBytesAtMost1MiB: rt <= 1048576,
      readBytesWithinOneChunkOf1MiBOrAll: rt === tot || rt > 1048576 - 8193,
      readIsTheTail: r.chunks.at(-1)?.seq === Math.max(...outs.map((message) => message.params.seq)),
      nextSeqIsTotalEventsPlus1: r.nextSeq === ev.length + 1,
    });
    scene.note(`~${id}`, {
      notifiedBytes: tot,
      notifications: outs.length,
      maxChunk: Math.max(...sizes),
      topSizes: Object.entries(hist)
        .sort((a, b) => b[1] - a[1])
        .slice(0, 4),
      seqContiguous: ev.every((message, i) => message.params.seq === i + 1),
      readBytes: rt,
      readChunks: r.chunks.length,
      firstReadSeq: r.chunks[0]?.seq,
      nextSeq: r.nextSeq,
    });
  };
  await go("3MB-pipe", "head -c 3000000 /dev/zero");
  await go("1MiB-exact", "head -c 1048576 /dev/zero");
  await go("1MiB+1", "head -c 1048577 /dev/zero");
  await go("3MB-tty", "stty -opost; head -c 3000000 /dev/zero", { tty: true });
  await go("mixed", "head -c 900000 /dev/zero; sleep 0.3; head -c 900000 /dev/zero >&2");
}
