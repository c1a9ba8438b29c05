import { loadConfig } from '../src/core/config.ts';
import { type Queryable, sql } from '../src/db/statement.ts';
import { openRuntime } from '../src/main/runtime.ts';
import { seedWorld } from './world.ts';

/**
 * Adds contacts to the default workspace. The server generates them (generate_series); the usual triggers keep the counters.
 */
export async function seedContacts(db: Queryable, count: number, prefix = 'contact'): Promise<void> {
  await db.query(sql`
    insert into contacts (workspace_id, name, email, company, custom_fields, created_by, created_at, updated_at)
    select 1, (array['Ada','Grace','Alan','Edsger','Barbara','Donald','Tony'])[1 + i % 7] || ' ' || to_hex(i),
      ${prefix}::text || '-' || i || '@' || to_hex(i % 5003) || '.example', 'Company ' || i % 20011,
      jsonb_build_object('city', 'City ' || i % 1009), (select min(user_id) from memberships where workspace_id = 1), now(), now()
    from generate_series(1, ${count}::int) i`);
  await db.query(sql`analyze`);
}

if (import.meta.main) {
  const [contacts = 100_000, events = contacts * 10] = process.argv.slice(2).map(Number);
  if (![contacts, events].every((count) => Number.isInteger(count) && count >= 10))
    throw new Error('usage: node bench/seed.ts [CONTACTS [EVENTS]]   (into OUTREACH_DATA_DIR or DATABASE_URL)');
  const runtime = await openRuntime(loadConfig(), { poolSize: 2 });
  const begin = performance.now();
  const { big } = await seedWorld(runtime.app, contacts, events);
  const seconds = Math.round((performance.now() - begin) / 1_000);
  console.log(
    `${big.contacts} contacts and ${big.events} events are in the default workspace of ${runtime.app.config.dataDir} (${seconds} s)`,
  );
  await runtime.close();
}
