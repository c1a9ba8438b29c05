import { beforeEach, describe, expect, it } from 'vitest';
import { enrolPending, listCampaignsOfContact } from '../../src/campaigns/index.ts';
import { addMembers, createList } from '../../src/contacts/index.ts';
import { DAY } from '../../src/core/clock.ts';
import { raw, sql } from '../../src/db/statement.ts';
import { checkMailboxes } from '../../src/doctor/contacts.ts';
import { mergeContacts } from '../../src/maintenance/merge-contacts.ts';
import { testInstallation } from '../support/database.ts';
import {
  type Enrolled,
  insertCampaign,
  insertContact,
  insertEnrolment,
  insertEvent,
  insertMail,
  insertReply,
  joinInGroup,
  rowOf,
} from '../support/rows.ts';

/** "Duplicates of today are told of by `doctor` and can be merged with one command, which keeps history and the stricter of two states" */

const installation = await testInstallation();
const { app, caller } = installation;
beforeEach(() => app.db.query(sql`update contacts set deleted_at = ${app.clock.now()} where deleted_at is null`));

const two = async (own: Record<string, unknown> = {}, other: Record<string, unknown> = {}) => ({
  id: await insertContact(app, { email: 'ann.lee@gmail.com', name: '', ...own }),
  otherId: await insertContact(app, { email: 'annlee+news@googlemail.com', name: '', ...other }),
});
const merge = ({ id, otherId }: Awaited<ReturnType<typeof two>>) => mergeContacts(app, caller, id, otherId);
const stateOf = async ({ id }: Pick<Enrolled, 'id'>) => {
  const { status, stop_reason, hold_reason } = await rowOf<Record<string, string | null>>(app, 'enrolments', id);
  return [status, stop_reason, hold_reason].filter(Boolean).join(' ');
};

describe('what the contact gets', () => {
  it('the fields that it lacks and the lists, on which nobody is enrolled again', async () => {
    const both = await two(
      { company: 'Own', custom_fields: { city: 'Rome' } },
      { name: 'Ann Lee', company: 'Other', custom_fields: { city: 'Oslo', vip: 'yes' } },
    );
    const [shared, followed] = [await createList(app, caller, 'Shared'), await createList(app, caller, 'Followed')];
    await addMembers(app, caller, shared.id, [both.id, both.otherId]);
    await addMembers(app, caller, followed.id, [both.otherId]);
    const campaignId = await insertCampaign(app, { list_id: followed.id });
    expect(await merge(both)).toMatchObject({
      id: both.id,
      email: 'ann.lee@gmail.com',
      name: 'Ann Lee',
      company: 'Own',
      custom_fields: { city: 'Rome', vip: 'yes' },
    });
    const members = await app.db.query(sql`select list_id from list_members where contact_id = ${both.id} order by 1`);
    expect(members).toEqual([{ list_id: shared.id }, { list_id: followed.id }]);
    await enrolPending(app, campaignId, new AbortController().signal);
    expect(await listCampaignsOfContact(app, caller, both.id)).toEqual({ data: [] });
    const [entry] = await app.db.query(
      sql`select action, changes from audit_log where resource_id = ${both.id} and action like 'contact.%' order by id desc`,
    );
    expect(entry).toMatchObject({
      action: 'contact.merge',
      changes: { contact_id: both.otherId, email: 'annlee+news@googlemail.com', name: ['', 'Ann Lee'] },
    });
  });

  it('"keeps history": no table but the trash knows the other, whose sequences go on', async () => {
    const both = await two();
    const own = await insertEnrolment(app, await insertCampaign(app), { contact_id: both.otherId });
    await insertMail(app, own);
    await insertEvent(app, own, 'sent');
    await insertReply(app, own, {});
    await insertRowPending(own);
    await merge(both);
    expect(await rowOf(app, 'contacts', both.otherId)).toMatchObject({ deleted_at: app.clock.now() });
    const columns = await app.db.query<{ table_name: string }>(sql`
      select table_name from information_schema.columns where column_name = 'contact_id' and table_schema = 'public' order by 1`);
    expect(columns.map(({ table_name }) => table_name)).toEqual([
      'enrolments',
      'events',
      'list_members',
      'outbox',
      'pending_enrolments',
      'replies',
    ]);
    for (const { table_name } of columns) {
      const [count] = await app.db.query(sql`
        select count(*) filter (where contact_id = ${both.id})::int as own, count(*) filter (where contact_id = ${both.otherId})::int as other
        from ${raw(table_name)}`);
      expect([table_name, count]).toEqual([table_name, { own: table_name === 'list_members' ? 0 : 1, other: 0 }]);
    }
    expect(await stateOf(own)).toBe('active');
  });
});

const insertRowPending = ({ contactId, campaignId }: Enrolled) =>
  app.db.query(sql`
    insert into pending_enrolments (campaign_id, contact_id, cause, source_id, created_at, list_id)
    values (${campaignId}, ${contactId}, null, null, ${app.clock.now()}, 1)`);

describe('"the stricter of two states"', () => {
  const SENT = { last_sent_step: 1 };
  it.each<[string, object, object, string, string]>([
    ['both are under way: the own one goes on', {}, {}, 'active', 'stopped contact_deleted'],
    ['the own one was sent more: it goes on', SENT, {}, 'active', 'stopped contact_deleted'],
    ['the other was sent more: nothing is sent twice', {}, SENT, 'stopped contact_merged', 'stopped contact_deleted'],
    ['the other replied: nothing is sent after an answer', {}, { status: 'replied' }, 'stopped contact_merged', 'replied'],
    ['the own one replied: the other stops', { status: 'replied' }, {}, 'replied', 'stopped contact_deleted'],
    ['both have ended: they stay so', { status: 'completed' }, { status: 'bounced' }, 'completed', 'bounced'],
  ])('%s', async (_, own, other, expectedOwn, expectedOther) => {
    const both = await two();
    for (const rotation of [false, true]) {
      const campaignId = await insertCampaign(app);
      const otherCampaign = rotation ? await insertCampaign(app) : campaignId;
      if (rotation) await joinInGroup(app, [campaignId, otherCampaign]);
      const pair = rotation ? await two({ email: 'x@corp.example' }, { email: 'x+y@corp.example' }) : both;
      const first = await insertEnrolment(app, campaignId, { contact_id: pair.id, ...own });
      const second = await insertEnrolment(app, otherCampaign, { contact_id: pair.otherId, ...other });
      await merge(pair);
      expect([rotation, await stateOf(first), await stateOf(second)]).toEqual([rotation, expectedOwn, expectedOther]);
    }
  });

  it('a hold of either holds both, also in sequences of the other', async () => {
    const both = await two();
    const [a, b] = [await insertCampaign(app), await insertCampaign(app)];
    const [own, shared] = [
      await insertEnrolment(app, a, { contact_id: both.id }),
      await insertEnrolment(app, a, { contact_id: both.otherId }),
    ];
    const moved = await insertEnrolment(app, b, { contact_id: both.otherId });
    const replyId = await insertReply(app, shared, {});
    await app.db.query(sql`
      update enrolments set held_by = ${replyId}, hold_reason = 'away', held_until = ${new Date(app.clock.now().getTime() + 9 * DAY)} where id = ${shared.id}`);
    await merge(both);
    expect([await stateOf(own), await stateOf(moved)]).toEqual(['active away', 'active away']);
  });

  it('if one of them is archived, the result is', async () => {
    const both = await two({}, { is_archived: true });
    const own = await insertEnrolment(app, await insertCampaign(app), { contact_id: both.id });
    expect(await merge(both)).toMatchObject({ is_archived: true });
    expect(await stateOf(own)).toBe('stopped contact_archived');
    const reverse = await two({ email: 'b@corp.example', is_archived: true }, { email: 'b+x@corp.example' });
    const moved = await insertEnrolment(app, await insertCampaign(app), { contact_id: reverse.otherId });
    await merge(reverse);
    expect(await stateOf(moved)).toBe('stopped contact_archived');
  });
});

it('refuses another mailbox, itself, and what would show a private contact to everybody', async () => {
  const both = await two({}, { is_shared_to_all: false });
  await expect(merge(both)).rejects.toMatchObject({ code: 'conflict' });
  await expect(mergeContacts(app, caller, both.id, both.id)).rejects.toMatchObject({ code: 'conflict' });
  const stranger = await insertContact(app, { email: 'annlee@corp.example' });
  await expect(mergeContacts(app, caller, both.id, stranger)).rejects.toMatchObject({ code: 'invalid_request' });
  await expect(mergeContacts(app, caller, both.id, 999_999)).rejects.toMatchObject({ code: 'invalid_request' });
});

it('doctor tells of contacts that share a mailbox, with the command that merges them', async () => {
  await insertContact(app, { email: 'alone@corp.example' });
  expect(await checkMailboxes(app)).toMatchObject({ result: 'ok' });
  const { id, otherId } = await two();
  const found = await checkMailboxes(app);
  expect(found).toMatchObject({ check: 'contacts', result: 'warn' });
  expect(found.message).toBe(
    `1 mailbox with more than one contact, for example ann.lee@gmail.com and annlee+news@googlemail.com; to make them one, run: outreach contact merge ${id} ${otherId} --workspace 1`,
  );
});
