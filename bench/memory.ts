import { readFileSync } from 'node:fs';

/** Resident memory of a process in megabytes. Linux only, like `peakOf`. */
export const residentOf = (pid: number): number => statusOf(pid, 'VmRSS');

/** The most memory that a process has had, in megabytes. */
export const peakOf = (pid: number): number => statusOf(pid, 'VmHWM');

/** A field of proc(5), status, that is given in kilobytes. */
const statusOf = (pid: number, field: string): number =>
  Math.round(Number(new RegExp(`${field}:\\s+(\\d+) kB`).exec(readFileSync(`/proc/${pid}/status`, 'utf8'))?.[1]) / 1_024);
