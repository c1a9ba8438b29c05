import { afterAll, beforeAll, expect, it } from 'vitest';
import type { App } from '../../src/app.ts';
import { sql } from '../../src/db/statement.ts';
import { MailboxPoller } from '../../src/inbound/index.ts';
import { unsubscribe } from '../../src/tracking/unsubscribe.ts';
import { type TestInstallation, testInstallation } from '../support/database.ts';
import { hasDovecot, type ImapServer, startImapServer } from '../support/imap-server.ts';
import { bounce, reply } from '../support/inbound-mail.ts';
import { numberFaults } from '../support/number-faults.ts';
import { mailboxAccount, PASSWORD, type SentMail, sentMail } from '../support/polled-mailbox.ts';
import { insertCampaign } from '../support/rows.ts';

/** Facts about the same contacts that reach the database at the same moment, on different paths. */

const PEOPLE = 20;
const [ZOE, REPLIES] = ['zoe@example.com', 'replies@example.com'];
let installation: TestInstallation;
let app: App;
let server: ImapServer;
let zoe: number;
let replies: number;

beforeAll(async () => {
  installation = await testInstallation();
  app = installation.app;
  server = await startImapServer({ users: { [ZOE]: PASSWORD, [REPLIES]: PASSWORD } });
  zoe = await mailboxAccount(app, server.port, ZOE);
  replies = await mailboxAccount(app, server.port, REPLIES);
});
afterAll(() => server?.close());

const pollBoth = async () => {
  const poller = new MailboxPoller(app);
  const polls = await Promise.all([poller.poll(zoe), poller.poll(replies)]);
  expect(polls.every((result) => result !== null)).toBe(true);
  installation.clock.advance(600_000);
};
const statuses = async (campaignId: number) =>
  Object.fromEntries(
    (
      await app.db.query<{ status: string; count: number }>(
        sql`select status, count(*)::int as count from enrolments where campaign_id = ${campaignId} group by 1`,
      )
    ).map(({ status, count }) => [status, count]),
  );
const logged = async (campaignId: number) =>
  Object.fromEntries(
    (
      await app.db.query<{ type: string; count: number }>(
        sql`select type, count(*)::int as count from events where campaign_id = ${campaignId} group by 1`,
      )
    ).map(({ type, count }) => [type, count]),
  );

/** Creates a campaign whose replies go to one mailbox and whose bounces go to another. */
async function campaignOf(count: number, values: Record<string, unknown> = {}, domain = 'recipient.example') {
  const campaignId = await insertCampaign(app, { account_id: zoe, reply_to: REPLIES, ...values }, [{ subject: 'Hello' }]);
  const mails: SentMail[] = [];
  for (let index = 0; index < count; index++)
    mails.push(await sentMail(installation, zoe, { campaignId, recipient: `person-${campaignId}-${index}@${domain}` }));
  return { campaignId, mails };
}

// Hoodiecrow's users share one mailbox.
it.skipIf(!hasDovecot)(
  'a reply in one mailbox, the bounce in another, the link: one status each, every fact logged once, exact counts',
  async () => {
    const { campaignId, mails } = await campaignOf(PEOPLE);
    for (const mail of mails) {
      await server.append(REPLIES, 'INBOX', reply(mail));
      await server.append(ZOE, 'INBOX', bounce(mail));
    }
    const leaving = mails.slice(0, PEOPLE / 2);
    await Promise.all([pollBoth(), ...leaving.map(({ outboxId }) => unsubscribe(app, outboxId, null))]);
    // A contact with a reply and a bounce has replied; one who used the link before that stays stopped.
    const { replied = 0, stopped = 0, ...others } = await statuses(campaignId);
    expect([replied + stopped, others]).toEqual([PEOPLE, {}]);
    expect(stopped).toBeLessThanOrEqual(leaving.length);
    expect(await logged(campaignId)).toEqual({ replied: PEOPLE, bounced: PEOPLE, unsubscribed: leaving.length });
    expect(await numberFaults(app)).toEqual([]);
  },
);

it.skipIf(!hasDovecot)(
  'everybody of a company answers while their mails come back: nobody stays active, no reader waits for another forever',
  async () => {
    const { campaignId, mails } = await campaignOf(PEOPLE, { stop_company: true }, 'acme.example');
    for (const [index, mail] of mails.entries()) {
      if (index % 2 === 0) await server.append(REPLIES, 'INBOX', reply(mail));
      else await server.append(ZOE, 'INBOX', bounce(mail));
    }
    await pollBoth();
    const { active = 0, replied = 0, bounced = 0, stopped = 0 } = await statuses(campaignId);
    expect(active).toBe(0);
    // Their replies are in one mailbox: each of them has replied, and the first reply stops the rest.
    expect(replied).toBe(PEOPLE / 2);
    expect(replied + bounced + stopped).toBe(PEOPLE);
    expect(await logged(campaignId)).toEqual({ replied: PEOPLE / 2, bounced: PEOPLE / 2 });
  },
);
