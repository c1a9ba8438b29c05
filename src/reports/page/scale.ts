/** Maps values to positions in a picture, in units of its width. */
export interface Scale {
  /** Returns the position of a value. */
  (value: number): number;
  /** Round values from 0 to the largest, about as many as requested. */
  ticks: number[];
}

/** Makes a linear scale from 0 at `start` to the largest value at `end`. @param parts about how many parts the ticks divide it into */
export function linearScale(largest: number, [start, end]: readonly [number, number], parts: number): Scale {
  const step = roundStep(largest / parts);
  const ticks = Array.from({ length: Math.floor(largest / step) + 1 }, (_, index) => index * step);
  return Object.assign((value: number) => start + (value / largest) * (end - start), { ticks });
}

/** Returns the step of 1, 2 or 5 times a power of ten that is nearest to a length (P. Heckbert, Nice numbers for graph labels, 1990). */
export function roundStep(length: number): number {
  const power = 10 ** Math.floor(Math.log10(length));
  const digits = length / power;
  return power * (digits < Math.sqrt(2) ? 1 : digits < Math.sqrt(10) ? 2 : digits < Math.sqrt(50) ? 5 : 10);
}
