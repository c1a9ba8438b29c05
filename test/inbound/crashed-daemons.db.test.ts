import { afterAll, beforeEach, expect, it } from 'vitest';
import { connectAccount } from '../../src/accounts/index.ts';
import { MINUTE } from '../../src/core/clock.ts';
import { roomFor } from '../../src/core/room.ts';
import { WORKER } from '../../src/core/worker.ts';
import { sql } from '../../src/db/statement.ts';
import { MailboxPoller } from '../../src/inbound/index.ts';
import { parseMailUrl } from '../../src/mail/mail-url.ts';
import { recoverOutbox } from '../../src/sending/index.ts';
import { testInstallation } from '../support/database.ts';
import { startHostileImap } from '../support/hostile/imap.ts';
import { mailboxAccount } from '../support/polled-mailbox.ts';
import { rowOf } from '../support/rows.ts';
import { startSmtpSink } from '../support/smtp-sink.ts';

const { app, caller, clock } = await testInstallation();
const server = await startHostileImap();
const poller = new MailboxPoller(app);
afterAll(() => poller.close());

/** A daemon on this machine whose process has ended. */
const DEAD = WORKER.replace(/:\d+:/, ':4194305:');
const PROOFS = { wasFetched: () => sql`false`, wasAnswered: () => sql`false` };

const claim = async () => (await poller.claimDue(roomFor(100))).map(({ accountId }) => accountId).sort((a, b) => a - b);
/** Simulates the crash of the daemon that has claimed these mailboxes, and the first action of the next daemon. */
async function crash(ids: readonly number[]): Promise<void> {
  await app.db.query(sql`update accounts set poll_worker = ${DEAD} where id = any(${ids}::int[])`);
  await recoverOutbox(app, PROOFS);
}
const crashesOf = async (id: number) => (await rowOf<{ poll_crashes: number }>(app, 'accounts', id)).poll_crashes;

let ids: number[] = [];
beforeEach(async () => {
  await app.db.query(sql`update accounts set deleted_at = now(), poll_crashes = 0`);
  ids = [];
  for (const name of ['a', 'b', 'c'])
    ids.push(await mailboxAccount(app, server.port, `${name}@example.com`, { last_batch_at: app.clock.now() }));
});

it('a mailbox that was being read when a daemon crashed is read alone, and trusted again when it was read', async () => {
  const leases = await poller.claimDue(roomFor(100));
  const [a = 0, b = 0, c = 0] = ids;
  await crash([a, b]);
  for (const lease of leases) if (lease.accountId === c) await poller.read(lease);
  const [alone, ...others] = await poller.claimDue(roomFor(100));
  expect([a, b]).toContain(alone?.accountId);
  expect(others).toEqual([]);
  expect(await claim()).toEqual([]);
  if (alone !== undefined) await poller.read(alone);
  expect(await crashesOf(alone?.accountId ?? 0)).toBe(0);
  expect(await claim()).toEqual([alone?.accountId === a ? b : a]);
});

it('one that was being read at three crashes, twice alone, is no longer read, and says so, until it is connected again', async () => {
  const [a = 0, b = 0] = await claim();
  await crash([a, b]);
  await app.db.query(sql`update accounts set deleted_at = now() where id not in (${a}, ${b})`);
  expect(await claim()).toEqual([a]);
  await crash([a]);
  // If daemons keep crashing for another reason, the next daemon finds another mailbox.
  expect(await claim()).toEqual([b]);
  await app.db.query(sql`update accounts set deleted_at = now() where id = ${b}`);
  expect(await claim()).toEqual([]);
  clock.advance(MINUTE);
  expect(await claim()).toEqual([a]);
  await crash([a]);
  expect(await crashesOf(a)).toBe(3);
  clock.advance(MINUTE);
  expect(await claim()).toEqual([]);
  expect(await poller.poll(a)).toBeNull();
  expect(await rowOf(app, 'accounts', a)).toMatchObject({
    poll_error: expect.stringMatching(/^no longer read, because the daemon crashed three times/),
  });
  const sink = await startSmtpSink({ users: {} });
  const access = (protocol: 'smtp' | 'imap', port: number) => ({
    server: parseMailUrl(`${protocol}://me@127.0.0.1:${port}`, protocol).server,
    secret: { pass: 'x' },
  });
  const smtp = { ...access('smtp', sink.port), server: { ...access('smtp', sink.port).server, user: null } };
  await connectAccount(app, caller, { email: 'a@example.com', provider: 'smtp', smtp, imap: access('imap', server.port) });
  expect(await claim()).toEqual([a]);
  await sink.close();
});

it('a mailbox whose server fails is no suspect', async () => {
  const [a = 0, ...others] = await claim();
  await app.db.query(sql`update accounts set deleted_at = now() where id = any(${others}::int[])`);
  await crash([a]);
  await app.db.query(sql`update accounts set imap = jsonb_set(imap, '{port}', '1') where id = ${a}`);
  const [lease] = await poller.claimDue(roomFor(100));
  expect(lease?.accountId).toBe(a);
  if (lease !== undefined) await poller.read(lease);
  expect(await crashesOf(a)).toBe(0);
});
