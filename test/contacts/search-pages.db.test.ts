import { beforeAll, describe, expect, it } from 'vitest';
import type { App } from '../../src/app.ts';
import { campaignSearch } from '../../src/campaigns/index.ts';
import { searchContacts } from '../../src/contacts/search/index.ts';
import { type Sql, sql } from '../../src/db/statement.ts';
import { type TestInstallation, testInstallation } from '../support/database.ts';
import { insertCampaign } from '../support/rows.ts';

/** More than are found in one go (10,000) and more than are walked through (20,000). */
const MANY = 26_000;

let installation: TestInstallation;
let app: App;

beforeAll(async () => {
  installation = await testInstallation();
  app = installation.app;
  await app.db.query(sql`
    insert into contacts (workspace_id, name, email, is_archived, created_at, updated_at)
    select 1, case when i > 15000 then 'late' else 'early' end, 'c' || i || '@example.com', i % 100 = 0,
      timestamptz '2026-01-01' + i * interval '1 minute', timestamptz '2026-01-01'
    from generate_series(1, ${MANY}::int) i order by i`);
  const campaignId = await insertCampaign(app);
  await app.db.query(sql`
    insert into enrolments (workspace_id, campaign_id, contact_id, created_at, updated_at)
    select 1, ${campaignId}::int, id, created_at, created_at from contacts where id % 2 = 0`);
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
