import { loadConfig } from '../src/config.ts';
import { type Queryable, sql } from '../src/db.ts';
import { openRuntime } from '../src/runtime.ts';

/**
 * Puts that many contacts into the default workspace. The server makes them itself (generate_series), which is faster
 * than COPY because nothing travels; counters are kept by the same triggers as always.
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
  const count = Number(process.argv[2] ?? 100_000);
  if (!Number.isInteger(count) || count < 1)
    throw new Error('usage: node bench/seed.ts [CONTACTS]   (into OUTREACH_DATA_DIR or DATABASE_URL)');
  const runtime = await openRuntime(loadConfig());
  await seedContacts(runtime.app.db, count, `seed-${process.pid}`);
  console.log(`${count} contacts are in the default workspace of ${runtime.app.config.dataDir}`);
  await runtime.close();
}
