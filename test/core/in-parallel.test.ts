import { expect, it } from 'vitest';
import { inParallel } from '../../src/core/in-parallel.ts';

it('works on so many at a time, and gives the results in the order of the items', async () => {
  let [running, most] = [0, 0];
  const results = await inParallel([30, 5, 20, 1, 10], 2, async (milliseconds) => {
    most = Math.max(most, ++running);
    await new Promise((resolve) => setTimeout(resolve, milliseconds));
    running--;
    return milliseconds * 2;
  });
  expect(results).toEqual([60, 10, 40, 2, 20]);
  expect(most).toBe(2);
  expect(await inParallel([], 3, async () => 1)).toEqual([]);
});

it('begins nothing more after an error', async () => {
  const begun: number[] = [];
  const work = inParallel([1, 2, 3, 4], 1, async (item) => {
    begun.push(item);
    if (item === 2) throw new Error('two');
  });
  await expect(work).rejects.toThrow('two');
  expect(begun).toEqual([1, 2]);
});
