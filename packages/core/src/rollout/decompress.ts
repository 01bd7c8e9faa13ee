/** Session files that were put away as zstd archives, read as they stream. Loaded when such a file is met. */

export async function* decompressZstd(source: AsyncIterable<Uint8Array>): AsyncIterable<Uint8Array> {
  const { Decompress } = await import("fzstd");
  const ready: Uint8Array[] = [];
  const stream = new Decompress((chunk) => ready.push(chunk));
  for await (const chunk of source) {
    stream.push(chunk);
    yield* ready.splice(0);
  }
  stream.push(new Uint8Array(0), true);
  yield* ready.splice(0);
}
