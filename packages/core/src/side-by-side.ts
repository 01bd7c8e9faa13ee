/** Work on many values of which a few are under way at any time. */

/** Results in the order of the values. The first failure is thrown, and no value is begun after it. */
export async function mapSideBySide<Value, Result>(
  values: readonly Value[],
  atOnce: number,
  work: (value: Value) => Promise<Result>,
): Promise<Result[]> {
  const results: Result[] = new Array(values.length);
  const rest = values.entries();
  let failed = false;
  const doRest = async () => {
    for (const [at, value] of rest) {
      if (failed) return;
      try {
        results[at] = await work(value);
      } catch (error) {
        failed = true;
        throw error;
      }
    }
  };
  await Promise.all(Array.from({ length: atOnce }, doRest));
  return results;
}
