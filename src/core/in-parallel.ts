/**
 * Runs `work` for every item, at most `most` at a time, and returns the results in the order of the items. Rejects with the first error,
 * after which no further items are started.
 */
export async function inParallel<Item, Result>(
  items: readonly Item[],
  most: number,
  work: (item: Item) => Promise<Result>,
): Promise<Result[]> {
  const results = new Array<Result>(items.length);
  const rest = items.entries();
  const worker = async () => {
    for (const [index, item] of rest) results[index] = await work(item);
  };
  try {
    await Promise.all(Array.from({ length: Math.min(most, items.length) }, worker));
  } finally {
    // Ends the iterator, so that the other workers stop.
    rest.return?.();
  }
  return results;
}
