import { execFileSync } from 'node:child_process';
import { fileURLToPath } from 'node:url';
import type { Measurement } from './measure.ts';

const PROGRAM = fileURLToPath(new URL('../bin/run.js', import.meta.url));
const STARTS = 5;

/** Process starts per second, one after the other. */
async function starts(args: readonly string[]): Promise<number> {
  const begun = performance.now();
  for (let start = 0; start < STARTS; start++) execFileSync(process.execPath, args);
  return (STARTS * 1_000) / (performance.now() - begun);
}

/** `outreach --version` against a Node that does nothing: the overhead of the command line for every command. */
export const startupRow: Measurement = {
  name: 'start',
  unit: 'starts/s',
  prepare: async () => ({ ours: () => starts([PROGRAM, '--version']), ceiling: () => starts(['-e', '0']) }),
};
