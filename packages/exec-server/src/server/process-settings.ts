/**
 * Settings of a process that is an exec-server and nothing else; to be made before the server's modules are loaded.
 * Platform facts: V8 compiles and collects on further threads, and each fork makes memory that they touch expensive to
 * write. Its nursery grows by default from 1 to 16 MiB a half under load and hardly shrinks again, and its old space
 * grows by 8 MiB and more before it is collected.
 * This process forks all the time and computes little, so it optimizes what is truly hot, collects alone and stays small.
 */
import { setFlagsFromString } from "node:v8";

const V8_FLAGS = [
  "--interrupt-budget=400000",
  "--no-parallel-scavenge",
  "--semi-space-growth-factor=1",
  "--optimize-for-size",
];

export function settleProcess(): void {
  for (const flag of V8_FLAGS) setFlagsFromString(flag);
}
