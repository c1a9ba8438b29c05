import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { activateCampaign, pauseAccount, pauseCampaign } from '../../src/campaigns/index.ts';
import { sql } from '../../src/db/statement.ts';
import { wasAnswered } from '../../src/inbound/index.ts';
import { recoverOutbox } from '../../src/sending/index.ts';
import { wasFetched } from '../../src/tracking/index.ts';
import { TEST_START, type TestInstallation, testInstallation } from '../support/database.ts';
import { type HostileSmtp, startHostileSmtp } from '../support/hostile/smtp.ts';
import { insertAccount } from '../support/rows.ts';
import { batchesOf, enrolmentsOf, type Sender, startSender } from '../support/sender.ts';
import { waitUntil } from '../support/wait-until.ts';

let installation: TestInstallation;
let server: HostileSmtp;

beforeAll(async () => {
  installation = await testInstallation();
});
beforeEach(() => installation.clock.set(TEST_START));
afterAll(() => server?.close());

/** Starts a batch of one email while permits block: they count the email for its day, in a table locked by another transaction. */
async function batchWithoutPermit(name: string, refusal?: string) {
  await server?.close();
  server = await startHostileSmtp(refusal === undefined ? {} : { RCPT: refusal });
  const sender = await startSender(installation, server, { contacts: [{ email: `${name}@example.org` }] });
  const holder = await installation.app.db.pool.connect();
  await holder.query('begin; lock table account_days in exclusive mode');
  return {
    sender,
    batch: sender.batch(),
    async letGo() {
      await holder.query('commit');
      holder.release();
    },
  };
}

const ledgerOf = async ({ campaignId }: Sender) =>
  (
    await installation.app.db.query<{ state: string; attempt: number }>(
      sql`select state, attempt from outbox where campaign_id = ${campaignId}`,
    )
  )[0];

const countedOf = async ({ accountId }: Sender) =>
  (
    await installation.app.db.query<{ mails: number }>(
      sql`select coalesce(sum(accepted), 0)::int as mails from account_days where account_id = ${accountId}`,
    )
  )[0]?.mails;

const heard = (line: string) => waitUntil(`the server hears ${line}`, () => server.lines.some((one) => one.startsWith(line)));

describe('an email in transmission', () => {
  it('B33: has its subject on record, so that its thread keeps it although the daemon dies before the server answers', async () => {
    await server?.close();
    server = await startHostileSmtp({ dot: null });
    const sender = await startSender(installation, server, { steps: [{ subject: 'Hello {{name}}' }] });
    const batch = sender.batch();
    await waitUntil('the server has the email', () => server.messages.length > 0);
    const rows = await installation.app.db.query(sql`select state, subject from outbox where campaign_id = ${sender.campaignId}`);
    expect(rows).toEqual([{ state: 'transmitting', subject: 'Hello Con Tact' }]);
    await server.close();
    await batch;
  });
});

describe('an email whose envelope is sent while its permit is requested', () => {
  it('is transmitted when the permit is granted, and not a line of it before', async () => {
    const { sender, batch, letGo } = await batchWithoutPermit('granted');
    await heard('DATA');
    expect(await ledgerOf(sender)).toEqual({ state: 'claimed', attempt: 1 });
    expect(server.lines.at(-1)).toBe('DATA');
    await letGo();
    expect(await batch).toEqual({ sent: 1, other: 0 });
    expect(server.messages).toHaveLength(1);
    expect(await ledgerOf(sender)).toMatchObject({ state: 'accepted' });
  });

  it.each<[string, (sender: Sender) => Promise<unknown>]>([
    ['the campaign is paused', ({ campaignId }) => pauseCampaign(installation.app, installation.caller, campaignId)],
    ['the account is paused', ({ accountId }) => pauseAccount(installation.app, installation.caller, accountId)],
    [
      'another daemon takes its claim over',
      ({ campaignId }) => installation.app.db.query(sql`update outbox set lease_until = '-infinity' where campaign_id = ${campaignId}`),
    ],
    [
      'another account claims it',
      async ({ campaignId }) => {
        const other = await insertAccount(installation.app);
        await installation.app.db.query(sql`update outbox set account_id = ${other} where campaign_id = ${campaignId}`);
      },
    ],
  ])('never goes out when %s meanwhile', async (what, happens) => {
    const { sender, batch, letGo } = await batchWithoutPermit(what.replaceAll(' ', '-'));
    await heard('DATA');
    await happens(sender);
    await letGo();
    expect((await batch).sent).toBe(0);
    expect(server.messages).toEqual([]);
    expect(server.lines.at(-1)).toBe('DATA');
    expect(await countedOf(sender)).toBe(0);
    await recoverOutbox(installation.app, { wasFetched, wasAnswered });
    expect(await ledgerOf(sender)).toEqual({ state: 'retry', attempt: 0 });
    expect((await enrolmentsOf(installation, sender.campaignId))[0]?.due_at).not.toBeNull();
  });

  // "Undoes `recordBatch` for a batch that handed nothing to a server: the next one follows the batch before it."
  it('leaves at once when its campaign is paused in its batch and activated again: nothing was sent that it could keep an interval from', async () => {
    const { app, caller } = installation;
    const { sender, batch, letGo } = await batchWithoutPermit('on-and-off');
    await heard('DATA');
    await pauseCampaign(app, caller, sender.campaignId);
    await letGo();
    expect(await batch).toEqual({ sent: 0, other: 1 });
    await activateCampaign(app, caller, sender.campaignId);
    expect(await sender.batch()).toEqual({ sent: 1, other: 0 });
  });

  it('is not settled before the permit is decided if the server refuses its recipient', async () => {
    const { sender, batch, letGo } = await batchWithoutPermit('refused', '550 5.1.1 no such user');
    await heard('RSET');
    expect(await ledgerOf(sender)).toEqual({ state: 'claimed', attempt: 1 });
    expect(await enrolmentsOf(installation, sender.campaignId)).toMatchObject([{ status: 'active' }]);
    await letGo();
    expect(await batch).toEqual({ sent: 0, other: 1 });
    expect(await ledgerOf(sender)).toMatchObject({ state: 'failed' });
    expect(await enrolmentsOf(installation, sender.campaignId)).toMatchObject([{ status: 'bounced' }]);
    expect(await countedOf(sender)).toBe(0);
  });
});

describe('accounts that send at the same time', () => {
  it('share a commit: permits requested while others are being granted are granted together', async () => {
    const { app } = installation;
    await server?.close();
    server = await startHostileSmtp();
    const senders: Sender[] = [];
    for (let index = 0; index < 4; index++)
      senders.push(await startSender(installation, server, { contacts: [{ email: `shared-${index}@example.org` }] }));
    const holder = await app.db.pool.connect();
    await holder.query('begin; lock table account_days in exclusive mode');
    const batches = batchesOf(app);
    const reports = senders.map(({ accountId }) => batches.run(accountId));
    await waitUntil('the server hears of four mails', () => server.lines.filter((line) => line === 'DATA').length === 4);
    await holder.query('commit');
    holder.release();
    expect((await Promise.all(reports)).map(({ sent }) => sent)).toEqual([1, 1, 1, 1]);
    const [granted] = await app.db.query<{ commits: number; accounts: number }>(sql`
      select count(distinct xmin::text)::int as commits, count(*)::int as accounts from account_days
      where account_id = any(${senders.map(({ accountId }) => accountId)}::int[])`);
    expect(granted).toEqual({ commits: expect.any(Number), accounts: 4 });
    // The first request does not wait for the others.
    expect(granted?.commits).toBeLessThanOrEqual(2);
  });
});

it('no index covers the columns that a permit changes, so that it can be a HOT update', async () => {
  const rows = await installation.app.db.query<{ indexdef: string }>(sql`select indexdef from pg_indexes where tablename = 'outbox'`);
  expect(rows.length).toBeGreaterThan(4);
  expect(rows.map(({ indexdef }) => indexdef).filter((index) => /\b(state|worker|lease_until|transmitting_at)\b/.test(index))).toEqual([]);
});
