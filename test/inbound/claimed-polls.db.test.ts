import { afterAll, beforeAll, beforeEach, expect, it } from 'vitest';
import { roomFor } from '../../src/core/room.ts';
import { sql } from '../../src/db/statement.ts';
import { MailboxPoller } from '../../src/inbound/index.ts';
import { type TestInstallation, testInstallation } from '../support/database.ts';
import { type ImapServer, startImapServer } from '../support/imap-server.ts';
import { dueMailboxes, mailboxAccount, PASSWORD } from '../support/polled-mailbox.ts';
import { rowOf } from '../support/rows.ts';
import { waitUntil } from '../support/wait-until.ts';

const USERS = ['zoe@example.com', 'yan@example.com', 'xia@example.com', 'wim@example.com'];
let installation: TestInstallation;
let server: ImapServer;
let poller: MailboxPoller;
let accounts: number[];

beforeAll(async () => {
  installation = await testInstallation();
  server = await startImapServer({ users: Object.fromEntries(USERS.map((user) => [user, PASSWORD])) });
});
afterAll(() => server?.close());
beforeEach(async () => {
  const { app, clock } = installation;
  poller = new MailboxPoller(app);
  await app.db.query(sql`update accounts set deleted_at = now()`);
  accounts = [];
  for (const user of USERS) accounts.push(await mailboxAccount(app, server.port, user, { last_batch_at: clock.now() }));
});

const lastPolled = async (id: number) => (await rowOf<{ last_polled_at: Date | null }>(installation.app, 'accounts', id)).last_polled_at;

it('daemons that claim at the same moment share what is due within a few rounds, and none is claimed twice', async () => {
  const pollers = Array.from({ length: 4 }, () => new MailboxPoller(installation.app));
  const claimed: number[] = [];
  // Pollers that search at the same moment see the same mailboxes first, so the later ones may find none and search again in the next
  // round.
  for (let left = accounts.length; left > 0; left = accounts.length - claimed.length) {
    const round = await Promise.all(pollers.map((each) => each.claimDue(roomFor(4))));
    const ids = round.flat().map(({ accountId }) => accountId);
    expect(ids, 'a round in which mailboxes are due claims one').not.toEqual([]);
    claimed.push(...ids);
  }
  expect([...claimed].sort((a, b) => a - b)).toEqual(accounts);
  expect(await poller.claimDue(roomFor(20))).toEqual([]);
});

it('a mailbox that was read is not due before the interval is over', async () => {
  await Promise.all((await poller.claimDue(roomFor(20))).map((poll) => poller.read(poll)));
  expect(await dueMailboxes(installation.app)).toEqual([]);
  for (const id of accounts) expect(await lastPolled(id)).toEqual(installation.clock.now());
  installation.clock.advance(120_000);
  expect((await dueMailboxes(installation.app)).sort((a, b) => a - b)).toEqual(accounts);
});

/** Changes an account in a transaction that stays open until the returned function is called. */
async function changing(id: number): Promise<() => Promise<void>> {
  const begun = Promise.withResolvers<void>();
  const end = Promise.withResolvers<void>();
  const change = installation.app.db.tx(async (tx) => {
    await tx.query(sql`update accounts set wakes = wakes + 1 where id = ${id}`);
    begun.resolve();
    await end.promise;
  });
  await begun.promise;
  return () => {
    end.resolve();
    return change;
  };
}

it('the end of a poll whose account is being changed waits alone: the others are recorded', async () => {
  const [locked = 0, ...others] = accounts;
  const claimed = await poller.claimDue(roomFor(20));
  const letGo = await changing(locked);
  const polls = claimed.map(async (poll) => ({ id: poll.accountId, result: await poller.read(poll) }));
  const ended: number[] = [];
  for (const poll of polls) void poll.then(({ id }) => ended.push(id));
  await waitUntil('the polls of the others end', () => ended.length === others.length).finally(letGo);
  expect((await Promise.all(polls)).map(({ result }) => result)).not.toContain(null);
  expect(await lastPolled(locked)).not.toBeNull();
});

it('an account that is being changed is not waited for: it is claimed later', async () => {
  const [locked = 0, ...others] = accounts;
  const letGo = await changing(locked);
  const claimed = await poller.claimDue(roomFor(20)).finally(letGo);
  expect(claimed.map(({ accountId }) => accountId).sort((a, b) => a - b)).toEqual(others);
  expect(await dueMailboxes(installation.app)).toEqual([locked]);
});

it('whoever has lost the lease records nothing', async () => {
  const [first] = await poller.claimDue(roomFor(2));
  if (first === undefined) throw new Error('nothing was due');
  await installation.app.db.query(sql`update accounts set poll_worker = 'other' where id = ${first.accountId}`);
  await poller.read(first);
  expect(await lastPolled(first.accountId)).toBeNull();
});

it('a daemon that is stopping releases what it has claimed', async () => {
  const claimed = await poller.claimDue(roomFor(20));
  expect(await Promise.all(claimed.map((poll) => poller.read(poll, AbortSignal.abort())))).toEqual(claimed.map(() => null));
  expect((await dueMailboxes(installation.app)).sort((a, b) => a - b)).toEqual(accounts);
});
