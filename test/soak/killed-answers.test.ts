import { join } from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { seededRandom } from '../../src/core/random.ts';
import { sql } from '../../src/db/statement.ts';
import { listOutbox } from '../../src/outbox/index.ts';
import { answerReply } from '../../src/sending/index.ts';
import { connectBulkAccount } from '../support/bulk-campaigns.ts';
import { type DaemonProcess, startDaemonProcess } from '../support/daemon-process.ts';
import { testInstallation } from '../support/database.ts';
import { emailKey, judge, type LedgerEmail } from '../support/ledger.ts';
import { insertCampaign, insertEnrolment, insertReply } from '../support/rows.ts';
import { type Misbehaviour, type SinkPhase, type SmtpSink, startSmtpSink } from '../support/smtp-sink.ts';
import { waitUntil } from '../support/wait-until.ts';

const ACCOUNTS = 8;
const ANSWERS_AN_ACCOUNT = 8;

/** Where the emails stand that wait for the server when the daemons die; null: one daemon dies at a random moment. */
const ROUNDS: readonly (null | { phase: SinkPhase; how: Misbehaviour; words: string })[] = [
  null,
  { phase: 'rcpt', how: 'stall', words: 'before DATA' },
  null,
  { phase: 'data', how: 'stall', words: 'in DATA: the server has not taken it' },
  null,
  { phase: 'data', how: 'hold', words: 'after the final dot: the server has taken it, and not said so' },
  null,
  null,
];
const ANSWERS = ROUNDS.length * ACCOUNTS * ANSWERS_AN_ACCOUNT;

const installation = await testInstallation();
const { app, caller } = installation;
const random = seededRandom(20_261_122);
const daemons = new Map<string, DaemonProcess>();
const campaigns: number[] = [];
let smtp: SmtpSink;

beforeAll(async () => {
  smtp = await startSmtpSink({ users: { me: 'secret' } });
  for (let index = 0; index < ACCOUNTS; index++) {
    const account = { email: `a${index}@example.com`, smtpUrl: `smtp://me@127.0.0.1:${smtp.port}`, password: 'secret' };
    const id = await connectBulkAccount(app, caller, { ...account, batch: 1 });
    campaigns.push(await insertCampaign(app, { account_id: id }));
  }
});

afterAll(async () => {
  await Promise.all([...daemons.values()].map((daemon) => daemon.end('SIGTERM')));
  await smtp?.close();
});

const start = async (name: string) =>
  void daemons.set(name, await startDaemonProcess({ databaseUrl: installation.databaseUrl, home: join(installation.dataDir, name) }));

const kill = async (name: string) => {
  await daemons.get(name)?.end('SIGKILL');
  await start(name);
};

/** Answers one new reply after another, in every account. */
async function answerAll(round: number): Promise<void> {
  for (let index = 0; index < ANSWERS_AN_ACCOUNT; index++)
    for (const [account, campaign] of campaigns.entries()) {
      const sender = `r${round}-${account}-${index}@example.org`;
      const reply = await insertReply(app, await insertEnrolment(app, campaign), { sender });
      await answerReply(app, caller, reply, { text: 'Tuesday suits me.' });
    }
}

const answers = () =>
  app.db.query<LedgerEmail>(sql`select id, recipient, step_order, state from outbox where reply_id is not null order by id`);

it('two daemons and kills while answers go out: each arrives exactly once, or is listed as "delivery unknown"', async () => {
  await Promise.all([start('one'), start('other')]);
  const begin = performance.now();
  for (const [round, stop] of ROUNDS.entries()) {
    const before = smtp.messages.length;
    if (stop !== null) smtp.misbehave(stop.phase, stop.how);
    const answered = answerAll(round);
    if (stop === null) {
      await smtp.waitFor(before + 1, 120);
      await pause(random.integer(0, 3_000));
      await kill(random.integer(0, 1) === 0 ? 'one' : 'other');
    } else {
      await answered;
      const onTheWire = async () => (await answers()).filter(({ state }) => state === 'transmitting').length >= ACCOUNTS;
      await waitUntil(`answers of all accounts wait ${stop.words}`, onTheWire, 120);
      await Promise.all([...daemons.values()].map((daemon) => daemon.end('SIGKILL')));
      smtp.behave();
      await Promise.all([start('one'), start('other')]);
    }
    await answered;
  }
  const isSettled = async () => (await answers()).filter(({ state }) => state === 'accepted' || state === 'unknown').length === ANSWERS;
  await waitUntil('every answer is settled', isSettled, 240);
  const seconds = Math.round((performance.now() - begin) / 1_000);

  const verdict = judge(
    smtp.messages.map(({ to }) => emailKey(to[0] ?? '', 1)),
    await answers(),
  );
  console.log(`${ANSWERS} answers, ${ROUNDS.length} rounds of kills, ${seconds} s:`, JSON.stringify(verdict));
  expect(verdict).toMatchObject({ doubled: [], lost: [], unexplained: [], open: [] });
  expect(verdict.sent + verdict.unknown).toBe(ANSWERS);
  // Each daemon has at most one answer of each account on the wire. Both died in the three rounds that stopped there, and one at each other kill.
  const killed = ROUNDS.reduce((sum, stop) => sum + (stop === null ? 1 : 2), 0);
  expect(verdict.unknown).toBeGreaterThanOrEqual(2 * ACCOUNTS);
  expect(verdict.unknown).toBeLessThanOrEqual(killed * ACCOUNTS);
  expect(verdict.unknownArrived).toBeGreaterThanOrEqual(ACCOUNTS);
  const listed = await listOutbox(app.db, caller, { uncertain: true, limit: ANSWERS });
  expect(listed).toHaveLength(verdict.unknown);
}, 600_000);
