import { readFileSync } from 'node:fs';

/** Returns the resident memory of a process in megabytes. Linux only, like `peakOf`. */
export const residentOf = (pid: number): number => statusOf(pid, 'VmRSS');

/** Returns the peak memory of a process in megabytes. */
export const peakOf = (pid: number): number => statusOf(pid, 'VmHWM');

/** Reads a field of /proc/PID/status (proc(5)) that is in kilobytes. */
const statusOf = (pid: number, field: string): number =>
  Math.round(Number(new RegExp(`${field}:\\s+(\\d+) kB`).exec(readFileSync(`/proc/${pid}/status`, 'utf8'))?.[1]) / 1_024);
