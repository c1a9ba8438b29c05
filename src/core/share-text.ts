/** A share with its 95 % confidence interval; all between 0 and 1. */
interface Share {
  rate: number;
  low: number;
  high: number;
}

/** Groups A and B of a test compared by one rate. */
interface Compared {
  rate: string;
  difference: number;
  low: number;
  high: number;
  probability_b_better: number;
  too_few: boolean;
}

/** A share as text, `42.1%`. */
export const percent = (share: number): string => `${(100 * share).toFixed(1)}%`;

/** A share with its interval: `42.1 % (35.9–48.6)`. */
export const withInterval = ({ rate, low, high }: Share): string =>
  `${percent(rate)} (${(100 * low).toFixed(1)}–${(100 * high).toFixed(1)})`;

const signed = (share: number): string => `${share < 0 ? '−' : '+'}${Math.abs(100 * share).toFixed(1)}`;

/** Describes the comparison of group B with group A. */
export function comparisonText({ rate, difference, low, high, probability_b_better: probability, too_few: tooFew }: Compared): string {
  const points = `${rate}: B ${signed(difference)} points (${signed(low)} to ${signed(high)})`;
  if (tooFew) return `${points}; too few to tell: fewer than 30 emails were delivered in a group`;
  return `${points}; B is better with a probability of ${certainty(probability)}`;
}

/** Never 0 % or 100 %, which no number of emails proves. */
function certainty(probability: number): string {
  if (probability > 0.999) return 'more than 99.9%';
  return probability < 0.001 ? 'less than 0.1%' : percent(probability);
}
