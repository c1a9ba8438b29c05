import { Agenda, exponential, type Job, type JobParameters, type JobRepository } from 'agenda';
import type { App } from '../app.ts';
import { MINUTE, SECOND, systemClock } from '../core/clock.ts';
import { messageOf } from '../core/errors.ts';
import { isDeadHere, WORKER } from '../core/worker.ts';
import { underLock } from '../db/lock.ts';
import { isDuplicate, type JobBackend, type JobStoreUrls, openBackend } from './backend.ts';
import { InFlight } from './in-flight.ts';

/**
 * The few functions of Agenda that the service uses. It schedules work and spreads it over the daemons but is never the
 * source of truth: any job may be lost and is created again from PostgreSQL.
 */
export interface JobStore {
  /** Runs `work` once a period, in one of the daemons. A failure is logged and does not affect the next run. */
  recurring(name: string, seconds: number, work: JobWork, options?: { atStart?: boolean }): void;
  /** Runs `work` for the id of each enqueued item, in any daemon, with at most `concurrency` concurrent runs in this one. */
  perItem(name: string, concurrency: number, work: (itemId: number, signal: AbortSignal) => Promise<unknown>): void;
  /** Creates a job for each due item that has none waiting or running. Returns how many were created. */
  enqueue(name: string, due: () => Promise<readonly number[]>): Promise<number>;
  /** Registers the recurring jobs and starts to run jobs. All jobs must be defined before. */
  start(): Promise<void>;
  /** Takes no new jobs, aborts the signal of running ones, waits for them, releases the locks and closes the store. */
  drain(): Promise<void>;
}

/** @param signal aborted when the daemon drains: work that can stop between two emails does */
type JobWork = (signal: AbortSignal) => Promise<unknown>;

export interface JobStoreOptions {
  /**
   * Lifetime in seconds of the lock on a running job; it is renewed while the work lasts. Jobs of a dead daemon can run
   * again once it has expired, or as soon as a daemon starts on the same host.
   */
  lockSeconds?: { recurring: number; account: number };
  /** Period in seconds in which each daemon creates recurring jobs again that the store has lost. */
  keepSeconds?: number;
}

type ItemJob = Job<{ accountId: number }>;

const LOCK_SECONDS = { recurring: 30, account: 60 };
const KEEP_SECONDS = 60;
/** No job of an account is further ahead than its longest retry, unless it was written by a clock that was. */
const MAX_DELAY = 10 * MINUTE;
/** Concurrent inserts; the pool has ten connections. */
const ENQUEUE_CONCURRENCY = 6;
const RETRY = exponential({ delay: 5 * SECOND, factor: 2, maxDelay: 5 * MINUTE, maxRetries: Number.POSITIVE_INFINITY });

let stores = 0;

/** Opens the job store that the settings name. Throws `internal_error`, naming the setting, if it is unreachable. */
export async function createJobStore(app: App, urls: JobStoreUrls, options: JobStoreOptions = {}): Promise<JobStore> {
  // One daemon at a time creates tables and recurring jobs. The lock is in PostgreSQL even if the jobs are in MongoDB.
  const backend = await underLock(app.db, 'job registration', () => openBackend(app, urls));
  return new AgendaStore(app, backend, { lockSeconds: LOCK_SECONDS, keepSeconds: KEEP_SECONDS, ...options });
}

class AgendaStore implements JobStore {
  readonly #app: App;
  readonly #backend: JobBackend;
  readonly #repository: JobRepository;
  readonly #agenda: Agenda;
  readonly #lockSeconds: { recurring: number; account: number };
  readonly #keepSeconds: number;
  /** Names this store in the locks it holds; a process can have several stores. */
  readonly #name = `${WORKER} ${++stores}`;
  readonly #inFlight = new InFlight();
  readonly #stopping = new AbortController();
  readonly #periods = new Map<string, { milliseconds: number; atStart: boolean }>();
  readonly #lastErrors = new Map<string, number>();
  /** Concurrency limit in this daemon, by job name. */
  readonly #concurrency = new Map<string, number>();
  #keeping: NodeJS.Timeout | undefined;

  constructor(app: App, backend: JobBackend, { lockSeconds, keepSeconds }: Required<JobStoreOptions>) {
    this.#app = app;
    this.#backend = backend;
    this.#lockSeconds = lockSeconds;
    this.#keepSeconds = keepSeconds;
    this.#repository = this.#inFlight.tracked(backend.repository);
    // Already connected: in Agenda a failing connect() becomes an unhandled rejection.
    const nothing = async () => {};
    const connected = { name: 'outreach', repository: this.#repository, ownsConnection: false, connect: nothing, disconnect: nothing };
    this.#agenda = new Agenda({ backend: connected, name: this.#name, removeOnComplete: true });
    this.#agenda.on('error', (error) => this.#logError(error));
  }

  recurring(name: string, seconds: number, work: JobWork, { atStart = false } = {}): void {
    this.#periods.set(name, { milliseconds: seconds * SECOND, atStart });
    this.#define(name, 1, this.#lockSeconds.recurring, async () => {
      await work(this.#stopping.signal).catch((error) => this.#app.log.error({ err: error, job: name }, 'job failed'));
    });
  }

  perItem(name: string, concurrency: number, work: (itemId: number, signal: AbortSignal) => Promise<unknown>): void {
    this.#define(name, concurrency, this.#lockSeconds.account, async (job: ItemJob) => {
      const { accountId: itemId } = job.attrs.data;
      await work(itemId, this.#stopping.signal).catch((error) => {
        this.#app.log.error({ err: error, job: name, account: itemId }, 'job failed');
        // Agenda retries the job with exponential backoff; until then it is not enqueued again.
        throw error;
      });
    });
  }

  async enqueue(name: string, due: () => Promise<readonly number[]>): Promise<number> {
    // Queried before the due accounts: an account whose job ends in between counts as present and does not run twice.
    const { jobs } = await this.#repository.queryJobs({ name });
    const leftOver = jobs.filter(isLeftOver);
    if (leftOver.length > 0) await this.#repository.removeJobs({ ids: leftOver.map((job) => job._id) });
    const present = new Set(jobs.filter((job) => !leftOver.includes(job)).map((job) => (job.data as { accountId: number }).accountId));
    const missing = (await due()).filter((id) => !present.has(id)).values();
    let created = 0;
    const insertMissing = async () => {
      for (const itemId of missing) if (await this.#insert(name, itemId)) created++;
    };
    await Promise.all(Array.from({ length: ENQUEUE_CONCURRENCY }, insertMissing));
    return created;
  }

  async start(): Promise<void> {
    await underLock(this.#app.db, 'job registration', async () => {
      await this.#release((job) => isDeadHere(job.lastModifiedBy?.split(' ')[0] ?? ''));
      await this.#register({ isStart: true });
    });
    this.#keeping = setInterval(() => void this.#keep(), this.#keepSeconds * SECOND);
    const shortest = Math.min(...[...this.#periods.values()].map((period) => period.milliseconds));
    this.#agenda.processEvery(Math.min(SECOND, shortest));
    await this.#agenda.start();
  }

  async drain(): Promise<void> {
    this.#stopping.abort();
    clearInterval(this.#keeping);
    try {
      await this.#agenda.stop(false);
      await this.#inFlight.settled();
      await this.#release((job) => job.lastModifiedBy === this.#name);
    } catch (error) {
      this.#app.log.warn({ error: messageOf(error) }, 'job locks could not be released; they will expire');
    }
    await this.#backend.close();
  }

  /**
   * Limits locks to the jobs that can run. Agenda would lock more, which then wait in this daemon while others are idle,
   * and a lock that expires while its job waits counts against the limit for ever.
   */
  #define(name: string, concurrency: number, lockSeconds: number, work: (job: ItemJob) => Promise<void>): void {
    const lockLifetime = lockSeconds * SECOND;
    this.#concurrency.set(name, concurrency);
    this.#agenda.maxConcurrency([...this.#concurrency.values()].reduce((sum, each) => sum + each));
    this.#agenda.define(name, (job: ItemJob) => this.#inFlight.track(this.#run(job, lockLifetime, work)), {
      concurrency,
      lockLimit: concurrency,
      lockLifetime,
      backoff: RETRY,
    });
  }

  async #run(job: ItemJob, lockLifetime: number, work: (job: ItemJob) => Promise<void>): Promise<void> {
    if (this.#stopping.signal.aborted) return;
    let touching: Promise<void> | undefined;
    const keepAlive = setInterval(() => {
      touching ??= job
        .touch()
        .catch(() => undefined)
        .finally(() => {
          touching = undefined;
        });
    }, lockLifetime / 3);
    try {
      await work(job);
    } finally {
      clearInterval(keepAlive);
      // A renewal that arrived after the end would lock the job again.
      await touching;
    }
  }

  async #insert(name: string, itemId: number): Promise<boolean> {
    try {
      await this.#agenda.create(name, { accountId: itemId }).save();
      return true;
    } catch (error) {
      if (isDuplicate(error)) return false;
      throw error;
    }
  }

  /** Creates recurring jobs again that were lost with the store, or that a clock which was ahead has put off. */
  async #keep(): Promise<void> {
    const register = () => underLock(this.#app.db, 'job registration', () => this.#register({ isStart: false }));
    await this.#inFlight.track(register()).catch((error) => this.#logError(error));
  }

  /**
   * Creates recurring jobs that have no next run, and at a start those whose period has changed: daemons with different settings must not
   * change them by turns. The others keep the time of their next run.
   */
  async #register({ isStart }: { isStart: boolean }): Promise<void> {
    if (this.#stopping.signal.aborted) return;
    const { jobs } = await this.#repository.queryJobs({ names: [...this.#periods.keys()] });
    for (const [name, { milliseconds, atStart }] of this.#periods) {
      const present = jobs.find((job) => job.name === name);
      const isOther = isStart && (atStart || Number(present?.repeatInterval) !== milliseconds);
      if (present !== undefined && hasNextRun(present) && !isOther) continue;
      if (present !== undefined) await this.#repository.removeJobs({ name });
      await this.#agenda.every(milliseconds, name);
    }
  }

  /** Releases locks. Recurring jobs are unlocked; one-off jobs are removed and created again if their account is due. */
  async #release(isTheirs: (job: JobParameters) => boolean): Promise<void> {
    const { jobs } = await this.#repository.queryJobs({ names: [...this.#concurrency.keys()] });
    const locked = jobs.filter((job) => job.lockedAt && isTheirs(job));
    const oneOff = locked.filter((job) => job.type === 'normal').map((job) => job._id);
    const recurring = locked.filter((job) => job.type === 'single').map((job) => job._id);
    if (oneOff.length > 0) await this.#repository.removeJobs({ ids: oneOff });
    await this.#repository.unlockJobs(recurring);
  }

  /** Logs the same error once a minute at most: while the store is down, every scan fails for every job. */
  #logError(error: unknown): void {
    const message = messageOf(error);
    const now = performance.now();
    if (now - (this.#lastErrors.get(message) ?? Number.NEGATIVE_INFINITY) < MINUTE) return;
    if (this.#lastErrors.size > 100) this.#lastErrors.clear();
    this.#lastErrors.set(message, now);
    this.#app.log.warn({ error: message }, 'job store error');
  }
}

/** True for a recurring job whose next run is set, and no further ahead than its period lets it be. */
function hasNextRun({ nextRunAt, repeatInterval }: JobParameters): boolean {
  return nextRunAt instanceof Date && !isFarAhead(nextRunAt, Number(repeatInterval));
}

/** True for a job of an account that finished and was not removed, because the daemon or the store failed, or that waits for a wrong time. */
function isLeftOver({ nextRunAt, lockedAt }: JobParameters): boolean {
  return (nextRunAt === null && !lockedAt) || isFarAhead(lockedAt ?? nextRunAt, 0);
}

/** Agenda uses the system clock, not the clock of the program. */
const isFarAhead = (time: Date | null, period: number): boolean =>
  time !== null && time.getTime() - systemClock.now().getTime() > period + MAX_DELAY;
