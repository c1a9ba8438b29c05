import { createHash } from 'node:crypto';
import { readFileSync, readlinkSync } from 'node:fs';
import { hostname } from 'node:os';
import { isAlive } from './process-alive.ts';

/**
 * The machine that process ids belong to. Host name and process id don't identify a process: clones of a machine share their name, every
 * container has a process 1, and ids are reused. So on Linux it is a hash of the boot id and the PID namespace; elsewhere the host name.
 */
const MACHINE = machine();

/** The identity of this process, which no other process has, earlier or later, on any machine: `machine:pid:start`. */
export const THIS_PROCESS = identityOf(process.pid);

/** True if the process runs, or may run: nothing is known of processes on other machines. */
export function mayRun(identity: string): boolean {
  const [machineOf, pid] = identity.split(':');
  return machineOf !== MACHINE || isRunning(identity, Number(pid));
}

/** True if the process runs on this machine. */
export function runsHere(identity: string): boolean {
  return identity.split(':')[0] === MACHINE && mayRun(identity);
}

function isRunning(identity: string, pid: number): boolean {
  if (!isAlive(pid)) return false;
  const started = startOf(pid);
  return started === '' || `${MACHINE}:${pid}:${started}` === identity;
}

function identityOf(pid: number): string {
  return `${MACHINE}:${pid}:${startOf(pid)}`;
}

function machine(): string {
  try {
    const boot = readFileSync('/proc/sys/kernel/random/boot_id', 'utf8');
    return createHash('sha256').update(boot).update(readlinkSync('/proc/self/ns/pid')).digest('hex').slice(0, 12);
  } catch {
    return hostname();
  }
}

/** Returns when a process started, in clock ticks since the boot (`proc(5)`, field 22 of `stat`); empty if that can't be read. */
function startOf(pid: number): string {
  try {
    const stat = readFileSync(`/proc/${pid}/stat`, 'utf8');
    // The name of the program, in parentheses, may hold spaces and parentheses.
    return stat.slice(stat.lastIndexOf(')') + 2).split(' ')[19] ?? '';
  } catch {
    return '';
  }
}
