import { beforeAll, describe, expect, it } from 'vitest';
import type { Caller } from '../../src/access/index.ts';
import type { App } from '../../src/app.ts';
import { campaignSearch } from '../../src/campaigns/index.ts';
import { listContacts } from '../../src/contacts/index.ts';
import { searchContacts } from '../../src/contacts/search/index.ts';
import { type Sql, sql } from '../../src/db/statement.ts';
import { type TestInstallation, testInstallation } from '../support/database.ts';
import { member } from '../support/people.ts';
import { insertCampaign } from '../support/rows.ts';

const CONTACTS = 26_000;

let installation: TestInstallation;
let app: App;
let manager: Caller;

beforeAll(async () => {
  installation = await testInstallation();
  app = installation.app;
  await app.db.query(sql`
    insert into contacts (workspace_id, name, email, is_archived, created_at, updated_at)
    select 1, case when i > 15000 then 'late' else 'early' end, 'c' || i || '@example.com', i % 100 = 0,
      timestamptz '2026-01-01' + i * interval '1 minute', timestamptz '2026-01-01'
    from generate_series(1, ${CONTACTS}::int) i order by i`);
  const campaignId = await insertCampaign(app);
  await app.db.query(sql`
    insert into enrolments (workspace_id, campaign_id, contact_id, created_at, updated_at)
    select 1, ${campaignId}::int, id, created_at, created_at from contacts where id % 2 = 0`);
  // The second campaign and some contacts are hidden from members who are not admins.
  const hiddenId = await insertCampaign(app, { is_shared_to_all: false, created_by: null });
  for (const [campaign, every] of [
    [campaignId, 4],
    [hiddenId, 10],
  ] as const)
    await app.db.query(sql`
      with enrolled as (
        insert into enrolments (workspace_id, campaign_id, contact_id, created_at, updated_at)
        select 1, ${campaign}::int, id, created_at, created_at from contacts where id % ${every}::int = 0
        on conflict (campaign_id, contact_id) do update set updated_at = excluded.updated_at returning id, contact_id
      )
      insert into events (workspace_id, campaign_id, contact_id, enrolment_id, type, step_order, at, in_feed, account_id, domain, day,
        counts_as, is_first_of_email, is_first_of_contact, is_of_first_email)
      select 1, ${campaign}::int, contact_id, id, type, 1, timestamptz '2026-02-01' + contact_id * interval '1 minute', true, 1, 'example.com', '2026-02-01',
        type, true, true, false
      from enrolled cross join (values ('sent', 1), ('opened', 3), ('clicked', 7)) t (type, each) where contact_id % each = 0`);
  // Most ids are in the order of time.
  await app.db.query(sql`update contacts set created_at = created_at + interval '9 days' where id % 5000 = 1234`);
  // Autovacuum would do this. The updates below fire triggers whose look-ups need the statistics.
  await app.db.query(sql`analyze`);
  const { id } = await member(app, 'manager');
  await app.db.query(sql`update contacts set is_shared_to_all = false where id % 11 = 0`);
  await app.db.query(sql`
    insert into shares (workspace_id, resource_type, resource_id, user_id, granted_at)
    select 1, 'contacts', id, ${id}::int, now() from contacts where id % 33 = 0`);
  manager = { ...installation.caller, userId: id, role: 'manager' };
});

const CASES: [string, Sql][] = [
  ['early', sql`name = 'early' and not is_archived`],
  ['name:late', sql`name = 'late' and not is_archived`],
  ['created:>=2026-01-12', sql`created_at >= '2026-01-12' and not is_archived`],
  ['created:>=2026-01-18', sql`created_at >= '2026-01-18' and not is_archived`],
  ['archived:any', sql`true`],
  ['archived:true', sql`is_archived`],
  ['campaign:*', sql`id % 2 = 0 and not is_archived`],
  ['campaign:* OR name:late', sql`(id % 2 = 0 or name = 'late') and not is_archived`],
  ['id:1..50 OR campaign:none', sql`(id between 1 and 50 or id % 2 = 1) and not is_archived`],
  ['campaign:* id:<=6000 OR id:>25990', sql`(id % 2 = 0 and id <= 6000 or id > 25990) and not is_archived`],
  ['nobody', sql`false`],
];

describe('a page and the exact total, however many there are', () => {
  it.each(CASES)('%s', async (query, condition) => {
    const rows = await app.db.query<{ id: number }>(sql`select id from contacts where ${condition} order by id`);
    const ids = rows.map(({ id }) => id);
    for (const [limit, offset] of [
      [50, 0],
      [200, 100],
      [10, 19_995],
      [50, ids.length - 3],
      [50, 100_000],
    ] as const) {
      const page = { limit, offset: Math.max(0, offset) };
      const { data, pagination } = await searchContacts(app, installation.caller, query, page, campaignSearch);
      expect(pagination).toEqual({ total: ids.length, ...page });
      expect(data.map(({ id }) => id)).toEqual(ids.slice(page.offset, page.offset + limit));
    }
  });
});

/** Condition: the contact was sent, opened or clicked an email, for an admin and for a member from whom a campaign is hidden. */
const happened = (each: number, isAdmin: boolean): Sql =>
  isAdmin ? sql`(id % ${each} = 0 and (id % 4 = 0 or id % 10 = 0))` : sql`(id % ${each} = 0 and id % 4 = 0)`;

const EVENT_CASES: [string, (isAdmin: boolean) => Sql][] = [
  ['opened:false', (isAdmin) => sql`not ${happened(3, isAdmin)}`],
  ['is:opened', (isAdmin) => happened(3, isAdmin)],
  ['sent:true opened:none', (isAdmin) => sql`${happened(1, isAdmin)} and not ${happened(3, isAdmin)}`],
  ['-(opened:yes OR clicked:*)', (isAdmin) => sql`not (${happened(3, isAdmin)} or ${happened(7, isAdmin)})`],
  ['clicked:true,no -replied:true', () => sql`true`],
  ['created:<2026-01-12', () => sql`created_at < '2026-01-12'`],
  [
    'created:2026-01-03,2026-01-05..2026-01-09',
    () => sql`created_at::date in ('2026-01-03', '2026-01-05', '2026-01-06', '2026-01-07', '2026-01-08', '2026-01-09')`,
  ],
  ['-created:2026-01-05 created:*', () => sql`created_at::date <> '2026-01-05'`],
  ['created:>2026-01-10T11:12:13Z opened:false', (isAdmin) => sql`created_at >= '2026-01-10 11:12:14' and not ${happened(3, isAdmin)}`],
  ['created:none OR created:>=2026-01-16 OR clicked:true', (isAdmin) => sql`(created_at >= '2026-01-16' or ${happened(7, isAdmin)})`],
];

describe('a page and the exact total of a search for events and days of creation', () => {
  it.each(EVENT_CASES)('%s', async (query, condition) => {
    for (const caller of [installation.caller, manager]) {
      const isAdmin = caller.role === 'admin';
      const seen = isAdmin ? sql`true` : sql`(id % 11 <> 0 or id % 33 = 0)`;
      const rows = await app.db.query<{ id: number }>(
        sql`select id from contacts where not is_archived and ${seen} and ${condition(isAdmin)} order by id`,
      );
      const ids = rows.map((row) => row.id);
      expect(ids.length).toBeGreaterThan(1_000);
      for (const offset of [0, 777, ids.length - 3, 100_000]) {
        const { data, pagination } = await searchContacts(app, caller, query, { limit: 50, offset }, campaignSearch);
        expect({ caller: caller.role, offset, total: pagination.total }).toEqual({ caller: caller.role, offset, total: ids.length });
        expect(data.map((row) => row.id)).toEqual(ids.slice(offset, offset + 50));
      }
    }
  });
});

it('a page far into all contacts is the one that a scan finds', async () => {
  for (const caller of [installation.caller, manager])
    for (const archived of [false, true]) {
      const seen = caller === manager ? sql`(id % 11 <> 0 or id % 33 = 0)` : sql`true`;
      const rows = await app.db.query<{ id: number }>(sql`select id from contacts where is_archived = ${archived} and ${seen} order by id`);
      for (const offset of [10_000, 20_123, rows.length - 2, rows.length]) {
        if (offset < 10_000) continue;
        const { data, pagination } = await listContacts(app.db, caller, { archived }, { limit: 200, offset });
        expect(data.map(({ id }) => id)).toEqual(rows.slice(offset, offset + 200).map(({ id }) => id));
        expect(pagination.total).toBe(rows.length);
      }
    }
});
