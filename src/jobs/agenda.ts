import { Agenda, exponential, type Job, type JobParameters, type JobRepository } from 'agenda';
import type { App } from '../app.ts';
import { MINUTE, SECOND } from '../core/clock.ts';
import { messageOf } from '../core/errors.ts';
import { isDeadHere, WORKER } from '../core/worker.ts';
import { underLock } from '../db/lock.ts';
import { isDuplicate, type JobBackend, type JobStoreUrls, openBackend } from './backend.ts';
import { InFlight } from './in-flight.ts';
import { hasNextRun, isLeftOver, runsLater } from './job-rows.ts';
import type { JobStore, JobStoreOptions, JobWork } from './job-store.ts';
import { RunningJobs } from './running-jobs.ts';
import { Watchdog, type Watched } from './watchdog.ts';

type ItemJob = Job<{ accountId: number }>;

interface Definition {
  concurrency: number;
  lockSeconds: number;
  /** Milliseconds that a run may take. */
  longest: number;
  /** Maximum jobs that one daemon locks at a time; by default all that are due. */
  lockLimit?: number;
}

const LOCK_SECONDS = { recurring: 30, account: 60 };
const WATCH_SECONDS = 2;
const GRACE_SECONDS = 6;
/** A run of a recurring job that takes longer is waiting for something that will never happen. */
const MAX_RUN_TIME = 10 * MINUTE;
/** Concurrent inserts; the pool has ten connections. */
const ENQUEUE_CONCURRENCY = 6;
const RETRY = exponential({ delay: 5 * SECOND, factor: 2, maxDelay: 5 * MINUTE, maxRetries: Number.POSITIVE_INFINITY });

let stores = 0;

/** Opens the job store that the settings name. Throws `internal_error`, naming the setting, if it is unreachable. */
export async function createJobStore(app: App, urls: JobStoreUrls, options: JobStoreOptions = {}): Promise<JobStore> {
  // One daemon at a time creates tables and recurring jobs. The lock is in PostgreSQL even if the jobs are in MongoDB.
  const backend = await underLock(app.db, 'job registration', () => openBackend(app, urls));
  return new AgendaStore(app, backend, {
    lockSeconds: LOCK_SECONDS,
    watchSeconds: WATCH_SECONDS,
    graceSeconds: GRACE_SECONDS,
    ...options,
  });
}

class AgendaStore implements JobStore, Watched {
  readonly #app: App;
  readonly #backend: JobBackend;
  readonly #repository: JobRepository;
  readonly #agenda: Agenda;
  readonly #lockSeconds: { recurring: number; account: number };
  /** The name of this store in its locks, since a process can have several stores. */
  readonly #name = `${WORKER} ${++stores}`;
  readonly #inFlight = new InFlight();
  readonly #running = new RunningJobs();
  readonly #watchdog: Watchdog;
  readonly #periods = new Map<string, { milliseconds: number; atStart: boolean }>();
  readonly #lastErrors = new Map<string, number>();
  /** Concurrency limit in this daemon, by job name. */
  readonly #concurrency = new Map<string, number>();
  #isStopping = false;

  constructor(app: App, backend: JobBackend, { lockSeconds, watchSeconds, graceSeconds }: Required<JobStoreOptions>) {
    this.#app = app;
    this.#backend = backend;
    this.#lockSeconds = lockSeconds;
    this.#repository = this.#inFlight.tracked(backend.repository);
    // The repository is already connected: in Agenda, a failing connect() becomes an unhandled rejection.
    const nothing = async () => {};
    const connected = { name: 'outreach', repository: this.#repository, ownsConnection: false, connect: nothing, disconnect: nothing };
    this.#agenda = new Agenda({ backend: connected, name: this.#name, removeOnComplete: true });
    this.#agenda.on('error', (error) => this.#logError(error));
    this.#watchdog = new Watchdog(this, this.#agenda, { watchSeconds, graceSeconds, log: app.log });
  }

  recurring(name: string, seconds: number, work: JobWork, { atStart = false } = {}): void {
    this.#periods.set(name, { milliseconds: seconds * SECOND, atStart });
    this.#watchdog.add(name, seconds);
    // No limit of locks: there is only one job with the name, and a lock that Agenda loses (see `Watchdog`) would use up the limit.
    this.#define(name, { concurrency: 1, lockSeconds: this.#lockSeconds.recurring, longest: MAX_RUN_TIME }, async (_job, signal) => {
      await work(signal).catch((error) => this.#app.log.error({ err: error, job: name }, 'job failed'));
    });
  }

  perItem(name: string, concurrency: number, work: (itemId: number, signal: AbortSignal) => Promise<unknown>): void {
    // Without a limit, Agenda would lock more jobs than can run here. They would wait in this daemon while others are idle.
    const limits = { concurrency, lockLimit: concurrency, lockSeconds: this.#lockSeconds.account, longest: Number.POSITIVE_INFINITY };
    this.#define(name, limits, async (job, signal) => {
      const { accountId: itemId } = job.attrs.data;
      await work(itemId, signal).catch((error) => {
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
    const shortest = Math.min(...[...this.#periods.values()].map((period) => period.milliseconds));
    this.#agenda.processEvery(Math.min(SECOND, shortest));
    await this.#agenda.start();
    this.#watchdog.start();
  }

  problem(): string | undefined {
    return this.#watchdog.problem();
  }

  async drain(): Promise<void> {
    this.#isStopping = true;
    this.#running.stop();
    try {
      await this.#watchdog.stop();
      await this.#agenda.stop(false);
      await this.#inFlight.settled();
      await this.#release((job) => job.lastModifiedBy === this.#name);
    } catch (error) {
      this.#app.log.warn({ error: messageOf(error) }, 'job locks could not be released; they will expire');
    }
    await this.#backend.close();
  }

  async recurringJobs(): Promise<JobParameters[]> {
    const names = [...this.#periods.keys()];
    const { jobs } = await this.#repository.queryJobs({ names });
    const present = new Set(jobs.filter(hasNextRun).map(({ name }) => name));
    if (names.some((name) => !present.has(name))) await this.#registerUnderLock([]);
    return jobs;
  }

  isIdlyLocked({ _id, lockedAt, lastModifiedBy }: JobParameters): boolean {
    return Boolean(lockedAt) && lastModifiedBy === this.#name && !this.#running.has(_id);
  }

  async restart(names: readonly string[]): Promise<void> {
    // Not stop(), which would also release the lock of a job that another daemon now runs.
    await this.#agenda.drain({ timeout: 0, closeConnection: false });
    try {
      await this.#release((job) => this.isIdlyLocked(job));
      if (names.length > 0) await this.#registerUnderLock(names);
    } finally {
      if (!this.#isStopping) await this.#agenda.start();
    }
  }

  #define(name: string, { longest, lockSeconds, ...limits }: Definition, work: (job: ItemJob, signal: AbortSignal) => Promise<void>): void {
    const lockLifetime = lockSeconds * SECOND;
    this.#concurrency.set(name, limits.concurrency);
    this.#agenda.maxConcurrency([...this.#concurrency.values()].reduce((sum, each) => sum + each));
    const run = (job: ItemJob) => this.#running.run(job, { lockLifetime, longest }, (signal) => work(job, signal));
    this.#agenda.define(name, (job: ItemJob) => this.#inFlight.track(run(job)), { ...limits, lockLifetime, backoff: RETRY });
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

  /** Recreates the named jobs, and recurring jobs that were lost with the store or that a clock running ahead has postponed. */
  #registerUnderLock(names: readonly string[]): Promise<void> {
    return underLock(this.#app.db, 'job registration', async () => {
      for (const name of names) await this.#repository.removeJobs({ name });
      await this.#register({ isStart: false });
    });
  }

  /**
   * Creates recurring jobs that have no next run. At a start it also creates again those whose period has changed (otherwise daemons with
   * different settings would keep changing it back and forth), and those that run at every start, unless they run now: another daemon that
   * starts may be running them. The others keep the time of their next run.
   */
  async #register({ isStart }: { isStart: boolean }): Promise<void> {
    if (this.#isStopping) return;
    const { jobs } = await this.#repository.queryJobs({ names: [...this.#periods.keys()] });
    for (const [name, { milliseconds, atStart }] of this.#periods) {
      const present = jobs.find((job) => job.name === name);
      const isOther =
        isStart && present !== undefined && ((atStart && runsLater(present)) || Number(present.repeatInterval) !== milliseconds);
      if (present !== undefined && hasNextRun(present) && !isOther) continue;
      if (present !== undefined) await this.#repository.removeJobs({ name });
      await this.#agenda.every(milliseconds, name);
    }
  }

  /** Releases locks. Recurring jobs are unlocked; one-off jobs are removed, and created again if their account is due. */
  async #release(isHeld: (job: JobParameters) => boolean): Promise<void> {
    const { jobs } = await this.#repository.queryJobs({ names: [...this.#concurrency.keys()] });
    const locked = jobs.filter((job) => job.lockedAt && isHeld(job));
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
