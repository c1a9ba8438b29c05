import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import type { Caller } from '../../src/access/index.ts';
import type { App } from '../../src/app.ts';
import { distribute } from '../../src/campaigns/enrolments/distribute.ts';
import { enrol } from '../../src/campaigns/enrolments/enrol.ts';
import { listEnrolments } from '../../src/campaigns/enrolments/read-enrolments.ts';
import { createRotation } from '../../src/campaigns/rotation/create-rotation.ts';
import { getRotation, listRotations } from '../../src/campaigns/rotation/read-rotations.ts';
import type { ManualClock } from '../../src/core/clock.ts';
import { sql } from '../../src/db/statement.ts';
import { listEvents } from '../../src/events/index.ts';
import { TEST_START, testInstallation } from '../support/database.ts';
import { numberFaults } from '../support/number-faults.ts';
import { member, workspace } from '../support/people.ts';
import { insertAccount, insertCampaign, insertContact, insertRow, rowOf } from '../support/rows.ts';

let app: App;
let clock: ManualClock;
let caller: Caller;
let campaign: number;
let accounts: number[];

beforeAll(async () => {
  ({ app, clock, caller } = await testInstallation());
});
beforeEach(async () => {
  clock.set(TEST_START);
  campaign = await insertCampaign(app, { name: 'Spring' }, [
    { subject: 'S', body_html: 'one' },
    { body_html: 'two', wait_days: 3 },
  ]);
  accounts = [await insertAccount(app), await insertAccount(app)];
});
// After all tests, every counter equals the number of rows that it counts.
afterAll(async () => expect(await numberFaults(app)).toEqual([]));

const contacts = (count: number) => Promise.all([...Array(count)].map(() => insertContact(app)));
const enrolled = async (id: number) => {
  const { data, pagination } = await listEnrolments(app, caller, id, { limit: 200, offset: 0 });
  expect(pagination.total).toBe(data.length);
  return data.map((row) => row.contact_id);
};
const rotate = () => createRotation(app, caller, campaign, accounts);
const variants = async (id: number) =>
  (await app.db.query<{ variant: string }>(sql`select variant from enrolments where campaign_id = ${id} order by variant`)).map(
    (row) => row.variant,
  );

describe('dealing out', () => {
  it.each([
    [[1, 2, 3, 4, 5], { 7: 0, 8: 0 }, { 7: [1, 3, 5], 8: [2, 4] }],
    [[1, 2, 3, 4], { 7: 3, 8: 0, 9: 1 }, { 7: [], 8: [1, 2, 4], 9: [3] }],
    [[], { 7: 1 }, { 7: [] }],
    [[1], {}, {}],
  ])('%j to %j', (items, counts, hands) => {
    const dealt = distribute(items, new Map(Object.entries(counts).map(([id, count]) => [Number(id), count])));
    expect(Object.fromEntries(dealt)).toEqual(hands);
  });
});

describe('creating a rotation group', () => {
  it('makes a campaign with the same settings, steps and shares for each account beside its own', async () => {
    const { id: friend } = await member(app, 'manager');
    await app.db.query(sql`
      update campaigns set timezone = 'Asia/Tokyo', sending_days = '{6,7}', sending_hour_start_b = 1, sending_hour_end_b = 2, reply_to = 'r@example.com',
        ab_test_enabled = true, ab_split_percent = 20, track_opens = false, stop_company = true, is_shared_to_all = false, created_by = ${friend} where id = ${campaign}`);
    await insertRow(app, 'shares', {
      ...{ workspace_id: 1, resource_type: 'campaigns', resource_id: campaign, user_id: friend, granted_at: clock.now() },
    });
    const own = await rowOf<{ account_id: number }>(app, 'campaigns', campaign);
    const rotation = await createRotation(app, caller, campaign, [own.account_id, ...accounts, accounts[0] ?? 0]);
    expect(rotation).toMatchObject({ name: 'Spring', campaigns: 3, contacts: 0 });
    expect(rotation.members.map((row) => row.account_id)).toEqual([own.account_id, ...accounts]);
    const original = await rowOf(app, 'campaigns', campaign);
    for (const { campaign_id: id, account_id, account_email } of rotation.members.slice(1)) {
      const own = { id, account_id, name: `Spring (${account_email})`, created_at: clock.now(), updated_at: clock.now() };
      expect(await rowOf(app, 'campaigns', id)).toEqual({ ...original, ...own });
      expect(
        await app.db.query(sql`select step_order, subject, body_html, wait_days from steps where campaign_id = ${id} order by step_order`),
      ).toEqual([
        { step_order: 1, subject: 'S', body_html: 'one', wait_days: 0 },
        { step_order: 2, subject: '', body_html: 'two', wait_days: 3 },
      ]);
      expect(await app.db.query(sql`select user_id from shares where resource_type = 'campaigns' and resource_id = ${id}`)).toEqual([
        { user_id: friend },
      ]);
    }
    expect((await listRotations(app.db, caller, { limit: 50, offset: 0 })).data).toContainEqual(
      expect.objectContaining({ id: rotation.id, campaigns: 3 }),
    );
    expect(await getRotation(app.db, caller, rotation.id)).toEqual(rotation);
  });

  it.each([
    ['active', 'active', ['active', 'active']],
    ['active', 'paused', ['active', 'paused']],
    ['paused', 'active', ['paused', 'paused']],
    ['draft', 'paused', ['draft', 'draft']],
    ['completed', 'active', ['completed', 'completed']],
  ])('one made of an %s campaign for an %s account: %j', async (status, accountStatus, expected) => {
    await app.db.query(sql`update campaigns set status = ${status} where id = ${campaign}`);
    if (accountStatus === 'paused')
      await app.db.query(sql`update accounts set status = 'paused', pause_reason = 'manual' where id = ${accounts[0]}`);
    const { members } = await createRotation(app, caller, campaign, accounts.slice(0, 1));
    expect(members.map((row) => row.status)).toEqual(expected);
    const copy = await rowOf(app, 'campaigns', members[1]?.campaign_id ?? 0);
    expect(copy.paused_by_account).toBe(expected[0] === 'active' && expected[1] === 'paused');
  });

  it('contacts that nothing was sent to are dealt out evenly with their log and group; who was written to stays', async () => {
    await app.db.query(sql`update campaigns set ab_test_enabled = true where id = ${campaign}`);
    const ids = await contacts(13);
    await enrol(app, caller, campaign, { contact_ids: ids });
    // Of 13, 7 are in group A. Without one of them, the groups are equal.
    const mailed = await app.db.query<{ contact_id: number }>(sql`
      update enrolments set last_sent_step = 1, current_step = 2
      where id = (select min(id) from enrolments where campaign_id = ${campaign} and variant = 'A') returning contact_id`);
    const { members } = await rotate();
    const hands = await Promise.all(members.map((row) => enrolled(row.campaign_id)));
    expect(hands.map((hand) => hand.length)).toEqual([5, 4, 4]);
    expect(hands[0]).toContain(mailed[0]?.contact_id);
    expect(hands.flat().toSorted()).toEqual(ids.toSorted());
    for (const { campaign_id } of members.slice(1)) {
      expect(await variants(campaign_id)).toEqual(['A', 'A', 'B', 'B']);
      const events = await listEvents(app.db, caller, { campaignId: campaign_id }, { limit: 50, offset: 0 });
      expect(events.pagination.total).toBe(4);
    }
    expect(members.map((row) => [row.contacts, row.active])).toEqual([
      [5, 5],
      [4, 4],
      [4, 4],
    ]);
    for (const { account_id } of members) expect(await rowOf(app, 'accounts', account_id)).toMatchObject({ next_batch_at: clock.now() });
  });

  it('refuses a second group, an archived campaign, no further account, and accounts that are not live', async () => {
    const own = (await rowOf<{ account_id: number }>(app, 'campaigns', campaign)).account_id;
    for (const ids of [
      [],
      [own],
      [999_999],
      [await insertAccount(app, { is_archived: true })],
      [await insertAccount(app, { workspace_id: await workspace(app) })],
    ])
      await expect(createRotation(app, caller, campaign, ids)).rejects.toMatchObject({ code: 'invalid_request' });
    await rotate();
    await expect(rotate()).rejects.toMatchObject({ code: 'conflict' });
    const archived = await insertCampaign(app, { is_archived: true, status: 'paused' });
    await expect(createRotation(app, caller, archived, accounts)).rejects.toMatchObject({ code: 'conflict' });
    await expect(createRotation(app, caller, 999_999, accounts)).rejects.toMatchObject({ code: 'not_found' });
  });
});

describe('enrolling into a rotation group', () => {
  it('deals new contacts out to whoever has the fewest under way; whoever is in one of the campaigns is in', async () => {
    const { members } = await rotate();
    const [one, two, three] = members.map((row) => row.campaign_id) as [number, number, number];
    const ids = await contacts(8);
    expect(await enrol(app, caller, two, { contact_ids: ids })).toEqual({ enrolled: 8 });
    const sizes = async () => (await Promise.all([one, two, three].map(enrolled))).map((hand) => hand.length);
    expect(await sizes()).toEqual([3, 3, 2]);
    for (const id of [one, two, three]) expect(await enrol(app, caller, id, { contact_ids: ids })).toEqual({ enrolled: 0 });
    await app.db.query(sql`update enrolments set status = 'replied', due_at = null where campaign_id = ${two}`);
    await enrol(app, caller, one, { contact_ids: await contacts(4) });
    expect(await sizes()).toEqual([3, 6, 3]);
  });

  it('passes over campaigns that are archived or whose account is gone, the one that is named too', async () => {
    const { members } = await rotate();
    const [one, two, three] = members as [(typeof members)[0], (typeof members)[0], (typeof members)[0]];
    await app.db.query(sql`update campaigns set is_archived = true, status = 'paused' where id = ${one.campaign_id}`);
    await app.db.query(sql`update accounts set deleted_at = ${clock.now()} where id = ${two.account_id}`);
    await enrol(app, caller, three.campaign_id, { contact_ids: await contacts(3) });
    expect(await enrolled(three.campaign_id)).toHaveLength(3);
    await enrol(app, caller, one.campaign_id, { contact_ids: await contacts(2) });
    expect([await enrolled(one.campaign_id), await enrolled(three.campaign_id)].map((hand) => hand.length)).toEqual([0, 5]);
  });

  it('deals contacts only to campaigns that can send or will, active or draft on an active account; if none can, to all', async () => {
    const { members } = await rotate();
    const [one, two, three] = members as [(typeof members)[0], (typeof members)[0], (typeof members)[0]];
    const sizes = async () => (await Promise.all(members.map((row) => enrolled(row.campaign_id)))).map((hand) => hand.length);
    await app.db.query(sql`update campaigns set status = 'paused' where id = ${one.campaign_id}`);
    await app.db.query(sql`update accounts set status = 'paused', pause_reason = 'manual' where id = ${two.account_id}`);
    await enrol(app, caller, one.campaign_id, { contact_ids: await contacts(4) });
    expect(await sizes()).toEqual([0, 0, 4]);
    await app.db.query(sql`update campaigns set status = 'draft' where id = ${one.campaign_id}`);
    await enrol(app, caller, two.campaign_id, { contact_ids: await contacts(2) });
    expect(await sizes()).toEqual([2, 0, 4]);
    await app.db.query(sql`update campaigns set status = 'paused' where id in (${one.campaign_id}, ${three.campaign_id})`);
    await enrol(app, caller, one.campaign_id, { contact_ids: await contacts(6) });
    expect(await sizes()).toEqual([4, 4, 4]);
  });

  it('the same contacts given to all of its campaigns at once are enrolled once', async () => {
    const { members } = await rotate();
    const ids = await contacts(30);
    const answers = await Promise.all(members.map((row) => enrol(app, caller, row.campaign_id, { contact_ids: ids })));
    expect(answers.reduce((sum, answer) => sum + answer.enrolled, 0)).toBe(30);
    const hands = await Promise.all(members.map((row) => enrolled(row.campaign_id)));
    expect(hands.map((hand) => hand.length)).toEqual([10, 10, 10]);
    expect(new Set(hands.flat()).size).toBe(30);
  });
});
