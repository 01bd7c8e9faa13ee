/**
 * Memory for small chunks of output, in blocks that hold nothing else. Chunks stay for as long as their process is
 * remembered; in the runtime's own pool each would keep a block of buffers that were needed for a moment only.
 */

const BLOCK_BYTES = 8192;
/** Larger ones get memory of their own. */
const MAX_SMALL_BYTES = BLOCK_BYTES / 2;

let block = Buffer.alloc(0);
let used = 0;

/** A copy of the first `size` bytes. */
export function keptCopy(source: Buffer, size: number): Buffer {
  const bytes = size > MAX_SMALL_BYTES ? Buffer.allocUnsafeSlow(size) : fromBlock(size);
  source.copy(bytes, 0, 0, size);
  return bytes;
}

function fromBlock(size: number): Buffer {
  if (used + size > block.length) {
    block = Buffer.allocUnsafeSlow(BLOCK_BYTES);
    used = 0;
  }
  used += size;
  return block.subarray(used - size, used);
}
