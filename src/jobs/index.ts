import type { App } from '../app.ts';
import { expectJobs, timedJob } from '../core/metrics.ts';
import type { Placed } from '../core/room.ts';
import { createJobStore } from './agenda.ts';
import type { JobStoreUrls } from './backend.ts';
import type { JobStoreOptions } from './job-store.ts';
import { type Round, Rounds } from './rounds.ts';

export { type JobTime, readJobTimes } from './job-times.ts';

export { Rounds };

/** Work that runs once a period in the whole cluster. */
interface RecurringJob {
  name: string;
  everySeconds: number;
  /** Also runs when a daemon starts. */
  atStart?: boolean;
  run(app: App, signal: AbortSignal): Promise<unknown>;
}

/** Work on single items (campaigns, imports), spread over all daemons: each period looks up the due ones and creates a job for each. */
interface ItemJob {
  name: string;
  everySeconds: number;
  /** Items that one daemon works on concurrently. */
  atOnce: number;
  due(app: App, limit: number): Promise<number[]>;
  run(app: App, itemId: number, signal: AbortSignal): Promise<unknown>;
}

export interface Timetable {
  recurring: readonly RecurringJob[];
  perItem: readonly ItemJob[];
  /** Work on outside servers. */
  rounds?: readonly AnyRound[];
}

/** A round of any type of item, made by `roundOf`. */
export interface AnyRound {
  readonly name: string;
  start(app: App): Pick<Rounds<Placed>, 'problem' | 'stop'>;
}

/** Makes a round into an entry of the timetable. */
export const roundOf = <Item extends Placed>(round: Round<Item>): AnyRound => ({
  name: round.name,
  start(app) {
    const rounds = new Rounds(app, round);
    rounds.start();
    return rounds;
  },
});

export interface JobDeps extends JobStoreUrls, JobStoreOptions {
  timetable: Timetable;
}

export interface Jobs {
  /** The recurring jobs that do not run although they were restarted, in one line; undefined if all run. */
  problem(): string | undefined;
  /** Starts no new jobs, waits for the running ones and releases their locks. */
  drain(): Promise<void>;
}

/** Items for which one dispatch creates jobs; the next dispatch handles the rest. */
const DISPATCH_LIMIT = 1_000;

/**
 * Starts the jobs of the timetable. If the job store is lost, nothing else is: a start recreates the recurring jobs, and they find the due
 * work in PostgreSQL.
 */
export async function startJobs(app: App, { timetable, ...deps }: JobDeps): Promise<Jobs> {
  const store = await createJobStore(app, deps, deps);
  const { rounds = [] } = timetable;
  expectJobs([...timetable.recurring, ...timetable.perItem, ...rounds].map(({ name }) => name));
  for (const { name, everySeconds, atStart, run } of timetable.recurring)
    store.recurring(name, everySeconds, (signal) => timedJob(name, () => run(app, signal)), { atStart });
  for (const { name, everySeconds, atOnce, due, run } of timetable.perItem) {
    store.perItem(name, atOnce, (itemId, signal) => timedJob(name, () => run(app, itemId, signal)));
    store.recurring(`dispatch ${name}`, everySeconds, () => store.enqueue(name, () => due(app, DISPATCH_LIMIT)));
  }
  await store.start();
  const running = rounds.map((round) => round.start(app));
  const problems = () => [store, ...running].flatMap((part) => part.problem() ?? []);
  return {
    problem: () => problems().join('; ') || undefined,
    drain: async () => void (await Promise.all([store.drain(), ...running.map((round) => round.stop())])),
  };
}
