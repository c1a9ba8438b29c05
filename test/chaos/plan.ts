import type { Random } from '../../src/core/random.ts';

/** One kind of fault: its relative frequency, and its duration in seconds. */
interface FaultKind {
  weight: number;
  seconds?: readonly [from: number, to: number];
  /** True if it kills a process. */
  kills?: boolean;
}

/** Every fault that a run can have. `faults.ts` carries them out. */
export const FAULTS = {
  'daemon killed before DATA': { weight: 12, kills: true },
  'daemon killed inside a message': { weight: 12, kills: true },
  'daemon killed after the final dot': { weight: 12, kills: true },
  'daemon killed after the reply': { weight: 12, kills: true },
  'daemon killed anywhere': { weight: 12, kills: true },
  'daemon stopped and continued': { weight: 5, seconds: [1, 15] },
  'daemon in another time': { weight: 3, seconds: [2, 10] },
  'PostgreSQL killed': { weight: 8, kills: true, seconds: [0, 4] },
  'PostgreSQL connections ended': { weight: 3 },
  'PostgreSQL read-only': { weight: 2, seconds: [1, 6] },
  'PostgreSQL disk full': { weight: 2, seconds: [1, 4] },
  'PostgreSQL slow': { weight: 2, seconds: [2, 8] },
  'PostgreSQL silent': { weight: 2, seconds: [2, 12] },
  'PostgreSQL cut off': { weight: 2, seconds: [0, 4] },
  'SMTP server killed': { weight: 16, kills: true, seconds: [0, 1] },
  'SMTP slow': { weight: 2, seconds: [2, 8] },
  'SMTP silent': { weight: 2, seconds: [2, 8] },
  'SMTP cut off': { weight: 2, seconds: [0, 2] },
  'IMAP server killed': { weight: 8, kills: true },
  'IMAP cut off': { weight: 2, seconds: [0, 4] },
  'IMAP silent': { weight: 1, seconds: [2, 8] },
  'job store connections ended': { weight: 3 },
  'job store lost': { weight: 1, kills: true },
  'job server killed': { weight: 4, kills: true, seconds: [0, 8] },
} as const satisfies Record<string, FaultKind>;

export type FaultName = keyof typeof FAULTS;

export const isKill = (name: FaultName): boolean => 'kills' in FAULTS[name];

/** The targets of faults, by the first word of the fault's name, with the length of pauses relative to those of the daemons. */
export const TARGETS = { daemon: 1, SMTP: 2, IMAP: 2, PostgreSQL: 10, job: 15 } as const;

export type Target = keyof typeof TARGETS;

export const targetOf = (name: FaultName): Target => name.split(' ')[0] as Target;

/** One fault of a run. */
export interface PlannedFault {
  name: FaultName;
  /** Duration in seconds. */
  seconds: number;
  /** Selects among its possible targets: a number from 0 to 999,999. */
  lot: number;
  /** Seconds until the next one. */
  pause: number;
}

/**
 * Yields the faults of a run at one target, without end. The same seed gives the same faults.
 * @param possible kinds of them
 * @param longestPause in seconds
 */
export function* planFaults(random: Random, possible: readonly FaultName[], longestPause: number): Generator<PlannedFault> {
  const total = possible.reduce((sum, name) => sum + FAULTS[name].weight, 0);
  for (;;) {
    const name = drawn(possible, random.integer(1, total));
    const kind: FaultKind = FAULTS[name];
    const [from, to] = kind.seconds ?? [0, 0];
    yield {
      name,
      seconds: random.integer(from * 10, to * 10) / 10,
      lot: random.integer(0, 999_999),
      pause: random.integer(0, longestPause * 100) / 100,
    };
  }
}

/** Returns the fault that a number from 1 to the sum of the weights selects. */
function drawn(possible: readonly FaultName[], number: number): FaultName {
  let left = number;
  for (const name of possible) {
    left -= FAULTS[name].weight;
    if (left <= 0) return name;
  }
  throw new Error('no fault is possible');
}

/** Maximum factor by which pauses are stretched. */
const MAX_STRETCH = 30;

/**
 * Returns the factor by which pauses are stretched, so that all kills and all emails end at the same time, however slow the machine is: the
 * fourth power of how far the emails are behind.
 * @param share emails to send for each kill
 */
export function stretch(kills: number, accepted: number, share: number): number {
  const behind = ((kills + 1) * share) / Math.max(accepted, 1);
  return Math.min(Math.max(behind ** 4, 1), MAX_STRETCH);
}
