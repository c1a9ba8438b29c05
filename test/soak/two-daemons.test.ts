import { type ChildProcess, spawn } from 'node:child_process';
import { mkdirSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { connectAccount } from '../../src/accounts/index.ts';
import { activateCampaign, addStep, changeCampaign, createCampaign, enrol } from '../../src/campaigns/index.ts';
import { seededRandom } from '../../src/core/random.ts';
import { sql } from '../../src/db/statement.ts';
import { parseMailUrl } from '../../src/mail/mail-url.ts';
import { testInstallation } from '../support/database.ts';
import { TEST_SECRET } from '../support/secret.ts';
import { type SmtpSink, startSmtpSink } from '../support/smtp-sink.ts';
import { waitUntil } from '../support/wait-until.ts';

const PROGRAM = fileURLToPath(new URL('../../bin/run.js', import.meta.url));
/** One round for each kill: its campaigns start, and one daemon dies in the middle of their batches. */
const ROUNDS = 5;
const ACCOUNTS_A_ROUND = 8;
const MAILS_AN_ACCOUNT = 250;
const MAILS = ROUNDS * ACCOUNTS_A_ROUND * MAILS_AN_ACCOUNT;
const EVERY_DAY = [1, 2, 3, 4, 5, 6, 7];

const installation = await testInstallation();
const { app, caller } = installation;
const random = seededRandom(20_261_121);
const running = new Set<ChildProcess>();
let smtp: SmtpSink;

beforeAll(async () => {
  smtp = await startSmtpSink({ users: { me: 'secret' } });
});

afterAll(async () => {
  const ended = [...running].map((child) => new Promise((resolve) => child.once('exit', resolve)));
  for (const child of running) child.kill('SIGTERM');
  await Promise.all(ended);
  await smtp?.close();
});

/** A daemon of the built program on the test's database, with a data directory of its own; ready when it says so. */
async function startDaemon(name: string): Promise<ChildProcess> {
  const home = join(installation.dataDir, name);
  mkdirSync(home, { recursive: true });
  const child = spawn(process.execPath, [PROGRAM, 'start', '--port', '0'], {
    env: {
      PATH: process.env.PATH ?? '',
      HOME: home,
      OUTREACH_DATA_DIR: home,
      OUTREACH_SECRET_KEY: TEST_SECRET,
      OUTREACH_TICK_SECONDS: '0.2',
      DATABASE_URL: installation.databaseUrl,
    },
  });
  running.add(child);
  child.once('exit', () => running.delete(child));
  let printed = '';
  let logged = '';
  child.stdout.on('data', (text) => {
    printed += text;
  });
  child.stderr.on('data', (text) => {
    logged += text;
  });
  await waitUntil(
    `daemon ${name} is ready`,
    () => (child.exitCode === null ? /ready at/.test(printed) : Promise.reject(new Error(logged))),
    60,
  );
  return child;
}

/** Campaigns of one round, each on a mailbox of its own that takes everything in one batch. Answers their ids. */
async function prepareRound(round: number): Promise<number[]> {
  const campaigns: number[] = [];
  for (let index = 0; index < ACCOUNTS_A_ROUND; index++) {
    const name = `r${round}-${index}`;
    const account = await connectAccount(app, caller, {
      email: `${name}@example.com`,
      provider: 'smtp',
      smtp: { server: parseMailUrl(`smtp://me@127.0.0.1:${smtp.port}`, 'smtp').server, secret: { pass: 'secret' } },
      settings: {
        send_batch_min: MAILS_AN_ACCOUNT,
        send_batch_max: MAILS_AN_ACCOUNT,
        send_batch_interval_minutes: 1,
        daily_send_limit: 1_000,
        send_window_start_hour: 0,
        send_window_end_hour: 24,
      },
    });
    const { id } = await createCampaign(app, caller, { name, account_id: account.id });
    await changeCampaign(app, caller, id, { sending_days: EVERY_DAY, sending_hour_start: 0, sending_hour_end: 24 });
    await addStep(app, caller, id, {
      subject: 'Hello',
      body_html: '<p>Hello</p>',
      subject_b: null,
      body_html_b: null,
      wait_days: 0,
      kind: 'email',
    });
    await enrol(app, caller, id, { contact_ids: await insertContacts(name) });
    campaigns.push(id);
  }
  return campaigns;
}

async function insertContacts(prefix: string): Promise<number[]> {
  const rows = await app.db.query<{ id: number }>(sql`
    insert into contacts (workspace_id, name, email, custom_fields, created_by, created_at, updated_at)
    select 1, 'Ada', ${prefix}::text || '-' || i || '@example.org', '{}', 1, now(), now()
    from generate_series(1, ${MAILS_AN_ACCOUNT}::int) i returning id`);
  return rows.map((row) => row.id);
}

const ledger = () => app.db.query<{ recipient: string; state: string; attempt: number }>(sql`select recipient, state, attempt from outbox`);

async function killAndRestart(child: ChildProcess): Promise<ChildProcess> {
  const gone = new Promise((resolve) => child.once('exit', resolve));
  child.kill('SIGKILL');
  await gone;
  return startDaemon('killed');
}

it('two daemons, one killed five times: each recipient exactly once or "delivery unknown"', async () => {
  const rounds: number[][] = [];
  for (let round = 0; round < ROUNDS; round++) rounds.push(await prepareRound(round));
  await startDaemon('staying');
  let killed = await startDaemon('killed');
  const begin = performance.now();
  for (const [round, campaigns] of rounds.entries()) {
    const before = smtp.messages.length;
    for (const id of campaigns) await activateCampaign(app, caller, id, null);
    await smtp.waitFor(before + random.integer(100, 1_200), 120);
    // Once everything that the job store holds is lost too; the start makes it again.
    if (round === 2) await app.db.query(sql`delete from agenda_jobs`);
    killed = await killAndRestart(killed);
  }
  await waitUntil(
    'every mail is settled',
    async () => {
      const [row] = await app.db.query<{ open: number }>(
        sql`select ${MAILS}::int - count(*)::int as open from outbox where state in ('accepted', 'unknown')`,
      );
      return row?.open === 0;
    },
    240,
  );
  const seconds = Math.round((performance.now() - begin) / 1_000);

  const copies = new Map<string, number>();
  for (const { to } of smtp.messages) for (const recipient of to) copies.set(recipient, (copies.get(recipient) ?? 0) + 1);
  const mails = await ledger();
  const unknown = mails.filter(({ state }) => state === 'unknown');
  const sent = mails.filter(({ state }) => state === 'accepted');
  const twice = [...copies].filter(([, count]) => count > 1);
  const lost = sent.filter(({ recipient }) => !copies.has(recipient));
  const arrived = unknown.filter(({ recipient }) => copies.has(recipient));
  console.log(
    `${MAILS} mails, ${ROUNDS} kills, ${seconds} s: ${sent.length} sent, ${unknown.length} delivery unknown ` +
      `(${arrived.length} of them had arrived), ${twice.length} twice, ${lost.length} lost`,
  );
  expect(twice).toEqual([]);
  expect(lost).toEqual([]);
  expect(new Set(mails.map(({ recipient }) => recipient)).size).toBe(MAILS);
  // One mail of each of the killed daemon's connections can be on the wire, and those accepted a moment before.
  expect(unknown.length).toBeLessThan(ROUNDS * ACCOUNTS_A_ROUND * 10);
  const leases = () => app.db.query(sql`select id from accounts where batch_lease_until is not null`);
  await waitUntil('no account stays with a dead daemon', async () => (await leases()).length === 0, 30);
}, 400_000);
