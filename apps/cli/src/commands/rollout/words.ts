/** How counts and losses of session files are put into words. */

export function counted(counts: Readonly<Record<string, number>>): string {
  return Object.entries(counts)
    .map(([name, count]) => `${name} ${count}`)
    .join(", ");
}

/** Line 0 stands for the file as a whole. */
export function lossText({ line, reason }: { readonly line: number; readonly reason: string }): string {
  return `${line === 0 ? "file" : `line ${line}`}: ${reason}`;
}
