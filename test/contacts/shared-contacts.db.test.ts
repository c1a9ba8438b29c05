import { expect, it } from 'vitest';
import { seenBlocks } from '../../src/contacts/index.ts';
import { type Sql, sql } from '../../src/db/statement.ts';
import { testInstallation } from '../support/database.ts';
import { member } from '../support/people.ts';
import { type PlanNode, rowsIn } from '../support/plan-rows.ts';

const { app, caller } = await testInstallation();

it('what was shared with a member is looked up by its key, though no statistics tell how much is private', async () => {
  const [hidden, shared] = [2_000, 400];
  await app.db.query(sql`alter table contacts set (autovacuum_enabled = off)`);
  await app.db.query(sql`
    insert into contacts (workspace_id, name, email, is_shared_to_all, created_at, updated_at)
    select 1, '', i || '@example.org', false, now(), now() from generate_series(1, ${hidden}::int) i`);
  const { id } = await member(app, 'manager');
  await app.db.query(sql`
    insert into shares (workspace_id, resource_type, resource_id, user_id, granted_at)
    select 1, 'contacts', id, ${id}::int, now() from contacts limit ${shared}`);
  const rowsOf = async (statement: Sql) => {
    const [row] = await app.db.query<{ 'QUERY PLAN': { Plan: PlanNode }[] }>(sql`explain (analyze, timing off, format json) ${statement}`);
    return rowsIn(row?.['QUERY PLAN'][0]?.Plan as PlanNode);
  };
  // Each share, its contact, and the steps that pass them on.
  expect(await rowsOf(seenBlocks({ ...caller, userId: id, role: 'manager' }))).toBeLessThan(10 * shared);
});
