import { setTimeout as wait } from 'node:timers/promises';
import type { App } from '../../src/app.ts';
import { sql } from '../../src/db/statement.ts';

/** The state of the database at one moment. */
export interface Snapshot {
  /** Emails that were accepted, by account. */
  accepted: Map<number, number>;
  /** Process ids of the daemons that have claimed an email or an account. */
  workers: Set<number>;
  /** The start of the last complete poll, by account. */
  polledAt: Map<number, Date>;
  /** The database's time. */
  time: Date;
}

/** True if the disturbed part works again. @param since the first snapshot after the fault ended */
export type IsWell = (now: Snapshot, since: Snapshot) => boolean;

interface Watch {
  fault: string;
  isWell: IsWell;
  endedAt: number;
  since: Snapshot | undefined;
}

const INTERVAL = 250;

/** Measures the time from each fault's end until everything works again, by reading the database four times a second. */
export class Recoveries {
  /** Seconds by kind of fault. */
  readonly seconds = new Map<string, number[]>();
  readonly #app: App;
  /** Emails accepted so far. */
  accepted = 0;
  #watches: Watch[] = [];
  #isEnding = false;
  readonly #loop: Promise<void>;

  constructor(app: App) {
    this.#app = app;
    this.#loop = this.#look();
  }

  /** Begins to measure. Called when a fault has just ended. */
  watch(fault: string, isWell: IsWell): void {
    this.#watches.push({ fault, isWell, endedAt: performance.now(), since: undefined });
  }

  /** Ends the measurement. Returns the faults after which no recovery was seen. */
  async end(): Promise<string[]> {
    this.#isEnding = true;
    await this.#loop;
    return this.#watches.map(({ fault }) => fault);
  }

  async #look(): Promise<void> {
    while (!this.#isEnding) {
      const now = await snapshot(this.#app).catch(() => undefined);
      if (now !== undefined) {
        this.accepted = [...now.accepted.values()].reduce((sum, count) => sum + count, 0);
        this.#watches = this.#watches.filter((watch) => !this.#isOver(watch, now));
      }
      await wait(INTERVAL);
    }
  }

  #isOver(watch: Watch, now: Snapshot): boolean {
    watch.since ??= now;
    if (!watch.isWell(now, watch.since)) return false;
    const seconds = (performance.now() - watch.endedAt) / 1_000;
    this.seconds.set(watch.fault, [...(this.seconds.get(watch.fault) ?? []), seconds]);
    return true;
  }
}

async function snapshot({ db }: App): Promise<Snapshot> {
  const [accepted, workers, polls] = await Promise.all([
    db.query<{ account_id: number; count: number }>(
      sql`select account_id, count(*)::int as count from outbox where state = 'accepted' group by account_id`,
    ),
    db.query<{ worker: string }>(sql`
      select worker from outbox where closed_at is null and state in ('claimed', 'transmitting')
      union select batch_worker from accounts where batch_worker is not null`),
    db.query<{ id: number; last_polled_at: Date | null; now: Date }>(
      sql`select id, last_polled_at, now() from accounts where imap is not null`,
    ),
  ]);
  return {
    accepted: new Map(accepted.map((row) => [row.account_id, row.count])),
    workers: new Set(workers.map(({ worker }) => Number(worker.split(':')[1]))),
    polledAt: new Map(polls.flatMap(({ id, last_polled_at: at }) => (at === null ? [] : [[id, at]]))),
    time: polls[0]?.now ?? new Date(0),
  };
}

/** True if one of these accounts has had another email accepted. */
export const sendsAgain =
  (accounts: readonly number[]): IsWell =>
  (now, since) =>
    accounts.some((id) => (now.accepted.get(id) ?? 0) > (since.accepted.get(id) ?? 0));

/** True if nothing waits for a dead daemon any more. */
export const isSettled =
  (pid: number): IsWell =>
  (now) =>
    !now.workers.has(pid);

/** True if all of these accounts' mailboxes have been read completely by a poll that began later. */
export const readsAgain =
  (accounts: readonly number[]): IsWell =>
  (now, since) =>
    accounts.every((id) => {
      const at = now.polledAt.get(id);
      return at !== undefined && at > since.time && at <= now.time;
    });
