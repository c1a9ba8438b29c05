import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { recordBatch } from '../../src/accounts/index.ts';
import { DAY, HOUR, SECOND } from '../../src/core/clock.ts';
import { sql } from '../../src/db/statement.ts';
import { MailboxPoller, nextPollOf } from '../../src/inbound/index.ts';
import { type TestInstallation, testInstallation } from '../support/database.ts';
import { type ImapServer, startImapServer } from '../support/imap-server.ts';
import { reply } from '../support/inbound-mail.ts';
import { mailboxAccount, PASSWORD, sentMail } from '../support/polled-mailbox.ts';
import { insertCampaign, rowOf } from '../support/rows.ts';

const ZOE = 'zoe@example.com';
let installation: TestInstallation;
let server: ImapServer;
let poller: MailboxPoller;
let zoe: number;

beforeAll(async () => {
  installation = await testInstallation();
  server = await startImapServer({ users: { [ZOE]: PASSWORD } });
  poller = new MailboxPoller(installation.app);
});
afterAll(async () => {
  poller?.close();
  await server?.close();
});
beforeEach(async () => {
  const { app } = installation;
  await app.db.query(sql`update accounts set deleted_at = now()`);
  await app.db.query(sql`update campaigns set status = 'draft'`);
  zoe = await mailboxAccount(app, server.port, ZOE);
});

const ago = (milliseconds: number) => new Date(installation.clock.now().getTime() - milliseconds);
const sentLast = (at: Date) => installation.app.db.query(sql`update accounts set last_batch_at = ${at} where id = ${zoe}`);

/** Returns the seconds from now to the next poll. */
async function untilNext(): Promise<number> {
  const row = await rowOf<{ next_poll_at: Date }>(installation.app, 'accounts', zoe);
  return Math.round((row.next_poll_at.getTime() - installation.clock.now().getTime()) / SECOND);
}

describe('the next poll of a mailbox', () => {
  it.each([
    ['an hour', HOUR, 120],
    ['a day', DAY, 120],
    ['three days', 3 * DAY, 360],
    ['a week and a half', 10 * DAY, 900],
    ['two months', 60 * DAY, 900],
  ])('whose account sent %s ago comes later, the longer that is', async (_, quiet, seconds) => {
    await sentLast(ago(quiet));
    await poller.poll(zoe);
    expect(await untilNext()).toBe(seconds);
  });

  it('comes after the longest interval before the first email', async () => {
    await poller.poll(zoe);
    expect(await untilNext()).toBe(900);
  });

  it.each([
    ['active', 120],
    ['paused', 900],
  ])('of the reply address of a campaign of another account that is %s', async (status, seconds) => {
    await insertCampaign(installation.app, { reply_to: 'Zoe@Example.com', status });
    await poller.poll(zoe);
    expect(await untilNext()).toBe(seconds);
  });

  it('is brought forward by a batch, and one that is due stays due', async () => {
    await poller.poll(zoe);
    await recordBatch(installation.app, zoe, installation.clock.now(), null);
    expect(await untilNext()).toBe(120);
    await installation.app.db.query(sql`update accounts set next_poll_at = null where id = ${zoe}`);
    await recordBatch(installation.app, zoe, installation.clock.now(), null);
    expect(await rowOf(installation.app, 'accounts', zoe)).toMatchObject({ next_poll_at: null });
  });

  it('is told for a mailbox that is polled, and for no other', async () => {
    const { app, clock } = installation;
    await sentLast(ago(60 * DAY));
    await poller.poll(zoe);
    expect(await nextPollOf(app.db, zoe, clock.now())).toMatch(/^\d{4}-\d\d-\d\d \d\d:\d\d:\d\d$/);
    await sentLast(ago(181 * DAY));
    expect(await nextPollOf(app.db, zoe, clock.now())).toBeNull();
  });
});

it('a mailbox that is polled rarely is read before a follow-up nevertheless: the reply is seen', async () => {
  const { app, clock } = installation;
  await sentLast(ago(60 * DAY));
  const mail = await sentMail(installation, zoe, { at: ago(60 * DAY) });
  await sentLast(ago(60 * DAY));
  await poller.poll(zoe);
  clock.advance(121 * SECOND);
  await server.append(ZOE, 'INBOX', reply(mail));
  expect(await untilNext()).toBeGreaterThan(700);
  expect(await poller.ensurePolled([zoe])).toEqual([]);
  expect(await rowOf(app, 'enrolments', mail.enrolmentId)).toMatchObject({ status: 'replied' });
});
