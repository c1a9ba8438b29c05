/**
 * Runs synchronous work. Returns its result and the processor time of this process for it, in milliseconds: unlike wall-clock time, it does
 * not grow if other tests use the processors.
 */
export function processorTime<Result>(work: () => Result): { result: Result; milliseconds: number } {
  const before = process.cpuUsage();
  const result = work();
  const { user, system } = process.cpuUsage(before);
  return { result, milliseconds: (user + system) / 1_000 };
}
