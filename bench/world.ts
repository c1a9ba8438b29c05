import type { PoolClient } from 'pg';
import { createKey, operator } from '../src/access/index.ts';
import type { App } from '../src/app.ts';
import { sql } from '../src/db/statement.ts';
import { foldEvents } from '../src/events/index.ts';
import { bulkLoad } from './bulk-load.ts';
import { type SeededWorkspace, seedWorkspace } from './seed-workspace.ts';

/** A seeded installation: the big default workspace, a small one, and their users. */
export interface World {
  big: SeededWorkspace;
  small: SeededWorkspace;
  /** A manager of the big workspace who created nothing there and has no shares. */
  manager: { id: number; key: string };
}

const TABLES = ['contacts', 'list_members', 'suppressions', 'enrolments', 'events'];
const SMALL = { contacts: 20, events: 100 };
/** Further users of the big workspace besides the admin, the colleague and the manager. */
const PEOPLE = 200;

/**
 * Fills the default workspace with contacts and about this many events, and a new workspace with a few, whose rows come last in every
 * table: a statement that reads rows of other workspaces would read all of them. Counters are exact.
 */
export async function seedWorld(app: App, contacts: number, events: number): Promise<World> {
  const { colleague, manager, owner, smallWorkspace } = await seedPeople(app);
  const now = app.clock.now();
  const key = await app.db.tx((tx) => createKey(tx, app, operator(1, 1), { name: 'bench', userId: manager, workspaceId: 1 }));
  let [big, small]: (SeededWorkspace | undefined)[] = [];
  await bulkLoad(app.db.pool, TABLES, async (client) => {
    big = await seedWorkspace(client, { workspaceId: 1, owner: 1, colleague, contacts, events, now });
    small = await seedWorkspace(client, { workspaceId: smallWorkspace, owner, colleague: owner, ...SMALL, now });
    await count(client);
  });
  if (big === undefined || small === undefined) throw new Error('the seed ended early');
  await foldEvents(app);
  await app.db.query(sql`vacuum (analyze) campaigns, contact_counts, event_totals, domain_totals, users, memberships`);
  return { big, small, manager: { id: manager, key: key.key } };
}

async function seedPeople(app: App) {
  const now = app.clock.now();
  const stamp = `${process.pid}-${now.getTime()}`;
  const [workspace] = await app.db.query<{ id: number }>(
    sql`insert into workspaces (name, created_at, updated_at) values (${`Small ${stamp}`}, ${now}, ${now}) returning id`,
  );
  const people = await app.db.query<{ id: number }>(sql`
    insert into users (name, email, created_at, updated_at)
    select 'Person ' || n, 'person-' || n || ${`-${stamp}@example.com`}, ${now}, ${now} from generate_series(1, ${PEOPLE + 3}::int) n returning id`);
  const [colleague = 0, manager = 0, owner = 0, ...others] = people.map(({ id }) => id);
  const smallWorkspace = workspace?.id ?? 0;
  await app.db.query(sql`
    insert into memberships (workspace_id, user_id, role, created_at)
    select 1, unnest(${[colleague, manager]}::int[]), 'manager', ${now}::timestamptz
    union all select 1, unnest(${others}::int[]), 'view_only', ${now}
    union all select ${smallWorkspace}, ${owner}, 'admin', ${now}`);
  return { colleague, manager, owner, smallWorkspace };
}

/** Sets what triggers maintain. */
async function count(client: PoolClient): Promise<void> {
  await client.query(`
    delete from contact_counts;
    insert into contact_counts (workspace_id, is_archived, total)
      select workspace_id, is_archived, count(*) from contacts where deleted_at is null group by 1, 2`);
}
