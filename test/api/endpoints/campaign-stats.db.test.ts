import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { App } from '../../../src/app.ts';
import { sql } from '../../../src/db/statement.ts';
import { type NewEvent, recordEvents } from '../../../src/events/index.ts';
import { type Daemon, startDaemon } from '../../../src/main/daemon.ts';
import { type ApiClient, apiClient } from '../../support/api-client.ts';
import { testInstallation } from '../../support/database.ts';
import { member, workspace } from '../../support/people.ts';
import { eventOf, insertCampaign, insertContact, insertEnrolment } from '../../support/rows.ts';

let app: App;
let daemon: Daemon;
let admin: ApiClient;

beforeAll(async () => {
  const installation = await testInstallation();
  app = installation.app;
  daemon = await startDaemon(app, { worker: false, databaseUrl: installation.databaseUrl });
  admin = apiClient(daemon.url ?? '', installation.adminKey);
});
afterAll(() => daemon?.stop());

const log = (...events: NewEvent[]) => app.db.tx((tx) => recordEvents(tx, events));

describe('Campaign stats', () => {
  it('GET /campaigns/{id}/stats has exactly contacts, steps, sent, opened, clicked, replied, bounced, failed; all 0 at first', async () => {
    const campaign = await insertCampaign(app, {}, []);
    const { status, body } = await admin.get(`/campaigns/${campaign}/stats`);
    expect(status).toBe(200);
    expect(body).toEqual({ contacts: 0, steps: 0, sent: 0, opened: 0, clicked: 0, replied: 0, bounced: 0, failed: 0 });
  });

  it('sent counts mails; the others count distinct contacts', async () => {
    const campaign = await insertCampaign(app, {}, [{}, {}, {}]);
    const [ada, bob] = [await insertEnrolment(app, campaign), await insertEnrolment(app, campaign)];
    for (const stepOrder of [1, 2, 3]) {
      await log(
        eventOf(app, ada, 'sent', { stepOrder }),
        eventOf(app, ada, 'opened', { stepOrder }),
        eventOf(app, ada, 'failed', { stepOrder }),
      );
      await log(eventOf(app, ada, 'clicked', { stepOrder, url: 'https://example.com' }), eventOf(app, ada, 'opened', { stepOrder }));
    }
    await log(eventOf(app, bob, 'sent'), eventOf(app, bob, 'opened'), eventOf(app, bob, 'bounced'), eventOf(app, bob, 'unsubscribed'));
    await log(eventOf(app, ada, 'replied'), eventOf(app, ada, 'replied'));
    const { body } = await admin.get(`/campaigns/${campaign}/stats`);
    expect(body).toEqual({ contacts: 0, steps: 3, sent: 4, opened: 2, clicked: 1, replied: 1, bounced: 1, failed: 1 });
  });

  it('steps counts the live steps', async () => {
    const campaign = await insertCampaign(app, {}, [{}, {}]);
    await app.db.query(sql`update steps set deleted_at = now() where campaign_id = ${campaign} and step_order = 2`);
    expect((await admin.get(`/campaigns/${campaign}/stats`)).body.steps).toBe(1);
  });

  it('a campaign that is missing, deleted, hidden or of another workspace answers 404', async () => {
    const stranger = await member(app, 'manager');
    const hidden = await insertCampaign(app, { is_shared_to_all: false });
    const foreign = await insertCampaign(app, { workspace_id: await workspace(app) });
    const deleted = await insertCampaign(app, { deleted_at: app.clock.now() });
    for (const id of [999_999, foreign, deleted]) expect((await admin.get(`/campaigns/${id}/stats`)).status).toBe(404);
    expect((await admin.as(stranger.key).get(`/campaigns/${hidden}/stats`)).status).toBe(404);
    expect((await admin.get(`/campaigns/${hidden}/stats`)).status).toBe(200);
  });

  it('D1.1: everybody who may open a campaign sees the same numbers; hidden contacts are hidden in its list', async () => {
    const [owner, friend, stranger] = [await member(app, 'manager'), await member(app, 'manager'), await member(app, 'view_only')];
    const campaign = await insertCampaign(app);
    const path = `/campaigns/${campaign}`;
    const contact = await insertContact(app, { is_shared_to_all: false, created_by: owner.id });
    await admin.post(`${path}/contacts`, { contact_ids: [contact, await insertContact(app)] });
    const [hidden] = await app.db.query<{ id: number }>(
      sql`select id from enrolments where campaign_id = ${campaign} and contact_id = ${contact}`,
    );
    const enrolled = { id: hidden?.id ?? 0, campaignId: campaign, contactId: contact };
    await log(
      ...(['sent', 'sent', 'opened', 'clicked', 'replied', 'bounced', 'failed'] as const).map((type) => eventOf(app, enrolled, type)),
    );
    await admin.post(`/contacts/${contact}/shares`, { user_id: friend.id });
    const all = { contacts: 2, steps: 1, sent: 2, opened: 1, clicked: 1, replied: 1, bounced: 1, failed: 1 };
    const seen = admin.as(stranger.key);
    for (const api of [admin, admin.as(owner.key), admin.as(friend.key), seen]) {
      expect((await api.get(`${path}/stats`)).body).toEqual(all);
      expect((await api.get(path)).body.contact_count).toBe(2);
    }
    expect((await seen.get('/campaigns?limit=200')).body.data).toContainEqual(expect.objectContaining({ id: campaign, contact_count: 2 }));
    expect((await admin.as(friend.key).get(`${path}/contacts`)).body.pagination.total).toBe(2);
    expect((await seen.get(`${path}/contacts`)).body.pagination.total).toBe(1);
  });

  it('a query parameter that it does not know gives 400', async () => {
    const campaign = await insertCampaign(app);
    expect((await admin.get(`/campaigns/${campaign}/stats?type=sent`)).status).toBe(400);
  });
});
