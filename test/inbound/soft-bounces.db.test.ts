import { beforeAll, beforeEach, expect, it } from 'vitest';
import { MINUTE } from '../../src/core/clock.ts';
import { MailboxPoller } from '../../src/inbound/index.ts';
import { afterFile } from '../support/after-file.ts';
import { TEST_START, type TestInstallation, testInstallation } from '../support/database.ts';
import { type ImapServer, startImapServer } from '../support/imap-server.ts';
import { bounce } from '../support/inbound-mail.ts';
import { mailboxAccount, PASSWORD, type SentMail, sentMail } from '../support/polled-mailbox.ts';
import { rowOf } from '../support/rows.ts';

/** Three in a row are three emails, not three reports (D2.13). */

const ZOE = 'zoe@example.com';
let installation: TestInstallation;
let server: ImapServer;
let zoe: number;

beforeAll(async () => {
  installation = await testInstallation();
  server = await startImapServer({ users: { [ZOE]: PASSWORD } });
  afterFile(() => server.close());
  zoe = await mailboxAccount(installation.app, server.port, ZOE);
});
beforeEach(() => installation.clock.set(TEST_START));

const FULL = { status: '4.2.2', diagnostic: '452 4.2.2 Mailbox full' };
const BLOCKED = { status: '5.7.1', diagnostic: '550 5.7.1 Message rejected by policy' };

async function receive(...raws: string[]): Promise<void> {
  for (const raw of raws) await server.append(ZOE, 'INBOX', raw);
  expect(await new MailboxPoller(installation.app).poll(zoe)).not.toBeNull();
  installation.clock.advance(MINUTE);
}

/** Sends the emails of steps 1 to `count` to one contact, a minute apart. */
async function sequence(count: number): Promise<SentMail[]> {
  const mails = [await sentMail(installation, zoe)];
  for (let step = 2; step <= count; step++) {
    installation.clock.advance(MINUTE);
    mails.push(await sentMail(installation, zoe, { ...(mails[0] as SentMail), step, at: installation.clock.now() }));
  }
  return mails;
}

const status = async ({ enrolmentId }: SentMail) => (await rowOf<{ status: string }>(installation.app, 'enrolments', enrolmentId)).status;

it.each([
  ['full mailboxes', FULL],
  ['refusals', BLOCKED],
])('three reports about one email are one of %s', async (_, report) => {
  const [mail] = (await sequence(1)) as [SentMail];
  for (let count = 0; count < 4; count++) await receive(bounce(mail, report));
  expect(await status(mail)).toBe('active');
});

it('an email that got through in between starts the count anew', async () => {
  const [one, , three] = (await sequence(3)) as [SentMail, SentMail, SentMail];
  await receive(bounce(one, FULL), bounce(three, FULL), bounce(three, FULL));
  expect(await status(one)).toBe('active');
});

it('the order in which the reports of three emails arrive does not matter', async () => {
  const [one, two, three] = (await sequence(3)) as [SentMail, SentMail, SentMail];
  await receive(bounce(three, FULL), bounce(one, FULL));
  expect(await status(one)).toBe('active');
  await receive(bounce(two, FULL));
  expect(await status(one)).toBe('bounced');
});
