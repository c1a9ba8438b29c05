/** One line of the report: what we reach, what the bare parts reach with the same work on the same machine, and the ratio. */
export interface Row {
  name: string;
  unit: string;
  ours: number;
  ceiling: number;
  /** ours / ceiling; 1 would be as fast as the bare parts. */
  ratio: number;
}

export interface Measurement {
  name: string;
  unit: string;
  /** Sets up what is measured; both sides are called in turns and both give operations a second. */
  prepare(): Promise<{ ours(): Promise<number>; ceiling(): Promise<number>; close(): Promise<void> }>;
}

/** Turns of either side. The best of each counts: what else runs on the machine can only make a turn slower. */
const ROUNDS = 3;

export async function measure({ name, unit, prepare }: Measurement): Promise<Row> {
  const sides = await prepare();
  try {
    let ours = 0;
    let ceiling = 0;
    for (let round = 0; round < ROUNDS; round++) {
      ceiling = Math.max(ceiling, await sides.ceiling());
      ours = Math.max(ours, await sides.ours());
    }
    return { name, unit, ours: Math.round(ours), ceiling: Math.round(ceiling), ratio: Math.round((ours / ceiling) * 1_000) / 1_000 };
  } finally {
    await sides.close();
  }
}
