import { chmodSync, mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as wait } from 'node:timers/promises';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { loadConfig } from '../../src/core/config.ts';
import { createLogger } from '../../src/core/log.ts';
import { type EmbeddedPostgres, startEmbeddedPostgres } from '../../src/db/embedded/index.ts';
import { sql } from '../../src/db/statement.ts';
import { startJobs } from '../../src/jobs/index.ts';
import { openRuntime, type Runtime } from '../../src/main/runtime.ts';
import { TEST_SECRET } from '../support/secret.ts';
import { waitUntil } from '../support/wait-until.ts';

/** A server of this file's own, because other files would not like theirs to be stopped. */
let dataDir: string;
let postgres: EmbeddedPostgres;
let runtime: Runtime;

beforeAll(async () => {
  dataDir = mkdtempSync(join(tmpdir(), 'outreach-restart-'));
  chmodSync(dataDir, 0o711);
  postgres = await startEmbeddedPostgres(dataDir);
  const config = loadConfig({ dataDir, databaseUrl: postgres.url, secretKey: TEST_SECRET, logLevel: 'silent' }, {});
  runtime = await openRuntime(config, { log: createLogger('silent') });
});
afterAll(async () => {
  await runtime?.close();
  await postgres?.release();
  rmSync(dataDir, { recursive: true, force: true });
});

describe('PostgreSQL restarted under running jobs', () => {
  it.each([
    ['stopped for two seconds', 'SIGINT', 2_000],
    ['crashed', 'SIGQUIT', 0],
  ] as const)('%s: the process lives, recurring jobs and accounts go on, running work is done once', async (_, signal, pause) => {
    let ticks = 0;
    const due = new Set([1]);
    const finished: number[] = [];
    let mayFinish = false;
    const jobs = await startJobs(runtime.app, {
      databaseUrl: postgres.url,
      lockSeconds: { recurring: 5, account: 30 },
      timetable: {
        recurring: [{ name: 'tick', everySeconds: 0.2, run: async () => void ticks++ }],
        perItem: [
          {
            name: 'work',
            everySeconds: 0.2,
            atOnce: 5,
            due: async () => [...due],
            async run(_app, account) {
              if (account === 1) await waitUntil('the restart is over', () => mayFinish, 60);
              finished.push(account);
              due.delete(account);
            },
          },
        ],
      },
    });
    await waitUntil('the jobs run', () => ticks >= 3);

    const postmaster = Number(readFileSync(join(dataDir, 'postgres', 'postmaster.pid'), 'utf8').split('\n')[0]);
    process.kill(postmaster, signal);
    await waitUntil('the server is down', () =>
      runtime.app.db.query(sql`select 1`).then(
        () => false,
        () => true,
      ),
    );
    await wait(pause);
    await waitUntil('the server is up again', () => postgres.revive().catch(() => false));
    const before = ticks;
    due.add(2);
    mayFinish = true;
    await waitUntil('the clock ticks again', () => ticks >= before + 3);
    await waitUntil('both accounts are done', () => due.size === 0);
    await jobs.drain();
    expect(finished.toSorted()).toEqual([1, 2]);
  });
});
