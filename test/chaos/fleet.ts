import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as wait } from 'node:timers/promises';
import { messageOf } from '../../src/core/errors.ts';
import { type DaemonProcess, startDaemonProcess } from '../support/daemon-process.ts';

export const FAKETIME = '/usr/lib/x86_64-linux-gnu/faketime/libfaketimeMT.so.1';

/** Seconds that a daemon may take to start beside four others on a slow database. */
const MAX_START_SECONDS = 180;

interface Slot {
  home: string;
  env: NodeJS.ProcessEnv;
  daemon: DaemonProcess | undefined;
  /** The last start of a daemon: true if it succeeded. */
  starting: Promise<boolean>;
  /** Process ids that this run killed. */
  killed: Set<number>;
  isStopped: boolean;
}

export interface FleetOptions {
  folder: string;
  count: number;
  databaseUrl: string;
  env: NodeJS.ProcessEnv;
  /** Whether the first daemon's clock can be set (libfaketime). */
  hasFaketime: boolean;
}

/** Daemons that are restarted whenever they end, as by systemd's `Restart=always`. */
export class Fleet {
  /** Unexpected ends of daemons, with their last log lines. */
  readonly surprises: string[] = [];
  /** The reason of the last failed start. */
  lastFailure = 'none';
  readonly #databaseUrl: string;
  readonly #slots: Slot[];
  readonly #clockFile: string;
  readonly #logs: string[] = [];
  #isEnding = false;

  constructor({ folder, count, databaseUrl, env, hasFaketime }: FleetOptions) {
    this.#databaseUrl = databaseUrl;
    this.#clockFile = join(folder, 'clock');
    writeFileSync(this.#clockFile, '+0');
    // A cached time may be a second old. Without a cache, every read of the clock would read the file.
    const clock = {
      LD_PRELOAD: FAKETIME,
      FAKETIME_TIMESTAMP_FILE: this.#clockFile,
      FAKETIME_CACHE_DURATION: '1',
      FAKETIME_DONT_FAKE_MONOTONIC: '1',
    };
    this.#slots = Array.from({ length: count }, (_, index) => ({
      ...{ home: join(folder, `daemon-${index}`), env: index === 0 && hasFaketime ? { ...env, ...clock } : env },
      ...{ daemon: undefined, starting: Promise.resolve(true), killed: new Set<number>(), isStopped: false },
    }));
  }

  /** Starts all of them. */
  async start(): Promise<void> {
    await Promise.all(this.#slots.map((slot) => this.#keepRunning(slot)));
  }

  get size(): number {
    return this.#slots.length;
  }

  /** The daemons that run and are not frozen. */
  get running(): DaemonProcess[] {
    return this.#slots.flatMap(({ daemon, isStopped }) => (daemon === undefined || isStopped ? [] : [daemon]));
  }

  /** Everything that daemons logged. */
  get logs(): string[] {
    return [...this.#logs, ...this.#slots.flatMap(({ daemon }) => daemon?.logged() ?? [])];
  }

  /** Kills a daemon. It is restarted immediately. */
  kill(pid: number): void {
    const slot = this.#slots.find(({ daemon }) => daemon?.pid === pid);
    slot?.killed.add(pid);
    slot?.daemon?.child.kill('SIGKILL');
  }

  /** Freezes a daemon for `seconds` (SIGSTOP, SIGCONT): it only notices that time has passed. */
  async freeze(pid: number, seconds: number): Promise<void> {
    const slot = this.#slots.find(({ daemon }) => daemon?.pid === pid);
    if (slot?.daemon === undefined) return;
    const { child } = slot.daemon;
    slot.isStopped = true;
    child.kill('SIGSTOP');
    await wait(seconds * 1_000);
    child.kill('SIGCONT');
    slot.isStopped = false;
  }

  /** Sets the clock of the first daemon, as an offset of libfaketime: `+1h`, `-1d`, `+0`. */
  setClock(offset: string): void {
    writeFileSync(this.#clockFile, offset);
  }

  /** Drains all daemons, including those that are only starting, and waits for their end. */
  async end(): Promise<void> {
    this.#isEnding = true;
    await Promise.all(this.#slots.map(({ starting }) => starting));
    await Promise.all(this.#slots.map(({ daemon }) => daemon?.end('SIGTERM')));
  }

  async #keepRunning(slot: Slot): Promise<void> {
    let isStarted = false;
    while (!isStarted && !this.#isEnding) {
      slot.starting = this.#start(slot);
      isStarted = await slot.starting;
    }
  }

  /** Starts a daemon. Logs a failure, as happens while the database is unreachable. */
  async #start(slot: Slot): Promise<boolean> {
    try {
      const place = { databaseUrl: this.#databaseUrl, home: slot.home, env: slot.env };
      this.#watch(slot, await startDaemonProcess(place, MAX_START_SECONDS));
      return true;
    } catch (error) {
      this.lastFailure = messageOf(error);
      await wait(500);
      return false;
    }
  }

  #watch(slot: Slot, daemon: DaemonProcess): void {
    slot.daemon = daemon;
    daemon.child.once('exit', (code, signal) => {
      this.#logs.push(daemon.logged());
      slot.daemon = undefined;
      if (!slot.killed.has(daemon.pid) && !this.#isEnding) this.surprises.push(`exit ${code ?? signal}: ${daemon.logged().slice(-2_000)}`);
      void this.#keepRunning(slot);
    });
    // It may have been killed since its first output.
    if (daemon.child.exitCode !== null || daemon.child.signalCode !== null)
      daemon.child.emit('exit', daemon.child.exitCode, daemon.child.signalCode);
  }
}
