import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { setTimeout as wait } from 'node:timers/promises';
import { type Collection, MongoClient } from 'mongodb';
import { afterEach, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import type { App } from '../../src/app.ts';
import { type Sql, sql } from '../../src/db/statement.ts';
import { type JobDeps, type Jobs, startJobs, type Timetable } from '../../src/jobs/index.ts';
import { testInstallation } from '../support/database.ts';
import { TEST_SECRET } from '../support/secret.ts';
import { waitUntil } from '../support/wait-until.ts';

const mongodbUrl = process.env.TEST_MONGODB_URL;
if (mongodbUrl === undefined) console.log('TEST_MONGODB_URL is not set: the job tests run on PostgreSQL only');

let app: App;
let databaseUrl: string;
let dataDir: string;
beforeAll(async () => {
  ({ app, databaseUrl, dataDir } = await testInstallation());
});

/** Accounts that are due until a handler is done with them, and who worked on what. */
class Work {
  readonly due = new Set<number>();
  readonly log: { daemon: string; account: number }[] = [];
  mostAtOnce = 0;
  readonly #now = new Map<number, number>();

  timetable(daemon: string, run: (account: number, signal: AbortSignal) => Promise<void>, atOnce = 10): Timetable {
    return {
      recurring: [],
      perItem: [
        {
          name: 'work',
          everySeconds: 0.1,
          atOnce,
          due: async (_app, limit) => [...this.due].slice(0, limit),
          run: async (_app, account, signal) => {
            this.log.push({ daemon, account });
            this.#now.set(account, (this.#now.get(account) ?? 0) + 1);
            this.mostAtOnce = Math.max(this.mostAtOnce, ...this.#now.values());
            try {
              await run(account, signal);
            } finally {
              this.#now.set(account, (this.#now.get(account) ?? 0) - 1);
            }
          },
        },
      ],
    };
  }
}

/** Blocks the main thread, as a suspended machine or a long computation does. */
function standStill(milliseconds: number): void {
  Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, milliseconds);
}

const stores = [
  { store: 'PostgreSQL', isThere: true, mongo: false },
  { store: 'MongoDB', isThere: mongodbUrl !== undefined, mongo: true },
];

describe.each(stores)('jobs in $store', ({ isThere, mongo }) => {
  describe.skipIf(!isThere)('(skipped without TEST_MONGODB_URL)', () => {
    const storeUrl = mongo && mongodbUrl !== undefined ? new URL(`/outreach_test_${process.pid}`, mongodbUrl).href : undefined;
    const started: Jobs[] = [];
    const children: ChildProcess[] = [];

    const start = async (deps: Omit<JobDeps, 'databaseUrl'>) => {
      const jobs = await startJobs(app, { databaseUrl, mongodbUrl: storeUrl, ...deps });
      started.push(jobs);
      return jobs;
    };

    async function loseJobStore(): Promise<void> {
      if (storeUrl === undefined) return void (await app.db.query(sql`drop table if exists agenda_jobs`));
      const client = await MongoClient.connect(storeUrl);
      await client.db().dropDatabase();
      await client.close();
    }

    /** Changes all jobs behind the back of the daemons. */
    async function changeJobs(inPostgres: Sql, inMongo: (jobs: Collection) => Promise<unknown>): Promise<void> {
      if (storeUrl === undefined) return void (await app.db.query(inPostgres));
      const client = await MongoClient.connect(storeUrl);
      await inMongo(client.db().collection('agenda_jobs'));
      await client.close();
    }

    /** Another process that holds account 7. */
    async function startDaemonProcess(): Promise<ChildProcess> {
      const child = spawn(process.execPath, [new URL('../support/job-daemon.ts', import.meta.url).pathname], {
        env: {
          ...process.env,
          DATABASE_URL: databaseUrl,
          OUTREACH_DATA_DIR: dataDir,
          OUTREACH_SECRET_KEY: TEST_SECRET,
          ...(storeUrl === undefined ? {} : { MONGODB_URL: storeUrl }),
        },
        stdio: ['ignore', 'pipe', 'inherit'],
      });
      children.push(child);
      let output = '';
      child.stdout?.on('data', (chunk: Buffer) => {
        output += chunk.toString();
      });
      await waitUntil('the other daemon works on account 7', () => output.includes('working 7'));
      return child;
    }

    async function kill(child: ChildProcess): Promise<void> {
      const ended = once(child, 'exit');
      child.kill('SIGKILL');
      await ended;
    }

    beforeEach(loseJobStore);
    afterEach(async () => {
      for (const child of children.splice(0)) if (child.exitCode === null && child.signalCode === null) await kill(child);
      await Promise.all(started.splice(0).map((jobs) => jobs.drain()));
    });

    it('every due account is worked on once, spread over all daemons', async () => {
      const work = new Work();
      const run = async (account: number) => {
        await wait(100);
        work.due.delete(account);
      };
      await start({ timetable: work.timetable('a', run, 4) });
      await start({ timetable: work.timetable('b', run, 4) });
      for (let account = 1; account <= 60; account++) work.due.add(account);
      await waitUntil('all 60 accounts are done', () => work.due.size === 0);
      expect(work.log.map((entry) => entry.account).toSorted((x, y) => x - y)).toEqual(Array.from({ length: 60 }, (_, index) => index + 1));
      expect(new Set(work.log.map((entry) => entry.daemon))).toEqual(new Set(['a', 'b']));
    });

    it('an account that is still being worked on is not given to anyone else, however often it is due', async () => {
      const work = new Work();
      work.due.add(1);
      const run = () => wait(700);
      await start({ timetable: work.timetable('a', run) });
      await start({ timetable: work.timetable('b', run) });
      await waitUntil('three rounds', () => work.log.length >= 3);
      expect(work.mostAtOnce).toBe(1);
    });

    it('a recurring job runs once a period in all daemons together', async () => {
      const runs: number[] = [];
      const timetable: Timetable = {
        recurring: [{ name: 'tick', everySeconds: 0.3, run: async () => void runs.push(performance.now()) }],
        perItem: [],
      };
      // Measured from before the start: the first tick may come late on a busy machine, and the rest on time.
      const begun = performance.now();
      await Promise.all([start({ timetable }), start({ timetable }), start({ timetable })]);
      await waitUntil('sixteen ticks', () => runs.length >= 16);
      expect((runs[15] ?? 0) - begun).toBeGreaterThan(15 * 300 * 0.9);
    });

    it('a recurring job that fails runs again at its next period', async () => {
      let runs = 0;
      const run = async () => {
        runs++;
        throw new Error('meant to fail');
      };
      await start({ timetable: { recurring: [{ name: 'tick', everySeconds: 0.1, run }], perItem: [] } });
      await waitUntil('three runs', () => runs >= 3);
    });

    it('work that fails is put off instead of being tried at every tick, and holds up no other account', async () => {
      const work = new Work();
      work.due.add(1).add(2);
      const run = async (account: number) => {
        if (account === 1) throw new Error('meant to fail');
      };
      await start({ timetable: work.timetable('a', run) });
      await waitUntil('account 2 ten times', () => work.log.filter((entry) => entry.account === 2).length >= 10);
      // It is tried again after 5 s, and then after 10 and 20 s: four times in the minute that a busy machine may need for the ten.
      expect(work.log.filter((entry) => entry.account === 1).length).toBeLessThanOrEqual(4);
    });

    it('a job store that was lost is rebuilt by a start', async () => {
      const work = new Work();
      const run = async (account: number) => void work.due.delete(account);
      work.due.add(1);
      const first = await start({ timetable: work.timetable('a', run) });
      await waitUntil('account 1', () => work.due.size === 0);
      await first.drain();
      started.length = 0;
      await loseJobStore();
      work.due.add(2);
      await start({ timetable: work.timetable('a', run) });
      await waitUntil('account 2', () => work.due.size === 0);
    });

    it('jobs that are lost while daemons run come back without a start', async () => {
      const work = new Work();
      await start({ timetable: work.timetable('a', async (account) => void work.due.delete(account)), watchSeconds: 0.2 });
      await changeJobs(sql`delete from agenda_jobs`, (jobs) => jobs.deleteMany({}));
      work.due.add(1);
      await waitUntil('account 1 is worked on', () => work.due.size === 0);
    });

    it('jobs that a clock which was ahead put off by a day run now', async () => {
      const work = new Work();
      let isOver = false;
      const run = async (account: number) => {
        if (!isOver) throw new Error('meant to fail, so that the job waits for its next try');
        work.due.delete(account);
      };
      work.due.add(1);
      await start({ timetable: work.timetable('a', run), watchSeconds: 0.2 });
      await waitUntil('the first try', () => work.log.length === 1);
      isOver = true;
      const tomorrow = new Date(Date.now() + 86_400_000);
      await changeJobs(sql`update agenda_jobs set next_run_at = ${tomorrow}`, (jobs) =>
        jobs.updateMany({}, { $set: { nextRunAt: tomorrow } }),
      );
      await waitUntil('the second try', () => work.due.size === 0);
    });

    it('a start leaves the times of recurring jobs alone, unless the period has changed', async () => {
      let runs = 0;
      const every = (everySeconds: number): Timetable => ({
        recurring: [{ name: 'hourly', everySeconds, run: async () => void runs++ }],
        perItem: [],
      });
      await start({ timetable: every(3_600) });
      await waitUntil('the first run', () => runs === 1);
      await start({ timetable: every(3_600) });
      const ticks: number[] = [];
      await start({ timetable: { recurring: [{ name: 'tick', everySeconds: 0.1, run: async () => void ticks.push(1) }], perItem: [] } });
      await waitUntil('time in which it could have run', () => ticks.length >= 5);
      expect(runs).toBe(1);
      await start({ timetable: every(1_800) });
      await waitUntil('a run after the new period', () => runs === 2);
    });

    // "Two starts at the same moment log four warnings: job … cannot be updated in the database": the second made anew what the first ran.
    it('a start has a job run that says so, unless a daemon is running it', async () => {
      let runs = 0;
      const end = Promise.withResolvers<void>();
      const atStart: Timetable['recurring'][number] = {
        ...{ name: 'at start', everySeconds: 3_600, atStart: true },
        run: () => (runs++ === 0 ? end.promise : Promise.resolve()),
      };
      await start({ timetable: { recurring: [atStart], perItem: [] } });
      await waitUntil('the first run', () => runs === 1);
      const ticks: number[] = [];
      const tick = { name: 'tick', everySeconds: 0.1, run: async () => void ticks.push(1) };
      await start({ timetable: { recurring: [atStart, tick], perItem: [] } });
      await waitUntil('time in which it could have run', () => ticks.length >= 5);
      expect(runs).toBe(1);
      end.resolve();
      await waitUntil('a run at a later start', async () => {
        if (runs === 1) await start({ timetable: { recurring: [atStart], perItem: [] } });
        return runs > 1;
      });
    });

    it('work that takes longer than the lock renews it', async () => {
      const work = new Work();
      work.due.add(1);
      const run = async () => {
        await wait(7_000);
        work.due.clear();
      };
      const lockSeconds = { recurring: 3, account: 3 };
      await start({ timetable: work.timetable('a', run), lockSeconds });
      await start({ timetable: work.timetable('b', run), lockSeconds });
      await waitUntil('the work is done', () => work.due.size === 0);
      expect(work.log).toHaveLength(1);
    });

    it('every recurring job, and every account, goes on after the process stood still for longer than the locks last', async () => {
      const runs = new Map<string, number>();
      const tick = (name: string) => async () => void runs.set(name, (runs.get(name) ?? 0) + 1);
      const names = Array.from({ length: 12 }, (_, index) => `tick ${index}`);
      const work = new Work();
      const { perItem } = work.timetable('a', async (account) => void work.due.delete(account), 2);
      await start({
        timetable: { recurring: names.map((name) => ({ name, everySeconds: 0.1, run: tick(name) })), perItem },
        lockSeconds: { recurring: 0.5, account: 0.5 },
        watchSeconds: 0.2,
      });
      for (let pause = 1; pause <= 6; pause++) {
        for (let account = 1; account <= 10; account++) work.due.add(account);
        await waitUntil(`all run before pause ${pause}`, () => names.every((name) => runs.has(name)));
        standStill(800);
        runs.clear();
      }
      await waitUntil('all run after the pauses', () => names.every((name) => (runs.get(name) ?? 0) >= 3));
      await waitUntil('all accounts are done', () => work.due.size === 0);
    });

    it('a job that nobody runs is started anew, and named until it runs', async () => {
      let runs = 0;
      const jobs = await start({
        timetable: { recurring: [{ name: 'tick', everySeconds: 0.2, run: async () => void runs++ }], perItem: [] },
        lockSeconds: { recurring: 600, account: 600 },
        watchSeconds: 0.1,
        graceSeconds: 0.5,
      });
      await waitUntil('it runs', () => runs >= 2);
      expect(jobs.problem()).toBeUndefined();
      // As if a daemon held it that has gone.
      await changeJobs(sql`update agenda_jobs set locked_at = now(), last_modified_by = 'gone' where name = 'tick'`, (all) =>
        all.updateMany({ name: 'tick' }, { $set: { lockedAt: new Date(), lastModifiedBy: 'gone' } }),
      );
      const before = runs;
      await waitUntil('it runs again', () => runs >= before + 3);
      await waitUntil('nothing is named any more', () => jobs.problem() === undefined);
    });

    it("a dead daemon's work is taken over when its lock runs out", async () => {
      const child = await startDaemonProcess();
      const work = new Work();
      work.due.add(7);
      const run = async () => work.due.clear();
      await start({ timetable: work.timetable('b', run), lockSeconds: { recurring: 2, account: 2 } });
      expect(work.log).toEqual([]);
      await kill(child);
      await waitUntil('account 7 is taken over', () => work.due.size === 0);
    });

    it('a start takes over at once what a dead process of this host had locked', async () => {
      await kill(await startDaemonProcess());
      const work = new Work();
      work.due.add(7);
      await start({ timetable: work.timetable('b', async () => work.due.clear()), lockSeconds: { recurring: 600, account: 600 } });
      await waitUntil('account 7 is taken over', () => work.due.size === 0);
    });

    it('a drain tells running work, waits for it, begins nothing new and gives the locks back', async () => {
      const work = new Work();
      work.due.add(1);
      let isOver = false;
      const jobs = await start({
        lockSeconds: { recurring: 600, account: 600 },
        timetable: work.timetable('a', async (_account, signal) => {
          await once(signal, 'abort');
          await wait(300);
          work.due.delete(1);
          isOver = true;
        }),
      });
      await waitUntil('the work has begun', () => work.log.length === 1);
      work.due.add(2);
      await jobs.drain();
      started.length = 0;
      expect(isOver).toBe(true);
      const before = work.log.length;
      await start({
        timetable: work.timetable('b', async (account) => void work.due.delete(account)),
        lockSeconds: { recurring: 600, account: 600 },
      });
      await waitUntil('the next daemon works on what was due', () => work.due.size === 0);
      expect(work.log.slice(before).every((entry) => entry.daemon === 'b')).toBe(true);
    });

    it('an address where no store answers gives one line that says what to do', async () => {
      const urls = mongo ? { mongodbUrl: 'mongodb://127.0.0.1:1/x' } : { databaseUrl: 'postgresql://x:y@127.0.0.1:1/x' };
      await expect(
        startJobs(app, { databaseUrl, mongodbUrl: storeUrl, ...urls, timetable: { recurring: [], perItem: [] } }),
      ).rejects.toThrow(
        new RegExp(
          `^the job store at 127\\.0\\.0\\.1:1${mongo ? '' : '/x'} can't be used .*correct ${mongo ? 'MONGODB_URL' : 'DATABASE_URL'}$`,
        ),
      );
    });
  });
});
