/** Whether a person can be asked here. */

export const isInteractive = (): boolean =>
  process.stdin.isTTY === true && process.stdout.isTTY === true && process.env.TERM !== "dumb";
