import type { JobParameters } from 'agenda';
import { expect, it } from 'vitest';
import { LastRuns } from '../../src/jobs/last-runs.ts';

const at = (seconds: number) => new Date(seconds * 1_000);
const job = (times: Partial<JobParameters>): JobParameters[] => [
  { name: 'tick', priority: 0, nextRunAt: null, type: 'single', data: {}, ...times },
];

/** A job with a period of 10 s, looked at every 2 s with a grace of 6 s. Returns after how many looks it is late; at most 20. */
function looksUntilLate(atLook: (look: number) => JobParameters[]): number | undefined {
  const runs = new LastRuns(2);
  runs.add('tick', 10);
  for (let look = 1; look <= 20; look++) {
    runs.countCheck();
    runs.note(atLook(look));
    if (runs.late(6).length > 0) return look;
  }
  return undefined;
}

/** docs/operating.md: "A job that is more than 6 seconds late is started again". */
it.each<[string, number | undefined, (look: number) => JobParameters[]]>([
  ['one that begins every 10 s is not late', undefined, (look) => job({ lastRunAt: at(Math.floor(look / 5) * 10) })],
  ['one that runs for long and renews its lock is not late', undefined, (look) => job({ lastRunAt: at(0), lockedAt: at(look) })],
  ['one that runs and renews its lock no more is late', 10, () => job({ lastRunAt: at(2), lockedAt: at(1) })],
  ['one that does not begin again is late', 10, () => job({ lastRunAt: at(1), lastFinishedAt: at(2) })],
  [
    'one that is locked again and again, and never runs, is late',
    10,
    (look) => job({ lastRunAt: at(1), lastFinishedAt: at(2), lockedAt: at(look) }),
  ],
  ['one that the store has lost is late', 9, () => []],
  ['one that never ran is late', 9, () => job({})],
  ['one that runs by a clock that jumps back is not late', undefined, (look) => job({ lastRunAt: at(look < 10 ? look : look - 3_600) })],
])('%s', (_, looks, atLook) => {
  expect(looksUntilLate(atLook)).toBe(looks);
});

it('a late job is told with its period and for how long it was seen not to run', () => {
  const runs = new LastRuns(2);
  runs.add('tick', 10);
  for (let look = 0; look < 12; look++) runs.countCheck();
  expect(runs.late(6)).toEqual([{ name: 'tick', everySeconds: 10, seconds: 24 }]);
});
