import { expect, it } from 'vitest';
import { linearScale, roundStep } from '../../src/reports/page/scale.ts';

it('a scale begins at 0 and ends at the largest value, with ticks at round values', () => {
  const y = linearScale(40, [200, 0], 4);
  expect([y(0), y(10), y(40), y.ticks]).toEqual([200, 150, 0, [0, 10, 20, 30, 40]]);
  expect(linearScale(0.37, [0, 1], 2).ticks).toEqual([0, 0.2]);
});

it.each([
  [0.013, 0.01],
  [0.25, 0.2],
  [1, 1],
  [3.3, 5],
  [25, 20],
  [75, 100],
])('the round step nearest to %d is %d', (length, step) => {
  expect(roundStep(length)).toBeCloseTo(step, 10);
});
