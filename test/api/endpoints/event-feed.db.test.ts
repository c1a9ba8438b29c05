import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { App } from '../../../src/app.ts';
import { HOUR, SECOND } from '../../../src/core/clock.ts';
import { sql } from '../../../src/db/statement.ts';
import { type NewEvent, recordEvents } from '../../../src/events/index.ts';
import { type Daemon, startDaemon } from '../../../src/main/daemon.ts';
import { type ApiClient, apiClient } from '../../support/api-client.ts';
import { testInstallation } from '../../support/database.ts';
import { member, workspace } from '../../support/people.ts';
import { type Enrolled, eventOf, insertCampaign, insertContact, insertEnrolment } from '../../support/rows.ts';

type Person = Awaited<ReturnType<typeof member>>;

let app: App;
let daemon: Daemon;
let admin: ApiClient;
let owner: Person;
let friend: Person;
let stranger: Person;
/** Shared to all; private to the owner; and one of another workspace. */
let open: number;
let secret: number;
let foreign: number;
let ada: Enrolled;
let bob: Enrolled;
/** A private contact of the owner, shared with the friend, in the open campaign. */
let cleo: Enrolled;

const log = (...events: NewEvent[]) => app.db.tx((tx) => recordEvents(tx, events));
const minutesAgo = (minutes: number) => new Date(app.clock.now().getTime() - minutes * 60 * SECOND);

beforeAll(async () => {
  const installation = await testInstallation();
  app = installation.app;
  daemon = await startDaemon(app, { worker: false, databaseUrl: installation.databaseUrl });
  admin = apiClient(daemon.url ?? '', installation.adminKey);
  [owner, friend, stranger] = [await member(app, 'manager'), await member(app, 'manager'), await member(app, 'view_only')];
  open = await insertCampaign(app);
  secret = await insertCampaign(app, { is_shared_to_all: false, created_by: owner.id });
  const elsewhere = await workspace(app);
  foreign = await insertCampaign(app, { workspace_id: elsewhere });
  ada = await insertEnrolment(app, open);
  bob = await insertEnrolment(app, secret);
  const hidden = await insertContact(app, { is_shared_to_all: false, created_by: owner.id });
  cleo = await insertEnrolment(app, open, { contact_id: hidden });
  await app.db.query(sql`
    insert into shares (workspace_id, resource_type, resource_id, user_id, granted_at) values (1, 'contacts', ${hidden}, ${friend.id}, now())`);
  const outsider = await insertEnrolment(app, foreign, {
    workspace_id: elsewhere,
    contact_id: await insertContact(app, { workspace_id: elsewhere }),
  });
  await log(
    eventOf(app, ada, 'enrolled', { at: minutesAgo(50) }),
    eventOf(app, ada, 'sent', { at: minutesAgo(40) }),
    eventOf(app, bob, 'sent', { at: minutesAgo(30) }),
    eventOf(app, ada, 'clicked', { at: minutesAgo(20), url: 'https://example.com/a?b=1' }),
    eventOf(app, cleo, 'sent', { at: minutesAgo(10) }),
    eventOf(app, ada, 'replied', { at: minutesAgo(5), stepOrder: 2, details: { snippet: 'Hello' } }),
    eventOf(app, outsider, 'sent', { workspaceId: elsewhere }),
  );
});
afterAll(() => daemon?.stop());

// biome-ignore lint/suspicious/noExplicitAny: rows of any answer
const brief = (answer: { body: any }) => answer.body.data.map((row: any) => `${row.type} ${row.contact_id}`);

describe('Event feed', () => {
  it('GET /events gives records with exactly the fields of the reference, newest first, across all campaigns', async () => {
    const { status, body } = await admin.get('/events');
    expect(status).toBe(200);
    expect(body.pagination).toEqual({ total: 6, limit: 50, offset: 0 });
    expect(body.data[0]).toEqual({
      ...{ id: expect.any(Number), campaign_id: open, contact_id: ada.contactId, type: 'replied', step_order: 2, url: null },
      timestamp: '2026-07-07 11:55:00',
    });
    expect(brief({ body })).toEqual([
      `replied ${ada.contactId}`,
      `sent ${cleo.contactId}`,
      `clicked ${ada.contactId}`,
      `sent ${bob.contactId}`,
      `sent ${ada.contactId}`,
      `enrolled ${ada.contactId}`,
    ]);
  });

  it('url is filled for clicks and null for everything else', async () => {
    const { body } = await admin.get('/events');
    for (const row of body.data) expect(row.url).toBe(row.type === 'clicked' ? 'https://example.com/a?b=1' : null);
  });

  it.each([
    ['type=sent', 3],
    ['type=clicked', 1],
    ['type=bounced', 0],
    ['since=2026-07-07T11:30:00Z', 4],
    ['since=2026-07-07T13:30:00%2B02:00', 4],
    ['since=2026-07-07 11:30:00', 4],
    ['since=2026-07-07T11:30:00.001Z', 3],
    ['type=sent&since=2026-07-07T11:30:00Z', 2],
  ])('filters by %s', async (query, total) => {
    const { body } = await admin.get(`/events?${query}`);
    expect(body.pagination.total).toBe(total);
    expect(body.data).toHaveLength(total);
  });

  it('filters by campaign_id and contact_id, alone and together', async () => {
    expect(brief(await admin.get(`/events?campaign_id=${secret}`))).toEqual([`sent ${bob.contactId}`]);
    expect(brief(await admin.get(`/events?contact_id=${cleo.contactId}`))).toEqual([`sent ${cleo.contactId}`]);
    const both = await admin.get(`/events?campaign_id=${open}&contact_id=${bob.contactId}`);
    expect(both.body).toEqual({ data: [], pagination: { total: 0, limit: 50, offset: 0 } });
  });

  it.each([
    'since=2026-07-07',
    'since=2026-07-07T11:30:00',
    'since=yesterday',
    'since=2026-02-30T00:00:00Z',
    'type=delivered',
    'type=',
    'campaign_id=x',
    'campaign_id=0',
    'contact_id=1.5',
    'limit=0',
    'limit=201',
    'limit=5x',
    'offset=-1',
    'workspace_id=1',
  ])('a bad query parameter gives 400 invalid_request: %s', async (query) => {
    const { status, body } = await admin.get(`/events?${query}`);
    expect(status).toBe(400);
    expect(body.error.code).toBe('invalid_request');
    expect(body.error.message).toContain(query.split('=')[0]);
  });

  it('limit and offset page through without gaps, also past the end', async () => {
    const seen: number[] = [];
    for (let offset = 0; offset < 6; offset += 2) {
      const { body } = await admin.get(`/events?limit=2&offset=${offset}`);
      expect(body.pagination).toEqual({ total: 6, limit: 2, offset });
      seen.push(...body.data.map((row: { id: number }) => row.id));
    }
    expect(new Set(seen).size).toBe(6);
    expect((await admin.get('/events?offset=6')).body.data).toEqual([]);
    expect((await admin.get(`/events?offset=999999999999999`)).body).toMatchObject({ data: [], pagination: { total: 6 } });
  });

  it('events of the same instant come by id, newest first', async () => {
    const campaign = await insertCampaign(app);
    const enrolment = await insertEnrolment(app, campaign);
    await log(...[...Array(5)].map((_, index) => eventOf(app, enrolment, 'opened', { stepOrder: index + 1 })));
    const { body } = await admin.get(`/events?campaign_id=${campaign}`);
    expect(body.data.map((row: { step_order: number }) => row.step_order)).toEqual([5, 4, 3, 2, 1]);
    await app.db.query(sql`update campaigns set deleted_at = now() where id = ${campaign}`);
  });

  it('shows only campaigns that the key can see, and hides what is logged of contacts that it cannot; totals agree', async () => {
    const totals = async (person: Person, query = '') => {
      const { body } = await admin.as(person.key).get(`/events?limit=200&${query}`);
      expect(body.pagination.total).toBe(body.data.length);
      return body.data.length;
    };
    expect(await totals(owner)).toBe(6);
    expect(await totals(friend)).toBe(5);
    expect(await totals(stranger)).toBe(4);
    expect(await totals(stranger, 'type=sent')).toBe(1);
    expect(await totals(friend, 'type=sent')).toBe(2);
    expect(await totals(friend, `campaign_id=${secret}`)).toBe(0);
    expect(await totals(friend, `contact_id=${cleo.contactId}`)).toBe(1);
    expect(await totals(stranger, `contact_id=${cleo.contactId}`)).toBe(0);
    expect(await totals(stranger, 'since=2026-07-07T00:00:00Z')).toBe(4);
  });

  it('what belongs to a deleted contact or campaign disappears, and comes back when it is restored', async () => {
    const total = async () => {
      const { body } = await admin.get('/events');
      expect(body.pagination.total).toBe(body.data.length);
      return body.pagination.total;
    };
    const before = await total();
    await app.db.query(sql`update contacts set deleted_at = now() where id = ${ada.contactId}`);
    expect(await total()).toBe(before - 4);
    await app.db.query(sql`update campaigns set deleted_at = now() where id = ${secret}`);
    expect(await total()).toBe(before - 5);
    await app.db.query(sql`update contacts set deleted_at = null where id = ${ada.contactId}`);
    await app.db.query(sql`update campaigns set deleted_at = null where id = ${secret}`);
    expect(await total()).toBe(before);
  });
});

describe("A campaign's events", () => {
  it('GET /campaigns/{id}/events gives records without campaign_id, newest first', async () => {
    const { status, body } = await admin.get(`/campaigns/${open}/events`);
    expect(status).toBe(200);
    expect(body.pagination).toEqual({ total: 5, limit: 50, offset: 0 });
    expect(body.data[0]).toEqual({
      ...{ id: expect.any(Number), contact_id: ada.contactId, type: 'replied', step_order: 2, url: null },
      timestamp: '2026-07-07 11:55:00',
    });
  });

  it('filters by type', async () => {
    expect(brief(await admin.get(`/campaigns/${open}/events?type=sent`))).toEqual([`sent ${cleo.contactId}`, `sent ${ada.contactId}`]);
  });

  it.each([
    '',
    '?type=nonsense',
    '?limit=0',
  ])('a campaign that is missing, foreign or hidden answers 404 before 400 (query "%s")', async (query) => {
    for (const id of [999_999, foreign]) expect((await admin.get(`/campaigns/${id}/events${query}`)).status).toBe(404);
    expect((await admin.as(stranger.key).get(`/campaigns/${secret}/events${query}`)).status).toBe(404);
  });

  it('a bad type gives 400 where the campaign can be seen', async () => {
    expect((await admin.get(`/campaigns/${open}/events?type=nonsense`)).status).toBe(400);
    expect((await admin.get(`/campaigns/${open}/events?since=2026-07-07T00:00:00Z`)).status).toBe(400);
  });
});

describe('the log under several writers', () => {
  it('loses no event and no count when many are logged at once, over several campaigns in any order', async () => {
    const campaigns = [await insertCampaign(app), await insertCampaign(app), await insertCampaign(app)];
    const enrolments = await Promise.all(campaigns.map((campaign) => insertEnrolment(app, campaign)));
    const before = (await admin.get('/events')).body.pagination.total;
    const at = new Date(app.clock.now().getTime() - HOUR);
    await Promise.all(
      [...Array(20)].map((_, turn) => {
        const events = enrolments.flatMap((enrolment) => [
          eventOf(app, enrolment, 'sent', { at }),
          eventOf(app, enrolment, 'opened', { at }),
        ]);
        return log(...(turn % 2 === 0 ? events : events.toReversed()));
      }),
    );
    expect((await admin.get('/events')).body.pagination.total).toBe(before + 120);
    for (const campaign of campaigns) expect((await admin.get(`/campaigns/${campaign}/stats`)).body).toMatchObject({ sent: 20, opened: 1 });
  });
});
