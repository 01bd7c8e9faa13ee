/** Whether a confined process that failed seems to have failed because of its confinement. A guess from its output. */

const PHRASES = [
  "operation not permitted",
  "permission denied",
  "read-only file system",
  "seccomp",
  "sandbox",
  "landlock",
  "failed to write file",
];
const SIGSYS = 31;

export function looksDenied(exitCode: number, output: Uint8Array): boolean {
  if (exitCode === 0) return false;
  const text = Buffer.from(output.buffer, output.byteOffset, output.byteLength).toString("latin1").toLowerCase();
  if (PHRASES.some((phrase) => text.includes(phrase))) return true;
  return exitCode === 128 + SIGSYS;
}
