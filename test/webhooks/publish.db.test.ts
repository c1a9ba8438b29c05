import { beforeAll, describe, expect, it } from 'vitest';
import { operator } from '../../src/access/index.ts';
import type { App } from '../../src/app.ts';
import {
  activateCampaign,
  closeCall,
  completeFinishedCampaigns,
  enrol,
  openDueCalls,
  pauseAccount,
  pauseCampaign,
  resumeAccount,
  suppressAddress,
} from '../../src/campaigns/index.ts';
import { sql } from '../../src/db/statement.ts';
import { listEvents, recordEnrolled, recordEvents } from '../../src/events/index.ts';
import { changeWebhook, createWebhook, deleteWebhook, getWebhook, retireWebhooks } from '../../src/webhooks/index.ts';
import { testInstallation } from '../support/database.ts';
import { member, workspace } from '../support/people.ts';
import { eventOf, insertAccount, insertCampaign, insertContact, insertEnrolment, insertRow } from '../support/rows.ts';

let app: App;
const caller = operator(1);

beforeAll(async () => {
  ({ app } = await testInstallation());
});

interface Told {
  webhook_id: number;
  type: string;
  event_id: number | null;
  // biome-ignore lint/suspicious/noExplicitAny: tests read any data
  data: any;
  reply_body: string | null;
}

/** What was written for a webhook, oldest first. */
const toldTo = (id: number) =>
  app.db.query<Told>(sql`select webhook_id, type, event_id, data, reply_body from webhook_deliveries where webhook_id = ${id} order by id`);

const webhook = async (input: Partial<Parameters<typeof createWebhook>[2]> = {}, as = caller) =>
  (await createWebhook(app, as, { url: 'https://example.com/hook', ...input })).id;

const enrolment = async (campaign: Record<string, unknown> = {}, contact: Record<string, unknown> = {}) =>
  insertEnrolment(app, await insertCampaign(app, campaign), { contact_id: await insertContact(app, contact) });

const record = (...events: Parameters<typeof recordEvents>[1]) => app.db.tx((tx) => recordEvents(tx, events));

describe('Events', () => {
  it('data.event is byte for byte the record of GET /events', async () => {
    const id = await webhook({ types: ['event.clicked'] });
    const who = await enrolment();
    await record(eventOf(app, who, 'clicked', { url: 'https://example.org/ä?x=1&y="2"', stepOrder: 3 }));
    const { data } = await listEvents(app.db, caller, { contactId: who.contactId }, { limit: 1, offset: 0 });
    const [told] = await toldTo(id);
    expect(JSON.stringify(told?.data.event)).toBe(JSON.stringify(data[0]));
    expect(told).toMatchObject({ type: 'event.clicked', event_id: data[0]?.id });
  });

  it('names the campaign, the contact with its live custom fields, the account, and whether it is the first', async () => {
    const id = await webhook();
    const now = app.clock.now();
    await insertRow(app, 'custom_fields', { workspace_id: 1, name: 'City', key: 'city', field_type: 'text', created_at: now });
    await insertRow(app, 'custom_fields', {
      workspace_id: 1,
      name: 'Old',
      key: 'old',
      field_type: 'text',
      created_at: now,
      deleted_at: now,
    });
    const account = await insertAccount(app, { email: 'sender@example.com' });
    const fields = { name: 'Ada', email: 'ada@example.com', company: 'Engines', custom_fields: '{"city":"London","old":"x"}' };
    const who = await enrolment({ name: 'Spring', account_id: account }, fields);
    await record(eventOf(app, who, 'replied', { details: { snippet: 'x'.repeat(600), body: 'whole' } }), eventOf(app, who, 'replied'));
    const [first, second] = await toldTo(id);
    expect(first?.data).toEqual({
      event: expect.objectContaining({ type: 'replied', contact_id: who.contactId, url: null, timestamp: '2026-07-07 12:00:00' }),
      campaign: { id: who.campaignId, name: 'Spring', status: 'active' },
      contact: { id: who.contactId, name: 'Ada', email: 'ada@example.com', company: 'Engines', custom_fields: { city: 'London' } },
      account: { id: account, email: 'sender@example.com' },
      is_first: true,
      reply_snippet: 'x'.repeat(500),
    });
    expect(second?.data).toMatchObject({ is_first: false, reply_snippet: null });
    expect(first?.reply_body).toBeNull();
  });

  it('is small, however large the fields of a contact are: they are left out', async () => {
    const id = await webhook();
    const fields = Object.fromEntries(Array.from({ length: 200 }, (_, index) => [`f${index}`, 'x'.repeat(10_000)]));
    await record(eventOf(app, await enrolment({}, { custom_fields: JSON.stringify(fields) }), 'replied'));
    const [told] = await toldTo(id);
    expect(told?.data.contact).toMatchObject({ custom_fields: null });
    expect(JSON.stringify(told?.data).length).toBeLessThan(20_000);
  });

  it('include_body gives the whole reply', async () => {
    const id = await webhook({ include_body: true });
    await record(eventOf(app, await enrolment(), 'replied', { details: { snippet: 'a', body: 'all of it' } }));
    expect((await toldTo(id))[0]?.reply_body).toBe('all of it');
  });

  it('sent, opened and clicked must be chosen by name', async () => {
    const [everything, sent] = [await webhook(), await webhook({ types: ['event.sent'] })];
    const who = await enrolment();
    await record(...(['sent', 'opened', 'clicked', 'bounced'] as const).map((type) => eventOf(app, who, type)));
    await app.db.tx((tx) => recordEnrolled(tx, [who.id], app.clock.now()));
    expect((await toldTo(everything)).map(({ type }) => type)).toEqual(['event.bounced', 'event.enrolled']);
    expect((await toldTo(sent)).map(({ type }) => type)).toEqual(['event.sent']);
  });

  it('campaign_ids narrows it to those campaigns', async () => {
    const [one, other] = [await enrolment(), await enrolment()];
    const id = await webhook({ campaign_ids: [one.campaignId] });
    await record(eventOf(app, one, 'bounced'), eventOf(app, other, 'bounced'));
    expect((await toldTo(id)).map(({ data }) => data.campaign.id)).toEqual([one.campaignId]);
  });

  it('nothing is published to a disabled or deleted webhook', async () => {
    const [off, removed] = [await webhook(), await webhook()];
    await changeWebhook(app, caller, off, { is_enabled: false });
    await deleteWebhook(app, caller, removed);
    await record(eventOf(app, await enrolment(), 'bounced'));
    expect(await toldTo(off)).toEqual([]);
    expect(await toldTo(removed)).toEqual([]);
  });

  it('is written in the transaction of the event: both or neither', async () => {
    const id = await webhook();
    const who = await enrolment();
    const crash = app.db.tx(async (tx) => {
      await recordEvents(tx, [eventOf(app, who, 'bounced')]);
      expect(await tx.query(sql`select 1 from webhook_deliveries where webhook_id = ${id}`)).toHaveLength(1);
      throw new Error('crash');
    });
    await expect(crash).rejects.toThrow('crash');
    expect(await toldTo(id)).toEqual([]);
    expect(await app.db.query(sql`select 1 from events where enrolment_id = ${who.id}`)).toEqual([]);
  });
});

describe("Never somebody else's data", () => {
  it('a webhook hears of its own workspace alone', async () => {
    const elsewhere = await workspace(app);
    const id = await webhook({ types: ['event.bounced', 'account.paused', 'contact.suppressed'] }, operator(elsewhere));
    await record(eventOf(app, await enrolment(), 'bounced'));
    await suppressAddress(app, caller, { email: 'somebody@example.com', reason: null });
    await pauseAccount(app, caller, await insertAccount(app));
    expect(await toldTo(id)).toEqual([]);
  });

  it('it hears what its creator may see: shared, own, shared with them; an admin everything', async () => {
    const manager = await member(app, 'manager');
    const as = { ...caller, actor: 'user', role: 'manager', userId: manager.id, isInstallAdmin: false } as const;
    const [theirs, admins] = [await webhook({}, as), await webhook()];
    const shared = await enrolment();
    const own = await enrolment({ is_shared_to_all: false, created_by: manager.id }, { is_shared_to_all: false, created_by: manager.id });
    const hidden = await enrolment({ is_shared_to_all: false });
    const hiddenContact = await enrolment({}, { is_shared_to_all: false });
    const given = await enrolment({ is_shared_to_all: false });
    const now = app.clock.now();
    const share = { workspace_id: 1, resource_type: 'campaigns', resource_id: given.campaignId, user_id: manager.id, granted_at: now };
    await insertRow(app, 'shares', share);
    const all = [shared, own, hidden, hiddenContact, given];
    await record(...all.map((who) => eventOf(app, who, 'bounced')));
    const contactsOf = async (id: number) => (await toldTo(id)).map(({ data }) => data.contact.id);
    expect(await contactsOf(theirs)).toEqual([shared, own, given].map((who) => who.contactId));
    expect(await contactsOf(admins)).toEqual(all.map((who) => who.contactId));
  });

  it('a disabled creator hears nothing from that moment', async () => {
    const manager = await member(app, 'manager');
    const as = { ...caller, actor: 'user', role: 'manager', userId: manager.id, isInstallAdmin: false } as const;
    const id = await webhook({}, as);
    await app.db.query(sql`update users set disabled_at = ${app.clock.now()} where id = ${manager.id}`);
    await record(eventOf(app, await enrolment(), 'bounced'));
    expect(await toldTo(id)).toEqual([]);
    expect(await retireWebhooks(app)).toBe(1);
    expect(await getWebhook(app.db, caller, id)).toMatchObject({ is_enabled: false, disabled_reason: 'its creator was disabled' });
    expect(await retireWebhooks(app)).toBe(0);
  });
});

describe('Changes of state', () => {
  it('campaign.activated, paused, completed, reopened', async () => {
    const id = await webhook({ types: ['campaign.activated', 'campaign.paused', 'campaign.completed'] });
    const who = await enrolment({ status: 'draft', name: 'Autumn' });
    await activateCampaign(app, caller, who.campaignId, null);
    await pauseCampaign(app, caller, who.campaignId);
    await pauseCampaign(app, caller, who.campaignId);
    await activateCampaign(app, caller, who.campaignId, null);
    await app.db.query(sql`update enrolments set status = 'replied' where id = ${who.id}`);
    await completeFinishedCampaigns(app);
    const told = (await toldTo(id)).filter(({ data }) => data.campaign.id === who.campaignId);
    expect(told.map(({ type, data }) => `${type} ${data.campaign.status}`)).toEqual([
      'campaign.activated active',
      'campaign.paused paused',
      'campaign.activated active',
      'campaign.completed completed',
    ]);
    expect(told[0]?.data).toEqual({ campaign: { id: who.campaignId, name: 'Autumn', status: 'active' } });
  });

  it('campaign.reopened, when somebody is enrolled into a completed one', async () => {
    const id = await webhook({ types: ['campaign.reopened', 'event.enrolled'] });
    const who = await enrolment({ status: 'completed' });
    await enrol(app, caller, who.campaignId, { contact_ids: [await insertContact(app)] });
    expect((await toldTo(id)).map(({ type, data }) => `${type} ${data.campaign.status}`)).toEqual([
      'event.enrolled completed',
      'campaign.reopened active',
    ]);
  });

  it('account.paused with the reason, with the campaigns that stop, and account.resumed', async () => {
    const id = await webhook({ types: ['account.paused', 'account.resumed', 'campaign.paused', 'campaign.activated'] });
    const account = await insertAccount(app, { email: 'box@example.com' });
    await insertCampaign(app, { account_id: account });
    await pauseAccount(app, caller, account);
    await resumeAccount(app, caller, account);
    const told = await toldTo(id);
    expect(told.map(({ type }) => type)).toEqual(['account.paused', 'campaign.paused', 'account.resumed', 'campaign.activated']);
    expect(told[0]?.data).toEqual({
      account: { id: account, email: 'box@example.com', status: 'paused', pause_reason: 'manual', pause_message: null },
    });
  });

  it('task.due and task.done', async () => {
    const id = await webhook({ types: ['task.due', 'task.done'] });
    const campaign = await insertCampaign(app, {}, [{}, { kind: 'call' }]);
    const who = await insertEnrolment(app, campaign, { current_step: 2, last_sent_step: 1, due_at: app.clock.now() });
    await openDueCalls(app);
    const [due] = await toldTo(id);
    expect(due?.data).toMatchObject({
      task: {
        campaign_id: campaign,
        contact_id: who.contactId,
        step_order: 2,
        status: 'pending',
        note: null,
        due_at: '2026-07-07 12:00:00',
      },
      campaign: { id: campaign },
      contact: { id: who.contactId },
    });
    await closeCall(app, caller, due?.data.task.id, { outcome: 'done', note: 'spoke' });
    expect((await toldTo(id))[1]).toMatchObject({ type: 'task.done', data: { task: { status: 'done', note: 'spoke' } } });
  });

  it('contact.suppressed, once, with the contact where there is one', async () => {
    const id = await webhook({ types: ['contact.suppressed'] });
    const contact = await insertContact(app, { email: 'Gone@example.com' });
    await suppressAddress(app, caller, { email: 'gone@example.com', reason: 'asked' });
    await suppressAddress(app, caller, { email: 'gone@example.com', reason: 'again' });
    await suppressAddress(app, caller, { email: 'nobody@example.com', reason: null });
    const told = await toldTo(id);
    expect(told.map(({ data }) => [data.suppression.email, data.suppression.reason, data.contact?.id])).toEqual([
      ['gone@example.com', 'asked', contact],
      ['nobody@example.com', null, undefined],
    ]);
  });
});
