import { randomInt } from 'node:crypto';

/** The source of randomness for planning. Injected, so that a seed can replay a run. */
export interface Random {
  /** A random integer from min to max, both included. */
  integer(min: number, max: number): number;
}

export const systemRandom: Random = { integer: (min, max) => (max <= min ? min : randomInt(min, max + 1)) };

/** A repeatable source (mulberry32). Good enough to spread emails; never used for secrets. */
export function seededRandom(seed: number): Random {
  let state = seed >>> 0;
  const next = () => {
    state = (state + 0x6d2b79f5) >>> 0;
    let mixed = Math.imul(state ^ (state >>> 15), state | 1);
    mixed ^= mixed + Math.imul(mixed ^ (mixed >>> 7), mixed | 61);
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32;
  };
  return { integer: (min, max) => (max <= min ? min : min + Math.floor(next() * (max - min + 1))) };
}
