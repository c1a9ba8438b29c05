/** `count` successes in `of` trials. */
export interface Trials {
  count: number;
  of: number;
}

/** A sum is scaled down by this before it becomes too large for a number. */
const RESCALE_LIMIT = 1e200;

/**
 * Returns the probability that the true rate of `b` is higher than that of `a`, between 0 and 1. Each rate has the Beta distribution that
 * follows from a uniform prior and its trials. Exact, as a sum with a term for each success of B (E. Miller, Formulas for Bayesian A/B
 * testing, 2014). Each term follows from the one before; the first, B(alphaA, betaA + betaB) / B(alphaA, betaA), may be too small for a
 * number, so the sum is taken relative to it.
 */
export function probabilityHigher(a: Trials, b: Trials): number {
  const [alphaA, betaA] = [a.count + 1, a.of - a.count + 1];
  const [alphaB, betaB] = [b.count + 1, b.of - b.count + 1];
  let exponent = logOfFirst(alphaA, betaA, betaB);
  let [term, sum] = [1, 0];
  for (let i = 0; i < alphaB; i++) {
    sum += term;
    term *= ((alphaA + i) / (i + 1)) * ((betaB + i) / (alphaA + betaA + betaB + i));
    if (sum < RESCALE_LIMIT) continue;
    sum /= RESCALE_LIMIT;
    term /= RESCALE_LIMIT;
    exponent += Math.log(RESCALE_LIMIT);
  }
  return Math.min(1, Math.exp(exponent + Math.log(sum)));
}

/**
 * Returns the logarithm of the product of (betaA + j) / (betaA + betaB + j) for j below alphaA. Computes few logarithms, because they are
 * slow.
 */
function logOfFirst(alphaA: number, betaA: number, betaB: number): number {
  let [sum, product] = [0, 1];
  for (let j = 0; j < alphaA; j++) {
    product *= (betaA + j) / (betaA + betaB + j);
    if (product > 1 / RESCALE_LIMIT) continue;
    sum += Math.log(product);
    product = 1;
  }
  return sum + Math.log(product);
}
