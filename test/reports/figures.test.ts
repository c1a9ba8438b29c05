import { describe, expect, it } from 'vitest';
import { compare } from '../../src/reports/comparison.ts';
import { cut } from '../../src/reports/page/figure.ts';
import { probabilityHigher } from '../../src/reports/probability.ts';
import { difference, type Proportion, proportion } from '../../src/reports/proportion.ts';
import { type Counts, reportRow, sumOf } from '../../src/reports/report-row.ts';

const TRACKED = { opened: true, clicked: true };

describe('a rate has a 95% interval (Wilson)', () => {
  it.each([
    // Newcombe 1998, Two-sided confidence intervals for the single proportion, table I, method 3.
    [81, 263, 0.2553, 0.3662],
    [15, 148, 0.0624, 0.1605],
    [0, 20, 0, 0.1611],
    [1, 29, 0.0061, 0.1718],
    [29, 29, 0.883, 1],
  ])('%i of %i: %f to %f', (count, of, low, high) => {
    const share = proportion(count, of);
    expect(share?.low).toBeCloseTo(low, 4);
    expect(share?.high).toBeCloseTo(high, 4);
  });

  it('there is none of nothing, and no more than all', () => {
    expect(proportion(0, 0)).toBeNull();
    expect(proportion(3, 2)).toMatchObject({ count: 2, of: 2, rate: 1, high: 1 });
  });
});

describe('a difference has the interval that the two rates give (Newcombe, method 10)', () => {
  it.each([
    // The paper's table II, comparisons a, c, e and g; there the first is the larger one.
    [48, 80, 56, 70, 0.2, 0.0524, 0.3339],
    [3, 10, 9, 10, 0.6, 0.1705, 0.809],
    [0, 29, 5, 56, 0.0893, -0.0381, 0.1926],
    [0, 20, 0, 10, 0, -0.1611, 0.2775],
  ])('%i of %i and %i of %i', (countA, ofA, countB, ofB, rate, low, high) => {
    const given = difference(proportion(countA, ofA) as Proportion, proportion(countB, ofB) as Proportion);
    for (const [found, expected] of [
      [given.difference, rate],
      [given.low, low],
      [given.high, high],
    ] as const)
      expect(found).toBeCloseTo(expected, 4);
  });
});

/** The same probability, by summing the densities over a fine grid. */
function integrated(a: { count: number; of: number }, b: { count: number; of: number }): number {
  const logs = (x: number, { count, of }: { count: number; of: number }) => count * Math.log(x) + (of - count) * Math.log(1 - x);
  const steps = 100_000;
  const grid = Array.from({ length: steps }, (_, index) => (index + 0.5) / steps);
  const weights = (trials: { count: number; of: number }) => {
    const most = Math.max(...[trials.count / trials.of || 1e-9].map((x) => logs(Math.min(Math.max(x, 1e-9), 1 - 1e-9), trials)));
    const densities = grid.map((x) => Math.exp(logs(x, trials) - most));
    const sum = densities.reduce((total, density) => total + density, 0);
    return densities.map((density) => density / sum);
  };
  const [ofA, ofB] = [weights(a), weights(b)];
  let [below, probability] = [0, 0];
  for (const [index, weight] of ofB.entries()) {
    probability += weight * (below + (ofA[index] ?? 0) / 2);
    below += ofA[index] ?? 0;
  }
  return probability;
}

describe('the probability that B is better (Beta-Binomial, uniform prior)', () => {
  it.each([
    [10, 100, 20, 100],
    [3, 31, 5, 44],
    [0, 30, 1, 30],
    [40, 40, 38, 40],
    [500, 5_000, 540, 5_000],
  ])('%i of %i against %i of %i is that of the integral', (countA, ofA, countB, ofB) => {
    const [a, b] = [
      { count: countA, of: ofA },
      { count: countB, of: ofB },
    ];
    expect(probabilityHigher(a, b)).toBeCloseTo(integrated(a, b), 5);
    expect(probabilityHigher(a, b) + probabilityHigher(b, a)).toBeCloseTo(1, 9);
  });

  it('is one half of equals and of nothing, and has an answer for 500,000 contacts a group', () => {
    expect(probabilityHigher({ count: 0, of: 0 }, { count: 0, of: 0 })).toBe(0.5);
    expect(probabilityHigher({ count: 200_000, of: 500_000 }, { count: 200_000, of: 500_000 })).toBeCloseTo(0.5, 6);
    expect(probabilityHigher({ count: 200_000, of: 500_000 }, { count: 203_000, of: 500_000 })).toBeGreaterThan(0.999);
    expect(probabilityHigher({ count: 400_000, of: 500_000 }, { count: 100_000, of: 500_000 })).toBe(0);
  });
});

const counts = (given: Partial<Counts>): Counts => ({ ...sumOf([]), ...given });

describe('a row', () => {
  const given = counts({
    sent: 100,
    returned: 4,
    contacts: 60,
    contacts_returned: 2,
    opened: 20,
    emails_opened: 30,
    bounced: 6,
    refused: 2,
  });

  it('has rates of persons where it holds all emails of its contacts', () => {
    const { delivered, rates_of, rates } = reportRow(given, 'contacts', TRACKED);
    expect({ delivered, rates_of }).toEqual({ delivered: 96, rates_of: 'persons' });
    expect(rates.opened).toMatchObject({ count: 20, of: 58 });
    expect(rates.bounced).toMatchObject({ count: 6, of: 102 });
  });

  it('has rates of emails otherwise; those of a step are persons', () => {
    expect(reportRow(given, 'emails', TRACKED)).toMatchObject({ rates_of: 'emails', rates: { opened: { count: 30, of: 96 } } });
    expect(reportRow(given, 'step', TRACKED)).toMatchObject({ rates_of: 'persons', rates: { opened: { count: 30, of: 96 } } });
  });
});

describe('the comparison of variants', () => {
  const group = (sent: number, opened: number) => reportRow(counts({ sent, contacts: sent, opened }), 'contacts', TRACKED);

  it('gives difference and probability by each rate, and says too_few under 30 deliveries an arm', () => {
    expect(compare(group(29, 3), group(40, 9))).toMatchObject([
      { rate: 'opened', difference: 0.121552, too_few: true },
      { rate: 'clicked', difference: 0, too_few: true },
      { rate: 'replied', probability_b_better: expect.closeTo(0.42, 1) },
    ]);
    expect(compare(group(30, 3), group(40, 9))[0]).toMatchObject({ too_few: false, probability_b_better: expect.closeTo(0.9, 1) });
  });

  it('is empty where a group has nothing', () => {
    expect(compare(group(30, 3), undefined)).toEqual([]);
  });
});

// "Words cut to fit a column of a picture; no character is cut in two."
it('a label of a picture is Unicode where a character of two units is cut', () => {
  expect(cut('abcdef', 4)).toBe('abc…');
  expect(cut('ab\u{1f44d}\u{1f44d}\u{1f44d}', 4)).toBe('ab\u{1f44d}…');
});
