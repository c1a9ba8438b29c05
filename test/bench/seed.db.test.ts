import { expect, it } from 'vitest';
import { seedWorld } from '../../bench/world.ts';
import { operator } from '../../src/access/index.ts';
import { listContacts, listLists } from '../../src/contacts/index.ts';
import { sql } from '../../src/db/statement.ts';
import { listEvents } from '../../src/events/index.ts';
import { testInstallation } from '../support/database.ts';
import { numberFaults } from '../support/number-faults.ts';

it('a seeded world has exact counters, all its indexes, and nothing that points nowhere', async () => {
  const { app } = await testInstallation();
  const schema = () => app.db.query(sql`select indexdef from pg_indexes where schemaname = 'public' order by 1`);
  const before = await schema();
  const { big, small, manager } = await seedWorld(app, 200, 2_000);

  expect(await schema()).toEqual(before);
  expect(await numberFaults(app)).toEqual([]);
  const [wrong] = await app.db.query(sql`
    select (select count(*)::int from events e left join enrolments n on n.id = e.enrolment_id and n.contact_id = e.contact_id
              and n.campaign_id = e.campaign_id and n.workspace_id = e.workspace_id where n.id is null) as events,
      (select count(*)::int from enrolments n left join contacts c on c.id = n.contact_id and c.workspace_id = n.workspace_id
         left join campaigns k on k.id = n.campaign_id and k.workspace_id = n.workspace_id where c.id is null or k.id is null) as enrolments,
      (select count(*)::int from list_members m left join contacts c on c.id = m.contact_id where c.id is null) as members`);
  expect(wrong).toEqual({ events: 0, enrolments: 0, members: 0 });

  const page = { limit: 200, offset: 0 };
  for (const { workspaceId, contacts, events } of [big, small]) {
    const admin = operator(workspaceId, 1);
    const live = await listContacts(app.db, admin, { archived: false }, page);
    const archived = await listContacts(app.db, admin, { archived: true }, page);
    expect(live.data).toHaveLength(live.pagination.total);
    expect(live.pagination.total + archived.pagination.total).toBe(contacts);
    expect((await listEvents(app.db, admin, {}, page)).pagination.total).toBe(events);
    const lists = await listLists(app.db, admin, page);
    for (const { id, contact_count } of lists.data)
      expect(await app.db.query(sql`select 1 from list_members where list_id = ${id}`)).toHaveLength(contact_count);
  }
  // A tenth is private to somebody else.
  const seen = await listContacts(app.db, { ...operator(1, manager.id), role: 'manager' }, { archived: false }, page);
  expect(seen.data).toHaveLength(seen.pagination.total);
  expect(seen.pagination.total).toBe(171);
});
