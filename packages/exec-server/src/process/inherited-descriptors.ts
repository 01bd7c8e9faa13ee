/**
 * Which descriptors of this process a plain spawn would hand to the child by accident, and how to cover them.
 * Platform fact: terminal masters made by forkpty carry no close-on-exec flag, and neither need descriptors that
 * this process itself inherited. Node cannot set the flag, but it can put /dev/null in their place in the child.
 */
import { closeSync, openSync, readdirSync, readFileSync } from "node:fs";

const O_CLOEXEC = 0o2000000;

const leaking = new Set<number>();
let scanned = false;
let devNull = -1;

/** Must be called when a descriptor without the close-on-exec flag comes to life. */
export function coverDescriptor(descriptor: number): void {
  leaking.add(descriptor);
}

export function uncoverDescriptor(descriptor: number): void {
  leaking.delete(descriptor);
}

/** Entries for a `stdio` array from index 3 on. */
export function coveringStdio(): (number | "ignore")[] {
  const last = highestLeaking();
  if (last < 0) return [];
  if (devNull < 0) devNull = openSync("/dev/null", "r+");
  const entries: (number | "ignore")[] = [];
  for (let descriptor = 3; descriptor <= last; descriptor++) {
    // "ignore" leaves a descriptor above 2 alone.
    entries.push(leaking.has(descriptor) ? devNull : "ignore");
  }
  return entries;
}

/**
 * Runs a forkpty. Platform fact: before exec the addon marks descriptors close-on-exec one by one and stops at the
 * first number that is not open, so every hole below a leaking descriptor is filled for the moment of the fork.
 */
export function withoutHoles<Result>(fork: () => Result): Result {
  const last = highestLeaking();
  const plugs: number[] = [];
  try {
    while (last >= 0) {
      const plug = openSync("/dev/null", "r");
      plugs.push(plug);
      if (plug > last) break;
    }
    return fork();
  } finally {
    for (const plug of plugs) closeSync(plug);
  }
}

function highestLeaking(): number {
  if (!scanned) {
    scanned = true;
    for (const descriptor of inheritable()) leaking.add(descriptor);
  }
  return leaking.size === 0 ? -1 : Math.max(...leaking);
}

function inheritable(): number[] {
  let names: string[];
  try {
    names = readdirSync("/proc/self/fdinfo");
  } catch {
    return [];
  }
  return names.map(Number).filter((descriptor) => {
    if (descriptor <= 2) return false;
    try {
      const flags = /^flags:\s+([0-7]+)/m.exec(readFileSync(`/proc/self/fdinfo/${descriptor}`, "latin1"))?.[1];
      return flags !== undefined && (Number.parseInt(flags, 8) & O_CLOEXEC) === 0;
    } catch {
      return false;
    }
  });
}
