/** A share of persons or emails, with its 95% confidence interval. `rate`, `low` and `high` are between 0 and 1. */
export interface Proportion {
  count: number;
  of: number;
  rate: number;
  low: number;
  high: number;
}

/** The 97.5% quantile of the standard normal distribution: two-sided 95 %. */
const Z = 1.959963984540054;

const DIGITS = 1e6;
const rounded = (share: number): number => Math.round(share * DIGITS) / DIGITS;

/**
 * Returns the share with the score interval (E. B. Wilson, Probable inference, the law of succession, and statistical inference, 1927),
 * which is also valid for small numbers and for shares near 0 and 1. Null if `of` is 0. A count above `of` is capped, since an email can
 * bounce after it was opened.
 */
export function proportion(counted: number, of: number): Proportion | null {
  if (of <= 0) return null;
  const count = Math.max(0, Math.min(counted, of));
  const { low, high } = interval(count / of, of);
  return { count, of, rate: rounded(count / of), low: rounded(low), high: rounded(high) };
}

function interval(rate: number, of: number): { low: number; high: number } {
  const square = Z * Z;
  const center = rate + square / (2 * of);
  const spread = Z * Math.sqrt((rate * (1 - rate)) / of + square / (4 * of * of));
  const scale = 1 + square / of;
  // At the ends the formula gives exactly 0 and 1, except for rounding.
  return { low: rate === 0 ? 0 : (center - spread) / scale, high: rate === 1 ? 1 : (center + spread) / scale };
}

/** A difference of two shares with its 95% confidence interval, between -1 and 1. */
export interface Difference {
  difference: number;
  low: number;
  high: number;
}

/**
 * Returns the share of `b` minus that of `a`, with the interval that follows from their score intervals (R. G. Newcombe, Interval
 * estimation for the difference between independent proportions, 1998, method 10).
 */
export function difference(a: Proportion, b: Proportion): Difference {
  const [ofA, ofB] = [interval(a.count / a.of, a.of), interval(b.count / b.of, b.of)];
  const [rateA, rateB] = [a.count / a.of, b.count / b.of];
  const low = rateB - rateA - Math.hypot(rateB - ofB.low, ofA.high - rateA);
  const high = rateB - rateA + Math.hypot(ofB.high - rateB, rateA - ofA.low);
  return { difference: rounded(rateB - rateA), low: rounded(low), high: rounded(high) };
}
