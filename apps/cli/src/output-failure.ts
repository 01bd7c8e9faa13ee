/**
 * What happens when standard output takes no more. A reader that went away (`turnkit … | head`) is no failure of ours;
 * anything else, such as a full disk, is one: what was written is not all there.
 */

/** From now on a failure is told on standard error when the process ends, whose exit code is then not 0. */
export function watchOutput(): void {
  let failure: string | undefined;
  process.stdout.on("error", (error: NodeJS.ErrnoException) => {
    if (error.code === "EPIPE") process.exit(0);
    failure ??= error.message.replace(/, write$/, "");
  });
  process.on("exit", (code) => {
    if (failure === undefined) return;
    process.stderr.write(`turnkit: standard output cannot be written: ${failure}\n`);
    if (code === 0) process.exitCode = 1;
  });
}
