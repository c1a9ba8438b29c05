/** One row of the report: our rate, the rate of the bare parts doing the same work on the same machine, and the ratio. */
export interface Row {
  name: string;
  unit: string;
  ours: number;
  ceiling: number;
  /** ours / ceiling: 1 is as fast as the bare parts. */
  ratio: number;
  /** Further information, such as the scale. */
  note?: string;
  measured_at: string;
}

export interface Sides {
  /** Both return operations per second. */
  ours(): Promise<number>;
  ceiling(): Promise<number>;
  /** Evaluated after both have been measured. */
  note?(): string;
  close?(): Promise<void>;
}

export interface Measurement {
  name: string;
  unit: string;
  /** Rounds, by default 7. */
  rounds?: number;
  prepare(): Promise<Sides>;
}

/**
 * Measures both sides alternately, each one first in every second round, so that other load on the machine affects both. Reports
 * the median of each side and the median of the ratios of the rounds.
 */
export async function measure({ name, unit, rounds = 7, prepare }: Measurement): Promise<Row> {
  const sides = await prepare();
  const most = Number(process.env.BENCH_ROUNDS ?? rounds);
  try {
    const turns: { ours: number; ceiling: number }[] = [];
    for (let round = 0; round < Math.min(rounds, most); round++) {
      const early = round % 2 === 1 ? await sides.ours() : undefined;
      const ceiling = await sides.ceiling();
      turns.push({ ceiling, ours: early ?? (await sides.ours()) });
    }
    return {
      name,
      unit,
      ours: rounded(median(turns.map(({ ours }) => ours))),
      ceiling: rounded(median(turns.map(({ ceiling }) => ceiling))),
      ratio: Math.round(median(turns.map(({ ours, ceiling }) => ours / ceiling)) * 1_000) / 1_000,
      ...(sides.note === undefined ? {} : { note: sides.note() }),
      measured_at: new Date().toISOString(),
    };
  } finally {
    await sides.close?.();
  }
}

/** Repeats the work for 1.5 seconds. Returns the number of repetitions per second. */
export async function perSecond(work: () => Promise<unknown>): Promise<number> {
  const begin = performance.now();
  let done = 0;
  for (; performance.now() - begin < 1_500; done++) await work();
  return (done / (performance.now() - begin)) * 1_000;
}

export function median(values: readonly number[]): number {
  const sorted = [...values].sort((a, b) => a - b);
  const middle = Math.floor(sorted.length / 2);
  return sorted.length % 2 === 1 ? (sorted[middle] ?? 0) : ((sorted[middle - 1] ?? 0) + (sorted[middle] ?? 0)) / 2;
}

const rounded = (value: number) => (value >= 100 ? Math.round(value) : Math.round(value * 10) / 10);
