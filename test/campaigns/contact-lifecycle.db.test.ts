import { beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { type Caller, operator, recipient } from '../../src/access/index.ts';
import type { App } from '../../src/app.ts';
import { archiveContact, deleteContact, suppressAddress, suppressInTx, unarchiveContact } from '../../src/campaigns/index.ts';
import { sql } from '../../src/db/statement.ts';
import { testInstallation } from '../support/database.ts';
import { numberFaults } from '../support/number-faults.ts';
import { member, workspace } from '../support/people.ts';
import { type Enrolled, insertCampaign, insertContact, insertEnrolment, insertRow, rowOf } from '../support/rows.ts';

let app: App;
let narrow: App;
let contact: number;
let email: string;
let active: Enrolled;
let replied: Enrolled;
const caller = operator(1);

beforeAll(async () => {
  app = (await testInstallation()).app;
  narrow = { ...app, config: { ...app.config, suppressionScope: 'workspace' } };
});
beforeEach(async () => {
  contact = await insertContact(app);
  ({ email } = await rowOf<{ email: string }>(app, 'contacts', contact));
  active = await insertEnrolment(app, await insertCampaign(app), { contact_id: contact, due_at: app.clock.now() });
  replied = await insertEnrolment(app, await insertCampaign(app), { contact_id: contact, status: 'replied' });
});

const stand = async (enrolment: Enrolled) => {
  const { status, stop_reason, due_at } = await rowOf(app, 'enrolments', enrolment.id);
  return { status, stop_reason, due_at };
};
const audits = (type: string, id: number) =>
  app.db.query<{ action: string }>(sql`select action from audit_log where resource_type = ${type} and resource_id = ${id} order by id`);

describe('a contact that is archived or deleted', () => {
  it('archiving stops its active enrolments; unarchiving does not restart them', async () => {
    expect(await archiveContact(app, caller, contact)).toMatchObject({ id: contact, is_archived: true });
    expect(await stand(active)).toEqual({ status: 'stopped', stop_reason: 'contact_archived', due_at: null });
    expect((await stand(replied)).status).toBe('replied');
    expect(await unarchiveContact(app, caller, contact)).toMatchObject({ id: contact, is_archived: false });
    expect((await stand(active)).status).toBe('stopped');
    expect(await audits('contact', contact)).toEqual([{ action: 'contact.archive' }, { action: 'contact.unarchive' }]);
  });

  it('deleting stops them too', async () => {
    await deleteContact(app, caller, contact);
    expect(await stand(active)).toMatchObject({ status: 'stopped', stop_reason: 'contact_deleted' });
    await expect(deleteContact(app, caller, contact)).rejects.toMatchObject({ code: 'not_found' });
  });

  it('the campaign of the last one completes', async () => {
    await archiveContact(app, caller, contact);
    expect(await rowOf(app, 'campaigns', active.campaignId)).toMatchObject({ status: 'completed' });
  });

  it('whoever may not see the contact changes nothing', async () => {
    const stranger = await member(app, 'manager');
    await app.db.query(sql`update contacts set is_shared_to_all = false where id = ${contact}`);
    const other: Caller = { ...caller, actor: 'user', role: 'manager', userId: stranger.id, isInstallAdmin: false };
    for (const change of [archiveContact, unarchiveContact, deleteContact])
      await expect(change(app, other, contact)).rejects.toMatchObject({ code: 'not_found' });
    expect((await stand(active)).status).toBe('active');
  });
});

describe('an address that is suppressed', () => {
  it('by hand: every active enrolment of it stops without an event, in any letter case; audited', async () => {
    const row = await suppressAddress(app, caller, { email: email.toUpperCase(), reason: 'asked by phone' });
    expect(row).toEqual({
      id: expect.any(Number),
      email: email.toUpperCase(),
      reason: 'asked by phone',
      created_at: '2026-07-07 12:00:00',
    });
    expect(await stand(active)).toEqual({ status: 'stopped', stop_reason: 'suppressed', due_at: null });
    expect((await stand(replied)).status).toBe('replied');
    expect(await app.db.query(sql`select 1 from events where contact_id = ${contact}`)).toEqual([]);
    expect(await audits('enrolment', active.id)).toEqual([{ action: 'enrolment.end' }]);
    expect(await audits('suppression', row.id)).toEqual([{ action: 'suppression.add' }]);
  });

  it('one that was there already keeps its first reason, and what was enrolled since stops', async () => {
    await insertRow(app, 'suppressions', { workspace_id: 1, email, reason: 'first', created_at: app.clock.now() });
    expect(await suppressAddress(app, caller, { email, reason: 'second' })).toMatchObject({ reason: 'first' });
    expect((await stand(active)).status).toBe('stopped');
  });

  it('by a hard bounce: they become bounced', async () => {
    const result = await app.db.tx((tx) => suppressInTx(tx, app, recipient(1, null), { email, reason: 'bounce', endAs: 'bounced' }));
    expect(result).toMatchObject({ email, reason: 'bounce', isNew: true });
    expect(await stand(active)).toEqual({ status: 'bounced', stop_reason: null, due_at: null });
  });

  it('stops them in every workspace, or only in its own where the setting says so', async () => {
    const elsewhere = await workspace(app);
    const campaign = await insertCampaign(app, { workspace_id: elsewhere });
    const enrol = async () => insertEnrolment(app, campaign, { workspace_id: elsewhere, contact_id: foreign });
    const foreign = await insertContact(app, { workspace_id: elsewhere, email });
    const enrolment = await enrol();
    await suppressAddress(narrow, caller, { email, reason: null });
    expect([(await stand(active)).status, (await stand(enrolment)).status]).toEqual(['stopped', 'active']);
    await suppressAddress(app, caller, { email, reason: null });
    expect((await stand(enrolment)).status).toBe('stopped');
  });

  it('what is no address is refused and changes nothing', async () => {
    await expect(suppressAddress(app, caller, { email: 'nobody', reason: null })).rejects.toMatchObject({ code: 'invalid_request' });
    expect((await stand(active)).status).toBe('active');
  });
});

it('deleting, archiving and suppressing leave every counter of the log exact', async () => {
  await deleteContact(app, caller, contact);
  expect(await numberFaults(app)).toEqual([]);
});
