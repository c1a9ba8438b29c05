import type { App } from '../../src/app.ts';
import { sql } from '../../src/db/statement.ts';
import type { ApiClient } from './api-client.ts';
import { type Ids, makeOneOfEach } from './one-of-each.ts';
import { member } from './people.ts';

/** The ids before those in the examples of the document. */
const BEFORE_EXAMPLES = {
  ...{ accounts: 2, campaigns: 6, steps: 10, contacts: 41, lists: 5, webhooks: 3, webhook_deliveries: 317 },
  ...{ users: 900_000, api_keys: 900_000, answers: 11 },
};

/**
 * Creates one of each thing in a fresh installation, with the ids, keys and addresses of the examples in the OpenAPI document. Needs
 * `webhooksAllowPrivate`. The key belongs to an admin; no example has the id of either.
 */
export async function makeExampleWorld(app: App, api: ApiClient): Promise<{ key: string; ids: Ids }> {
  const colleague = await member(app, 'manager', { email: 'colleague@example.com' });
  for (const [table, last] of Object.entries(BEFORE_EXAMPLES))
    await app.db.query(sql`select setval(pg_get_serial_sequence(${table}, 'id'), ${last})`);
  const { key, id } = await member(app, 'admin', { email: 'tester@example.com' });
  const tester = api.as(key);
  const ids = await makeOneOfEach(app, tester, 1, id);
  await app.db.query(sql`update accounts set email = 'zoe@example.com' where id = 3`);
  await tester.post('/custom-fields', { name: 'Favourite colour' });
  const { campaign_id } = (await tester.get(`/rotations/${ids.rotations}`)).body.members[0];
  await tester.post(`/campaigns/${campaign_id}/steps`, { subject: 'S', body_html: 'B' });
  await tester.post(`/campaigns/${campaign_id}/contacts`, { contact_ids: [ids.contacts] });
  await tester.post('/contacts', { email: 'grace@example.org' });
  return { key, ids: { ...ids, users: colleague.id } };
}
