import { SECOND } from '../core/clock.ts';
import { FairTurns, type MostTurns } from '../core/fair-turns.ts';
import type { Statement } from './statement.ts';

/** The turns on the connections of one process, by pool. */
export interface PoolTurns {
  readonly main: FairTurns;
  readonly reading: FairTurns;
}

/** As long as pg waits for a connection. */
const PATIENCE = 10 * SECOND;

/** @param sizes the connections of each pool */
export const poolTurns = (sizes: { main: number; reading: number }): PoolTurns => ({
  main: new FairTurns(most(sizes.main), PATIENCE),
  reading: new FairTurns(most(sizes.reading), PATIENCE),
});

/** A member gets half of the connections and a group three quarters, and a tenth is left to the daemon's own work. */
const most = (size: number): MostTurns => ({
  all: Math.ceil(size * 0.9),
  group: Math.ceil(size * 0.75),
  member: Math.ceil(size / 2),
});

/**
 * The pool on which a statement takes turns. Look-ups and what runs for every email take none: they are short, and never wait for a
 * lock that others hold.
 */
export function poolOf(statement: Statement): keyof PoolTurns | undefined {
  if (!('kind' in statement)) return 'main';
  return statement.kind === 'prepared' || statement.kind === 'planning' ? 'reading' : undefined;
}
