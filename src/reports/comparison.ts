import { probabilityHigher } from './probability.ts';
import { type Difference, difference } from './proportion.ts';
import type { Rates, ReportCounts } from './report-row.ts';

/** The rates by which the groups of a test are compared: higher is better. */
const COMPARED = ['opened', 'clicked', 'replied'] as const satisfies readonly (keyof Rates)[];

/** Emails that must be delivered in each group before a difference says anything. */
const MIN_DELIVERED = 30;

/** Group B compared with group A, by one rate. */
export interface Comparison extends Difference {
  rate: (typeof COMPARED)[number];
  /** Probability that the true rate of B is higher; 0.5 if nothing is known. */
  probability_b_better: number;
  /** True if fewer than 30 emails were delivered in one of the groups, so that the figures say little yet. */
  too_few: boolean;
}

/** Compares the groups of an A/B test. Returns an empty list if there is nothing to compare. */
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
