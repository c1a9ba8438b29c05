import { describe, expect, it } from 'vitest';
import { seededRandom } from '../../src/core/random.ts';
import { FAULTS, type FaultName, isKill, type PlannedFault, planFaults, stretch, TARGETS, targetOf } from './plan.ts';

const ALL = Object.keys(FAULTS) as FaultName[];

function firstFaults(seed: number, count: number, possible = ALL): PlannedFault[] {
  const plan = planFaults(seededRandom(seed), possible, 2);
  return Array.from({ length: count }, () => plan.next().value);
}

describe('The plan of faults', () => {
  it('is the same for the same seed, and another for another', () => {
    expect(firstFaults(7, 500)).toEqual(firstFaults(7, 500));
    expect(firstFaults(8, 500)).not.toEqual(firstFaults(7, 500));
  });

  it('has every kind of fault that the machine can have, and no other', () => {
    expect(new Set(firstFaults(7, 2_000).map(({ name }) => name))).toEqual(new Set(ALL));
    const possible = ALL.filter((name) => !name.startsWith('IMAP'));
    expect(new Set(firstFaults(7, 2_000, possible).map(({ name }) => name))).toEqual(new Set(possible));
  });

  it('strikes every target', () => {
    expect(new Set(ALL.map(targetOf))).toEqual(new Set(Object.keys(TARGETS)));
  });

  it('has at least three kills in ten faults, and often right after a final dot', () => {
    const names = firstFaults(7, 5_000).map(({ name }) => name);
    const share = (is: (name: FaultName) => boolean) => names.filter(is).length / names.length;
    expect(share(isKill)).toBeGreaterThan(0.3);
    expect(share((name) => name === 'daemon killed after the final dot')).toBeGreaterThan(0.08);
  });

  it('gives each fault a length within its kind, and a pause within the longest', () => {
    for (const { name, seconds, pause } of firstFaults(7, 1_000)) {
      const kind = FAULTS[name];
      const [from, to] = 'seconds' in kind ? kind.seconds : [0, 0];
      expect(seconds, name).toBeGreaterThanOrEqual(from);
      expect(seconds, name).toBeLessThanOrEqual(to);
      expect(pause).toBeLessThanOrEqual(2);
    }
  });

  it('leaves daemons in peace longer while they are behind with their emails, within limits', () => {
    expect(stretch(100, 2_020, 20)).toBe(1);
    expect(stretch(100, 5_000, 20)).toBe(1);
    expect(stretch(100, 1_010, 20)).toBe(16);
    expect(stretch(100, 0, 20)).toBe(30);
    expect(stretch(100, 0, 0)).toBe(1);
  });
});
