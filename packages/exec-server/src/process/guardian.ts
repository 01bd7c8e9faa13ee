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

let guardian: ChildProcess | undefined;
const guarded = new Set<number>();

/** Puts a group under guard. The result takes it out again, which must happen when its leader was reaped. */
export function guard(group: number): () => void {
  guarded.add(group);
  if (guardian) tell(`+ ${group}\n`);
  else startGuardian();
  return () => {
    if (guarded.delete(group)) tell(`- ${group}\n`);
  };
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
  tell([...guarded].map((group) => `+ ${group}\n`).join(""));
}

function tell(text: string): void {
  guardian?.stdin?.write(text);
}
