import { readdirSync, readFileSync } from 'node:fs';

/** Linux counts the CPU time of processes in ticks of a hundredth of a second. */
const TICK_MICROSECONDS = 10_000;

interface ProcessTimes {
  parent: number;
  /** Microseconds of the process, and of its children that have exited. */
  own: number;
  ended: number;
}

function timesOf(pid: number): ProcessTimes | undefined {
  try {
    // proc(5): the name is in parentheses and may contain anything; the fields after it are counted from 3.
    const stat = readFileSync(`/proc/${pid}/stat`, 'latin1');
    const fields = stat
      .slice(stat.lastIndexOf(')') + 2)
      .split(' ')
      .map(Number);
    const ticks = (first: number) => ((fields[first - 3] ?? 0) + (fields[first - 2] ?? 0)) * TICK_MICROSECONDS;
    return { parent: fields[1] ?? 0, own: ticks(14), ended: ticks(16) };
  } catch {
    return undefined;
  }
}

/** CPU microseconds used so far by a process and its children, including exited ones; 0 without /proc. */
export function cpuOfTree(pid: number): number {
  const root = timesOf(pid);
  if (root === undefined) return 0;
  const children = readdirSync('/proc').flatMap((name) => {
    const times = /^\d+$/.test(name) ? timesOf(Number(name)) : undefined;
    return times?.parent === pid ? [times] : [];
  });
  return children.reduce((sum, { own }) => sum + own, root.own + root.ended);
}
