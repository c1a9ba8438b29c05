import { expect, it } from 'vitest';
import { sql } from '../../src/db/statement.ts';
import { type ClaimRequest, claimEmails } from '../../src/sending/email/claim.ts';
import { loadCampaignStates } from '../../src/sending/state/campaign-states.ts';
import { enrolmentsOf, type Sender, type SenderOptions, sendingInstallation, startSender } from '../support/sender.ts';

const { installation, sink } = await sendingInstallation();
const { app } = installation;

/** Starts a sender with `contacts` contacts, whose emails are all due. */
const senderOf = (contacts: number, options: SenderOptions = {}): Promise<Sender> =>
  startSender(installation, sink, { ...options, contacts: Array.from({ length: contacts }, () => ({})) });

/** Builds a request for all emails of a sender, with its own groups. */
async function requestOf({ accountId, campaignId }: Sender, count = 10): Promise<ClaimRequest> {
  const [state] = await loadCampaignStates(app.db, accountId, app.clock.now(), count);
  const groups = (state?.groups ?? []).filter(({ due }) => due > 0);
  const limited = state?.isLimited === true ? { isLimited: true as const } : {};
  return {
    account: { id: accountId, email: `sender-${accountId}@example.com`, hasRefusedFollowUp: false },
    allocation: { campaignId, count, groups, ...limited },
  };
}

const outboxOf = ({ accountId }: Sender) =>
  app.db.query<{ enrolment_id: number }>(sql`select enrolment_id from outbox where account_id = ${accountId} order by id`);

const dueOf = async ({ campaignId }: Sender) => (await enrolmentsOf(installation, campaignId)).filter(({ due_at }) => due_at !== null);

it.each([
  { use_contact_timezone: false },
  { use_contact_timezone: true },
])('writes each due email to the outbox, and takes its due time: %j', async (campaign) => {
  const sender = await senderOf(3, { campaign });
  const claimed = await claimEmails(app, await requestOf(sender));
  const ids = (await enrolmentsOf(installation, sender.campaignId)).map(({ id }) => id).sort();
  expect(claimed.map(({ enrolment_id }) => enrolment_id).sort()).toEqual(ids);
  expect((await outboxOf(sender)).map(({ enrolment_id }) => enrolment_id).sort()).toEqual(ids);
  expect(await dueOf(sender)).toEqual([]);
});

it('takes no more than an allocation holds, and a second time only what is left', async () => {
  const sender = await senderOf(3);
  const request = await requestOf(sender, 2);
  const count = async () => (await claimEmails(app, request)).length;
  expect([await count(), await count(), await count()]).toEqual([2, 1, 0]);
  expect(await outboxOf(sender)).toHaveLength(3);
});

it('never takes an email twice when an account asks several times at once', async () => {
  const sender = await senderOf(4);
  const request = await requestOf(sender);
  const claimed = await Promise.all([1, 2, 3].map(() => claimEmails(app, request)));
  expect(claimed.flat()).toHaveLength(4);
  expect(await outboxOf(sender)).toHaveLength(4);
});

it('takes only what the limits of a campaign leave for the day', async () => {
  const sender = await senderOf(3, { campaign: { new_contacts_per_day: 2 } });
  expect(await claimEmails(app, await requestOf(sender))).toHaveLength(2);
  expect(await dueOf(sender)).toHaveLength(1);
});
