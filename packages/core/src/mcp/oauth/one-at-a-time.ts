/** Work on one thing of which only one may run at a time in this process, in the order in which it came. */
const tails = new Map<string, Promise<unknown>>();

export async function oneAtATime<T>(thing: string, work: () => Promise<T>): Promise<T> {
  const before = tails.get(thing);
  const running = (async () => {
    await before?.catch(() => {});
    return await work();
  })();
  tails.set(thing, running);
  try {
    return await running;
  } finally {
    if (tails.get(thing) === running) tails.delete(thing);
  }
}
