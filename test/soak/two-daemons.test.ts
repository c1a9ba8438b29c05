import { join } from 'node:path';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { activateCampaign } from '../../src/campaigns/index.ts';
import { seededRandom } from '../../src/core/random.ts';
import { sql } from '../../src/db/statement.ts';
import { bulkCampaign, connectBulkAccount } from '../support/bulk-campaigns.ts';
import { type DaemonProcess, startDaemonProcess } from '../support/daemon-process.ts';
import { testInstallation } from '../support/database.ts';
import { emailKey, judge, readLedger } from '../support/ledger.ts';
import { type SmtpSink, startSmtpSink } from '../support/smtp-sink.ts';
import { waitUntil } from '../support/wait-until.ts';

/** One round for each kill: its campaigns start, and one daemon dies in the middle of their batches. */
const ROUNDS = 5;
const ACCOUNTS_A_ROUND = 8;
const MAILS_AN_ACCOUNT = 250;
const MAILS = ROUNDS * ACCOUNTS_A_ROUND * MAILS_AN_ACCOUNT;

const installation = await testInstallation();
const { app, caller } = installation;
const random = seededRandom(20_261_121);
const daemons: DaemonProcess[] = [];
let smtp: SmtpSink;

beforeAll(async () => {
  smtp = await startSmtpSink({ users: { me: 'secret' } });
});

afterAll(async () => {
  await Promise.all(daemons.map((daemon) => daemon.end('SIGTERM')));
  await smtp?.close();
});

async function startDaemon(name: string): Promise<DaemonProcess> {
  const daemon = await startDaemonProcess({ databaseUrl: installation.databaseUrl, home: join(installation.dataDir, name) });
  daemons.push(daemon);
  return daemon;
}

/** Campaigns of one round, each on a mailbox of its own that takes everything in one batch. Answers their ids. */
async function prepareRound(round: number): Promise<number[]> {
  const campaigns: number[] = [];
  for (let index = 0; index < ACCOUNTS_A_ROUND; index++) {
    const name = `r${round}-${index}`;
    const account = { email: `${name}@example.com`, smtpUrl: `smtp://me@127.0.0.1:${smtp.port}`, password: 'secret' };
    const id = await connectBulkAccount(app, caller, { ...account, batch: MAILS_AN_ACCOUNT });
    campaigns.push(await bulkCampaign(app, caller, name, id, MAILS_AN_ACCOUNT));
  }
  return campaigns;
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
    await killed.end('SIGKILL');
    killed = await startDaemon('killed');
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

  const copies = smtp.messages.map(({ to }) => emailKey(to[0] ?? '', 1));
  const verdict = judge(copies, await readLedger(app));
  console.log(`${MAILS} mails, ${ROUNDS} kills, ${seconds} s:`, JSON.stringify(verdict));
  expect(verdict).toMatchObject({ doubled: [], lost: [], unexplained: [], open: [] });
  expect(verdict.sent + verdict.unknown).toBe(MAILS);
  // One mail of each of the killed daemon's connections can be on the wire, and those accepted a moment before.
  expect(verdict.unknown).toBeLessThan(ROUNDS * ACCOUNTS_A_ROUND * 10);
  const leases = () => app.db.query(sql`select id from accounts where batch_lease_until is not null`);
  await waitUntil('no account stays with a dead daemon', async () => (await leases()).length === 0, 30);
}, 400_000);
