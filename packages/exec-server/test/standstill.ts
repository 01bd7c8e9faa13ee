/** Whether processes that write have been stopped by their reader. */
import { readFileSync } from "node:fs";

const LOOK_EVERY_MS = 50;
const LOOKS = 3;

/** Resolves when that many descendants of this name run and none of them has done anything for some looks. */
export async function untilAtRest(
  ancestor: number,
  name: string,
  count: number,
  look: () => void = () => {},
): Promise<void> {
  let before = "";
  for (let standing = 0; standing < LOOKS; ) {
    await new Promise((resolve) => setTimeout(resolve, LOOK_EVERY_MS));
    look();
    const work = workOf(name, ancestor);
    standing = work.length === count && work.join() === before ? standing + 1 : 0;
    before = work.join();
  }
}

/** Processor time and state of each descendant of that name. */
function workOf(name: string, ancestor: number): string[] {
  const children = read(`/proc/${ancestor}/task/${ancestor}/children`).trim().split(" ").filter(Boolean);
  return children.flatMap((child) => {
    const [, comm, rest = ""] = /^\d+ \((.*)\) (.*)$/s.exec(read(`/proc/${child}/stat`)) ?? [];
    const [state, ...fields] = rest.split(" ");
    const below = workOf(name, Number(child));
    return comm === name ? [`${state} ${fields.slice(10, 12)}`, ...below] : below;
  });
}

/** Empty when the process is gone. */
function read(path: string): string {
  try {
    return readFileSync(path, "utf8");
  } catch {
    return "";
  }
}
