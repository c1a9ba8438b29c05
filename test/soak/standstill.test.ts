import { globSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { activateCampaign } from '../../src/campaigns/index.ts';
import { SECOND } from '../../src/core/clock.ts';
import { sql } from '../../src/db/statement.ts';
import { recordEvents } from '../../src/events/index.ts';
import { createWebhook } from '../../src/webhooks/index.ts';
import { afterFile } from '../support/after-file.ts';
import { apiClient } from '../support/api-client.ts';
import { bulkCampaign, connectBulkAccount } from '../support/bulk-campaigns.ts';
import { type DaemonProcess, startDaemonProcess } from '../support/daemon-process.ts';
import { testInstallation } from '../support/database.ts';
import { startHostileImap } from '../support/hostile/imap.ts';
import { emailKey, judge, readLedger } from '../support/ledger.ts';
import { pausableProxy } from '../support/pausable-proxy.ts';
import { startReceiver } from '../support/receiver.ts';
import { eventOf, insertCampaign, insertEnrolment } from '../support/rows.ts';
import { startSmtpSink } from '../support/smtp-sink.ts';
import { waitUntil } from '../support/wait-until.ts';

/**
 * A process or a database that stands still, as a suspended machine, a swap storm or a moved guest has it, while the daemon sends, polls, imports and
 * delivers: every job runs again within its period and 10 s, and nothing is doubled or lost. Longer with
 * STANDSTILL_SECONDS=30,60,300 STANDSTILL_TIMES=10.
 */

/** The job store takes a job for lost after 30 s. */
const LENGTHS = (process.env.STANDSTILL_SECONDS ?? '35').split(',').map(Number);
const TIMES = Number(process.env.STANDSTILL_TIMES ?? 1);
const ACCOUNTS = 4;
const BATCH = 150;
const GRACE = 10 * SECOND;

const { app, caller, clock, adminKey, databaseUrl, dataDir } = await testInstallation({ webhooksAllowPrivate: true });
clock.set(new Date());
const sink = await startSmtpSink({ users: { me: 'secret' } });
afterFile(() => sink.close());
const mailbox = await startHostileImap();
const proxy = await pausableProxy(databaseUrl);
const receiver = await startReceiver();
/** Lets a process have a clock of its own. Debian: the package faketime. */
const [libfaketime] = globSync('/usr/lib/*/faketime/libfaketimeMT.so.1');
const offset = join(dataDir, 'offset');
const isWrongBy = (seconds: number) => writeFileSync(offset, `${seconds < 0 ? '' : '+'}${seconds}`);
let daemon: DaemonProcess;

beforeAll(async () => {
  isWrongBy(0);
  const env = {
    ...{ OUTREACH_WEBHOOKS_ALLOW_PRIVATE: 'true', OUTREACH_POLL_INTERVAL_SECONDS: '5', OUTREACH_TICK_SECONDS: '1' },
    ...(libfaketime !== undefined && { LD_PRELOAD: libfaketime, FAKETIME_TIMESTAMP_FILE: offset }),
    ...{ FAKETIME_NO_CACHE: '1', FAKETIME_DONT_FAKE_MONOTONIC: '1' },
  };
  daemon = await startDaemonProcess({ databaseUrl: proxy.url, home: dataDir, env });
}, 120_000);
afterAll(() => daemon?.end('SIGTERM'));

const CASES = ['process', 'database'].flatMap((what) =>
  LENGTHS.flatMap((seconds) => Array.from({ length: TIMES }, (_, time) => ({ what, seconds, time: time + 1 }))),
);

/** Something of everything: campaigns in full batches, an import, messages for a receiver. */
async function begin(name: string) {
  for (let account = 0; account < ACCOUNTS; account++) {
    const access = {
      email: `${name}-${account}@example.com`,
      smtpUrl: `smtp://me@127.0.0.1:${sink.port}`,
      password: 'secret',
      batch: BATCH,
    };
    const id = await connectBulkAccount(app, caller, { ...access, imapUrl: `imap://me@127.0.0.1:${mailbox.port}` });
    await activateCampaign(app, caller, await bulkCampaign(app, caller, `${name}-${account}`, id, BATCH), null);
  }
  const form = new FormData();
  const rows = Array.from({ length: 20_000 }, (_, index) => `${name}-row-${index}@import.example`);
  form.append('file', new Blob([`email\n${rows.join('\n')}\n`]), 'contacts.csv');
  const { body } = await apiClient(daemon.url, adminKey).post('/imports', form);
  const webhook = await createWebhook(app, caller, {
    url: receiver.url,
    name,
    types: ['event.opened'],
    campaign_ids: [],
    include_body: false,
  });
  const campaign = await insertCampaign(app);
  const enrolment = await insertEnrolment(app, campaign);
  const events = Array.from({ length: 200 }, () => eventOf(app, enrolment, 'opened'));
  await app.db.tx((tx) => recordEvents(tx, events));
  return { importId: body.id as number, webhookId: webhook.id };
}

/** Waits until each job has run again. Returns those that took longer than their period and 10 s, with the seconds beyond the period. */
async function lateSince(resumed: number): Promise<[string, number][]> {
  // The first run of each, which later ones replace in the store.
  const took = new Map<string, number>();
  const longest = Math.max(...(await jobs()).map(({ period }) => period));
  const allRan = async () => {
    const all = await jobs();
    for (const { name, period, last_run_at } of all) {
      const after = (last_run_at?.getTime() ?? 0) - resumed;
      // A run under a wrong clock may seem to be one of the future.
      if (after > 0 && after <= Date.now() + SECOND - resumed && !took.has(name)) took.set(name, after - period);
    }
    return took.size === all.length;
  };
  await waitUntil('every job runs again', allRan, (longest + GRACE) / SECOND + 60);
  return [...took].filter(([, beyond]) => beyond > GRACE).map(([name, beyond]) => [name, Math.round(beyond / SECOND)]);
}

/** Waits until all is done that `begin` has begun, and expects that nothing is doubled or lost, no job late, and the daemon ready. */
async function expectAllDone(name: string, { importId, webhookId }: { importId: number; webhookId: number }, late: [string, number][]) {
  const isOpen = () => app.db.query(sql`select from outbox where state not in ('accepted', 'unknown') limit 1`);
  const isWaiting = () =>
    app.db.query(sql`select from enrolments where status = 'active' and last_sent_at is null and due_at is not null limit 1`);
  await waitUntil('everything is sent', async () => (await isOpen()).length + (await isWaiting()).length === 0, 240);
  const imported = await waitUntil(
    'the import is done',
    async () => {
      const { body } = await apiClient(daemon.url, adminKey).get(`/imports/${importId}`);
      return body.status === 'done' || body.status === 'completed' ? body : undefined;
    },
    120,
  );
  const undelivered = () => app.db.query(sql`select from webhook_deliveries where webhook_id = ${webhookId} and status <> 'delivered'`);
  await waitUntil('all messages are delivered', async () => (await undelivered()).length === 0, 120);
  const ready = await fetch(`${daemon.url}/readyz`);
  const verdict = judge(
    sink.messages.map(({ to }) => emailKey(to[0] ?? '', 1)),
    await readLedger(app),
  );
  console.log(`${name}:`, JSON.stringify(verdict), JSON.stringify(imported.result), JSON.stringify(late));
  expect(verdict).toMatchObject({ doubled: [], lost: [], unexplained: [], open: [] });
  expect(imported.result.imported).toBe(20_000);
  expect(late).toEqual([]);
  expect(ready.status).toBe(200);
}

/** The recurring jobs whose period is short enough to be waited for, with the time of their last run. */
const jobs = () =>
  app.db.query<{ name: string; period: number; last_run_at: Date | null }>(sql`
    select name, repeat_interval::float as period, last_run_at from agenda_jobs
    where type = 'single' and repeat_interval::float <= 120000`);

describe('everything goes on by itself after', () => {
  it.each(CASES)('the $what stood still for $seconds s, time $time', { timeout: 900_000 }, async ({ what, seconds, time }) => {
    const before = sink.messages.length;
    const begun = await begin(`${what}-${seconds}-${time}`);
    await sink.waitFor(before + 20, 120);
    if (what === 'process') daemon.child.kill('SIGSTOP');
    else proxy.pause();
    await pause(seconds * SECOND);
    if (what === 'process') daemon.child.kill('SIGCONT');
    else proxy.resume();
    await expectAllDone(`${what} ${seconds} s`, begun, await lateSince(Date.now()));
  });

  it.skipIf(libfaketime === undefined).each([-3600, 3600])(
    'the clock of the machine was wrong by %i s and is set right (needs libfaketime)',
    { timeout: 900_000 },
    async (seconds) => {
      isWrongBy(seconds);
      const begun = await begin(`clock${seconds}`);
      await pause(20 * SECOND);
      const daemonTime = Date.parse((await fetch(`${daemon.url}/healthz`)).headers.get('date') ?? '');
      expect(Math.abs(daemonTime - Date.now() - seconds * SECOND)).toBeLessThan(10 * SECOND);
      isWrongBy(0);
      await expectAllDone(`clock ${seconds} s`, begun, await lateSince(Date.now()));
    },
  );
});
