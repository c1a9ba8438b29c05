import { Agenda, exponential, type Job, type JobParameters, type JobRepository } from 'agenda';
import type { App } from '../app.ts';
import { MINUTE, SECOND } from '../core/clock.ts';
import { messageOf } from '../core/errors.ts';
import { isDeadHere, WORKER } from '../core/worker.ts';
import { underLock } from '../db/lock.ts';
import { isDuplicate, type JobBackend, type JobStoreUrls, openBackend } from './backend.ts';
import { InFlight } from './in-flight.ts';

/**
 * Agenda behind the few things the service asks of it. It is a clock and a way to spread work over daemons, never the
 * truth: every job can be lost and is made again from PostgreSQL.
 */
export interface JobStore {
  /** Runs `work` once a period, in one daemon of all. A failure is logged; the next period comes all the same. */
  recurring(name: string, seconds: number, work: JobWork, options?: { atStart?: boolean }): void;
  /** Runs `work` for each account id that is enqueued, in any daemon, up to `concurrency` at a time in this one. */
  perAccount(name: string, concurrency: number, work: (accountId: number, signal: AbortSignal) => Promise<unknown>): void;
  /** Makes a job for each due account that has none waiting or running. Returns how many were made. */
  enqueue(name: string, due: () => Promise<readonly number[]>): Promise<number>;
  /** Registers the recurring jobs and begins to work. Everything is defined before. */
  start(): Promise<void>;
  /** Takes no new jobs, tells those that run by their signal, waits for them, gives locks back, closes the store. */
  drain(): Promise<void>;
}

/** Aborted when the daemon drains: work that can stop between two mails does. */
type JobWork = (signal: AbortSignal) => Promise<unknown>;

export interface JobStoreOptions {
  /**
   * How long a job stays with a daemon that no longer answers. Work that takes longer renews its lock meanwhile.
   * On the same host a start takes a dead process's jobs over at once.
   */
  lockSeconds?: { recurring: number; account: number };
}

type AccountJob = Job<{ accountId: number }>;

const LOCK_SECONDS = { recurring: 30, account: 60 };
/** Inserts under way at once, out of the ten connections of the pool. */
const ENQUEUE_WIDTH = 6;
const RETRY = exponential({ delay: 5 * SECOND, factor: 2, maxDelay: 5 * MINUTE, maxRetries: Number.POSITIVE_INFINITY });

let stores = 0;

/** Opens the job store that the settings name. Throws one clear line when it can't be reached. */
export async function createJobStore(app: App, urls: JobStoreUrls, options: JobStoreOptions = {}): Promise<JobStore> {
  // One daemon at a time makes tables and recurring jobs; the lock lies in PostgreSQL wherever the jobs are.
  const backend = await underLock(app.db, 'job registration', () => openBackend(app, urls));
  return new AgendaStore(app, backend, options.lockSeconds ?? LOCK_SECONDS);
}

class AgendaStore implements JobStore {
  readonly #app: App;
  readonly #backend: JobBackend;
  readonly #repository: JobRepository;
  readonly #agenda: Agenda;
  readonly #lockSeconds: { recurring: number; account: number };
  /** This store in the locks it holds; one process can have several. */
  readonly #name = `${WORKER} ${++stores}`;
  readonly #inFlight = new InFlight();
  readonly #stopping = new AbortController();
  readonly #periods = new Map<string, { milliseconds: number; atStart: boolean }>();
  readonly #lastErrors = new Map<string, number>();
  /** How many jobs of a name this daemon runs at once, by name. */
  readonly #concurrency = new Map<string, number>();

  constructor(app: App, backend: JobBackend, lockSeconds: { recurring: number; account: number }) {
    this.#app = app;
    this.#backend = backend;
    this.#lockSeconds = lockSeconds;
    this.#repository = this.#inFlight.tracked(backend.repository);
    // Connected already: Agenda would leave a failure of connect() as an unhandled rejection.
    const nothing = async () => {};
    const connected = { name: 'outreach', repository: this.#repository, ownsConnection: false, connect: nothing, disconnect: nothing };
    this.#agenda = new Agenda({ backend: connected, name: this.#name, removeOnComplete: true });
    this.#agenda.on('error', (error) => this.#logTrouble(error));
  }

  recurring(name: string, seconds: number, work: JobWork, { atStart = false } = {}): void {
    this.#periods.set(name, { milliseconds: seconds * SECOND, atStart });
    this.#define(name, 1, this.#lockSeconds.recurring, async () => {
      await work(this.#stopping.signal).catch((error) => this.#app.log.error({ err: error, job: name }, 'job failed'));
    });
  }

  perAccount(name: string, concurrency: number, work: (accountId: number, signal: AbortSignal) => Promise<unknown>): void {
    this.#define(name, concurrency, this.#lockSeconds.account, async (job: AccountJob) => {
      const { accountId } = job.attrs.data;
      await work(accountId, this.#stopping.signal).catch((error) => {
        this.#app.log.error({ err: error, job: name, account: accountId }, 'job failed');
        // Agenda puts the job off, longer each time, and as long as it waits it is not enqueued again.
        throw error;
      });
    });
  }

  async enqueue(name: string, due: () => Promise<readonly number[]>): Promise<number> {
    // Asked before what is due: an account whose job ends in between counts as present, and is not worked on twice.
    const { jobs } = await this.#repository.queryJobs({ name });
    // Done, and not removed because the daemon or the store went away in between.
    const leftOver = jobs.filter((job) => job.nextRunAt === null && !job.lockedAt);
    if (leftOver.length > 0) await this.#repository.removeJobs({ ids: leftOver.map((job) => job._id) });
    const present = new Set(jobs.filter((job) => !leftOver.includes(job)).map((job) => (job.data as { accountId: number }).accountId));
    const missing = (await due()).filter((id) => !present.has(id)).values();
    let made = 0;
    const insertThem = async () => {
      for (const accountId of missing) if (await this.#insert(name, accountId)) made++;
    };
    await Promise.all(Array.from({ length: ENQUEUE_WIDTH }, insertThem));
    return made;
  }

  async start(): Promise<void> {
    await underLock(this.#app.db, 'job registration', async () => {
      await this.#release((job) => isDeadHere(job.lastModifiedBy?.split(' ')[0] ?? ''));
      await this.#register();
    });
    const shortest = Math.min(...[...this.#periods.values()].map((period) => period.milliseconds));
    this.#agenda.processEvery(Math.min(SECOND, shortest));
    await this.#agenda.start();
  }

  async drain(): Promise<void> {
    this.#stopping.abort();
    try {
      await this.#agenda.stop(false);
      await this.#inFlight.settled();
      await this.#release((job) => job.lastModifiedBy === this.#name);
    } catch (error) {
      this.#app.log.warn({ error: messageOf(error) }, 'job locks could not be given back; they run out by themselves');
    }
    await this.#backend.close();
  }

  /**
   * No more locks than work that can run: what Agenda locks beyond that waits in this daemon while others idle, and a
   * lock that runs out while it waits counts against the limit for ever.
   */
  #define(name: string, concurrency: number, lockSeconds: number, work: (job: AccountJob) => Promise<void>): void {
    const lockLifetime = lockSeconds * SECOND;
    this.#concurrency.set(name, concurrency);
    this.#agenda.maxConcurrency([...this.#concurrency.values()].reduce((sum, each) => sum + each));
    this.#agenda.define(name, (job: AccountJob) => this.#inFlight.track(this.#run(job, lockLifetime, work)), {
      concurrency,
      lockLimit: concurrency,
      lockLifetime,
      backoff: RETRY,
    });
  }

  async #run(job: AccountJob, lockLifetime: number, work: (job: AccountJob) => Promise<void>): Promise<void> {
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
      // A renewal that came in after the end would lock the job again.
      await touching;
    }
  }

  async #insert(name: string, accountId: number): Promise<boolean> {
    try {
      await this.#agenda.create(name, { accountId }).save();
      return true;
    } catch (error) {
      if (isDuplicate(error)) return false;
      throw error;
    }
  }

  /** Makes the recurring jobs that are missing or have another period now. What is in place keeps its next time. */
  async #register(): Promise<void> {
    const { jobs } = await this.#repository.queryJobs({ names: [...this.#periods.keys()] });
    for (const [name, { milliseconds, atStart }] of this.#periods) {
      const present = jobs.find((job) => job.name === name);
      if (present?.nextRunAt && Number(present.repeatInterval) === milliseconds && !atStart) continue;
      if (present !== undefined) await this.#repository.removeJobs({ name });
      await this.#agenda.every(milliseconds, name);
    }
  }

  /** Frees what these processes had locked. One-off jobs are removed: they are made again while their account is due. */
  async #release(isTheirs: (job: JobParameters) => boolean): Promise<void> {
    const { jobs } = await this.#repository.queryJobs({ names: [...this.#concurrency.keys()] });
    const locked = jobs.filter((job) => job.lockedAt && isTheirs(job));
    const oneOff = locked.filter((job) => job.type === 'normal').map((job) => job._id);
    const recurring = locked.filter((job) => job.type === 'single').map((job) => job._id);
    if (oneOff.length > 0) await this.#repository.removeJobs({ ids: oneOff });
    await this.#repository.unlockJobs(recurring);
  }

  /** One line a minute for the same trouble: while the store is away, every scan fails for every job. */
  #logTrouble(error: unknown): void {
    const message = messageOf(error);
    const now = performance.now();
    if (now - (this.#lastErrors.get(message) ?? Number.NEGATIVE_INFINITY) < MINUTE) return;
    if (this.#lastErrors.size > 100) this.#lastErrors.clear();
    this.#lastErrors.set(message, now);
    this.#app.log.warn({ error: message }, 'job store trouble');
  }
}
