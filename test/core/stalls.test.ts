import { expect, it } from 'vitest';
import { stallBetween } from '../../src/core/stalls.ts';

/** docs/operating.md: "If the main thread is busy with one thing for a second or more … the log says so and names the jobs that were running". */
it.each([
  ['a beat in time', { at: 250, processor: 200 }, undefined],
  ['a beat that is somewhat late', { at: 1_200, processor: 900 }, undefined],
  ['a long computation', { at: 5_250, processor: 4_800 }, { seconds: 5, wasBusy: true }],
  ['a process that was stopped', { at: 60_250, processor: 20 }, { seconds: 60, wasBusy: false }],
])('%s', (_, after, stall) => {
  expect(stallBetween({ at: 0, processor: 0 }, after)).toEqual(stall);
});
