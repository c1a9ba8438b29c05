import { probabilityHigher } from './probability.ts';
import { type Difference, difference } from './proportion.ts';
import type { Rates, ReportCounts } from './report-row.ts';

/** The rates by which the groups of a test are held against each other: more is better. */
const COMPARED = ['opened', 'clicked', 'replied'] as const satisfies readonly (keyof Rates)[];

/** Emails delivered in each group before a difference is worth looking at. */
const MIN_DELIVERED = 30;

/** Group B held against group A, by one rate. */
export interface Comparison extends Difference {
  rate: (typeof COMPARED)[number];
  /** That the rate of B is truly higher; 0.5 when nothing is known. */
  probability_b_better: number;
  /** Fewer than 30 emails were delivered in one of the groups: the figures say little yet. */
  too_few: boolean;
}

/** Compares the groups of an A/B test; nothing to compare is an empty list. */
export function compare(a: ReportCounts | undefined, b: ReportCounts | undefined): Comparison[] {
  if (a === undefined || b === undefined) return [];
  const tooFew = Math.min(a.delivered, b.delivered) < MIN_DELIVERED;
  return COMPARED.flatMap((rate) => {
    const [ofA, ofB] = [a.rates[rate], b.rates[rate]];
    if (ofA === null || ofB === null) return [];
    const probability = Math.round(probabilityHigher(ofA, ofB) * 1e6) / 1e6;
    return [{ rate, ...difference(ofA, ofB), probability_b_better: probability, too_few: tooFew }];
  });
}
