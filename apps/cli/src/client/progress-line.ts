/** Says on the terminal that something is under way, for as long as it is; nothing of it stays. */
import { visibleControls } from "../tui/terminal/text-width.js";

export interface ProgressTerminal {
  readonly isTTY?: boolean;
  write(text: string): unknown;
}

const FRAME_MS = 500;
const MARKS = ["●", "○"];

/** Shown at once, because the work may keep this process busy. Silent where no person looks. */
export async function withProgress<T>(
  text: string,
  work: () => Promise<T>,
  terminal: ProgressTerminal = process.stderr,
): Promise<T> {
  if (terminal.isTTY !== true || process.env.TERM === "dumb") return work();
  const startedAt = performance.now();
  let frame = 0;
  const draw = (): void => {
    const seconds = Math.floor((performance.now() - startedAt) / 1000);
    terminal.write(`\r\x1b[K${MARKS[frame % 2]} ${visibleControls(text)}${seconds > 0 ? ` (${seconds}s)` : ""}`);
    frame += 1;
  };
  draw();
  const timer = setInterval(draw, FRAME_MS);
  try {
    return await work();
  } finally {
    clearInterval(timer);
    terminal.write("\r\x1b[K");
  }
}
