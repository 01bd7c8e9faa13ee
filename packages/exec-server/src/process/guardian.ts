/**
 * Ends the process groups of this process's direct children when this process dies without saying so (SIGKILL).
 * Owns one tiny shell that reads group ids from a pipe; the end of the pipe is the death it waits for.
 */
import { type ChildProcess, spawn } from "node:child_process";
import { coveringStdio } from "./inherited-descriptors.js";

const SCRIPT = `trap '' HUP INT TERM QUIT
groups=' '
while read -r sign group; do
  case $sign in
    +) groups="$groups$group " ;;
    -) groups="\${groups%% $group *} \${groups#* $group }" ;;
  esac
done
for group in $groups; do kill -s KILL -- "-$group"; done 2>/dev/null`;

/** How long the guardian may take a group for alive that is gone, in milliseconds. */
const FORGET_MS = 1000;

let guardian: ChildProcess | undefined;
const guarded = new Set<number>();
/** What the guardian has not been told yet, in order. */
let news = "";
let telling: NodeJS.Immediate | undefined;
let forgetting: NodeJS.Timeout | undefined;

/**
 * Puts a group under guard, at the end of this turn of the event loop: whoever waits for the start comes first. The
 * result takes it out again, which must happen when its leader was reaped; the guardian hears of that with the next
 * group, so that a short process wakes it once.
 */
export function guard(group: number): () => void {
  guarded.add(group);
  news += `+ ${group}\n`;
  telling ??= setImmediate(tell);
  return () => {
    if (!guarded.delete(group)) return;
    news += `- ${group}\n`;
    forgetting ??= setTimeout(tell, FORGET_MS).unref();
  };
}

function tell(): void {
  clearImmediate(telling);
  clearTimeout(forgetting);
  telling = undefined;
  forgetting = undefined;
  if (guardian) guardian.stdin?.write(news);
  else if (guarded.size > 0) startGuardian();
  news = "";
}

function startGuardian(): void {
  const child = spawn("/bin/sh", ["-c", SCRIPT], {
    stdio: ["pipe", "ignore", "ignore", ...coveringStdio()],
    detached: true,
    cwd: "/",
    env: {},
  });
  guardian = child;
  // Without the helper processes are still ended on every orderly way out.
  child.on("error", () => {});
  child.stdin?.on("error", () => {});
  child.once("exit", () => {
    if (guardian === child) guardian = undefined;
  });
  child.unref();
  (child.stdin as unknown as { unref(): void } | null)?.unref();
  child.stdin?.write([...guarded].map((group) => `+ ${group}\n`).join(""));
}
