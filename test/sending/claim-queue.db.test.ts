import { expect, it } from 'vitest';
import { raw, sql } from '../../src/db/statement.ts';
import { ClaimQueue } from '../../src/sending/batch/claim-queue.ts';
import type { ClaimRequest } from '../../src/sending/email/claim.ts';
import { loadCampaignStates } from '../../src/sending/state/campaign-states.ts';
import { enrolmentsOf, type Sender, type SenderOptions, sendingInstallation, startSender } from '../support/sender.ts';

const { installation, sink } = await sendingInstallation();
const { app } = installation;

/** Senders with so many contacts each, whose emails are all due. */
const senders = (counts: readonly number[], options: SenderOptions = {}): Promise<Sender[]> =>
  Promise.all(counts.map((count) => startSender(installation, sink, { ...options, contacts: Array.from({ length: count }, () => ({})) })));

/** A request for all emails of a sender, by its own groups. */
async function requestOf({ accountId, campaignId }: Sender, count = 10): Promise<ClaimRequest> {
  const [state] = await loadCampaignStates(app.db, accountId, app.clock.now(), count);
  const groups = (state?.groups ?? []).filter(({ due }) => due > 0);
  const limited = state?.isLimited === true ? { isLimited: true as const } : {};
  return { account: { id: accountId, email: `sender-${accountId}@example.com` }, share: { campaignId, count, groups, ...limited } };
}

/** The outbox of these senders, each row with the transaction that wrote it. */
const outboxOf = (some: readonly Sender[]) =>
  app.db.query<{ id: string; account_id: number; campaign_id: number; enrolment_id: number; message_id: string; written: string }>(sql`
    select id, account_id, campaign_id, enrolment_id, message_id, xmin::text as written from outbox
    where account_id = any(${some.map(({ accountId }) => accountId)}::int[]) order by id`);

const dueOf = async ({ campaignId }: Sender) => (await enrolmentsOf(installation, campaignId)).filter(({ due_at }) => due_at !== null);

it('claims for several accounts in one transaction, and gives each its own emails', async () => {
  const plain = await senders([1, 3]);
  const byZone = await senders([2], { campaign: { use_contact_timezone: true } });
  const some = [...plain, ...byZone];
  const queue = new ClaimQueue(app);
  const requests = await Promise.all(some.map((sender) => requestOf(sender)));
  const claimed = await Promise.all(requests.map((request) => queue.claim(request)));
  const rows = await outboxOf(some);
  expect(new Set(rows.map(({ written }) => written)).size).toBe(1);
  for (const [index, sender] of some.entries()) {
    const enrolments = await enrolmentsOf(installation, sender.campaignId);
    const own = rows.filter(({ account_id }) => account_id === sender.accountId);
    expect(own.map(({ enrolment_id }) => enrolment_id).sort()).toEqual(enrolments.map(({ id }) => id).sort());
    expect(own.every(({ campaign_id, message_id }) => campaign_id === sender.campaignId && message_id.endsWith('@example.com>'))).toBe(
      true,
    );
    expect(claimed[index]?.map(({ enrolment_id }) => enrolment_id).sort()).toEqual(own.map(({ enrolment_id }) => enrolment_id).sort());
    expect(await dueOf(sender)).toEqual([]);
  }
});

it('claims no more than a share holds, and a second time only what is left', async () => {
  const [one, other] = (await senders([3, 3])) as [Sender, Sender];
  const queue = new ClaimQueue(app);
  const requests = [await requestOf(one, 2), await requestOf(other, 1)];
  const counts = async () => (await Promise.all(requests.map((request) => queue.claim(request)))).map(({ length }) => length);
  expect([await counts(), await counts(), await counts(), await counts()]).toEqual([
    [2, 1],
    [1, 1],
    [0, 1],
    [0, 0],
  ]);
  expect(await outboxOf([one, other])).toHaveLength(6);
});

it('divides large requests among several transactions', async () => {
  const some = await senders([60, 60]);
  const queue = new ClaimQueue(app);
  const requests = await Promise.all(some.map((sender) => requestOf(sender, 60)));
  const claimed = await Promise.all(requests.map((request) => queue.claim(request)));
  expect(claimed.map(({ length }) => length)).toEqual([60, 60]);
  expect(new Set((await outboxOf(some)).map(({ written }) => written)).size).toBe(2);
});

it('never claims an email twice when an account asks twice at once', async () => {
  const [sender] = (await senders([4])) as [Sender];
  const queue = new ClaimQueue(app);
  const request = await requestOf(sender);
  const claimed = await Promise.all([queue.claim(request), queue.claim(request), new ClaimQueue(app).claim(request)]);
  expect(claimed.flat()).toHaveLength(4);
  expect(await outboxOf([sender])).toHaveLength(4);
});

it.each([
  ['rejects the email of one', '23514'],
  ['finds a deadlock', '40P01'],
  ['has waited for a lock for too long', '55P03'],
])('claims for the other accounts if the database %s', async (_, state) => {
  const [good, bad] = (await senders([1, 1])) as [Sender, Sender];
  await app.db.query(sql`
    create function fail() returns trigger language plpgsql as ${raw(`'begin raise ''no'' using errcode = ''${state}''; end'`)}`);
  await app.db.query(sql`
    create trigger fail before insert on outbox for each row when (new.campaign_id = ${raw(String(bad.campaignId))}) execute function fail()`);
  const queue = new ClaimQueue(app);
  const requests = [await requestOf(good), await requestOf(bad)];
  const [ofGood, ofBad] = await Promise.allSettled(requests.map((request) => queue.claim(request)));
  await app.db.query(sql`drop function fail cascade`);
  expect(ofGood).toMatchObject({ status: 'fulfilled', value: [{ account_id: good.accountId }] });
  expect(ofBad).toMatchObject({ status: 'rejected' });
  expect(await outboxOf([bad])).toEqual([]);
  expect(await dueOf(bad)).toHaveLength(1);
  expect(await queue.claim(requests[1] as ClaimRequest)).toHaveLength(1);
});

it('claims by itself what has limits for a day', async () => {
  const [limited] = (await senders([3], { campaign: { new_contacts_per_day: 2 } })) as [Sender];
  const [free] = (await senders([1])) as [Sender];
  const queue = new ClaimQueue(app);
  const requests = [await requestOf(limited), await requestOf(free)];
  const claimed = await Promise.all(requests.map((request) => queue.claim(request)));
  expect(claimed.map(({ length }) => length)).toEqual([2, 1]);
  const rows = await outboxOf([limited, free]);
  const writtenOf = (sender: Sender) => rows.find(({ account_id }) => account_id === sender.accountId)?.written;
  expect(writtenOf(limited)).not.toBe(writtenOf(free));
});
