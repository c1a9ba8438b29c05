import { expect, it } from 'vitest';
import { migrations } from '../../migrations/index.ts';
import { openDatabase } from '../../src/db/database.ts';
import { migrateDown, migrateUp } from '../../src/db/migrate.ts';
import type { MigrationScript } from '../../src/db/migrator.ts';
import { sql } from '../../src/db/statement.ts';
import { entities } from '../../src/main/entities.ts';
import { testInstallation } from '../support/database.ts';

/** Writes down what holds while it runs. */
const noted = {
  name: '9001-noted',
  up: `create table noted as select current_setting('statement_timeout') as a_statement,
    current_setting('idle_in_transaction_session_timeout') as a_pause`,
  down: 'drop table noted',
};
const broken = { name: '9002-broken', up: 'create table half (id integer); select 1 / 0', down: 'drop table half' };

const { app, databaseUrl } = await testInstallation();

async function withMigrations<Result>(
  more: readonly MigrationScript[],
  work: (next: Pick<typeof app, 'db'>) => Promise<Result>,
): Promise<Result> {
  const db = await openDatabase(databaseUrl, app.log, {
    migrations: [...migrations, ...more],
    entities: async () => entities,
  });
  try {
    return await work({ db });
  } finally {
    await db.close();
  }
}

const exists = async (table: string) => (await app.db.query(sql`select to_regclass(${table}) is not null as yes`))[0]?.yes;

it('a migration may take as long as it takes: an index over millions of rows is no statement of a minute', async () => {
  await withMigrations([noted], async (next) => {
    expect(await migrateUp(next)).toEqual(['9001-noted']);
    expect(await app.db.query(sql`select * from noted`)).toEqual([{ a_statement: '0', a_pause: '0' }]);
    expect(await next.db.query(sql`show statement_timeout`)).toEqual([{ statement_timeout: '1min' }]);
    expect(await migrateDown(next)).toBe('9001-noted');
    expect(await exists('noted')).toBe(false);
  });
});

it('several run all or none', async () => {
  await withMigrations([noted, broken], async (next) => {
    await expect(migrateUp(next)).rejects.toThrow('migration 9002-broken failed (division by zero); nothing was changed');
    expect([await exists('noted'), await exists('half')]).toEqual([false, false]);
    expect(await app.db.query(sql`select 1 from mikro_orm_migrations where name like '9%'`)).toEqual([]);
  });
});

/** Every column, index, constraint, trigger and function, as PostgreSQL prints it. */
const schema = () =>
  app.db.query(sql`
    select attrelid::regclass || ' ' || attname || ' ' || format_type(atttypid, atttypmod) || ' ' || attnotnull || ' ' || attidentity::text || ' '
      || coalesce(pg_get_expr(adbin, adrelid), '') as definition
      from pg_attribute join pg_class c on c.oid = attrelid and relkind = 'r' and relnamespace = 'public'::regnamespace
      left join pg_attrdef on adrelid = attrelid and adnum = attnum where attnum > 0 and not attisdropped
    union all select indexdef from pg_indexes where schemaname = 'public'
    union all select conrelid::regclass || ' ' || conname || ' ' || pg_get_constraintdef(oid) from pg_constraint
      where connamespace = 'public'::regnamespace
    union all select tgrelid::regclass || ' ' || pg_get_triggerdef(oid) from pg_trigger where not tgisinternal
    union all select oid::regprocedure || ' ' || prosrc from pg_proc where pronamespace = 'public'::regnamespace and prolang <> 13
    order by 1`);

it('each can be taken back, and then runs again and makes the same', async () => {
  const names = migrations.map(({ name }) => name);
  const before = await schema();
  const undone = [];
  for (let name = await migrateDown(app); name !== undefined; name = await migrateDown(app)) undone.push(name);
  expect(undone).toEqual(names.toReversed());
  expect(await app.db.query(sql`select tablename from pg_tables where schemaname = 'public' order by 1`)).toEqual(
    expect.not.arrayContaining([{ tablename: 'workspaces' }]),
  );
  expect(await migrateUp(app)).toEqual(names);
  expect(await schema()).toEqual(before);
  expect(before.length).toBeGreaterThan(500);
});

it('refuses a database of before 1.0.0, which lacks what this program has and has what no version has', async () => {
  const last = migrations.at(-1)?.name;
  await app.db.query(sql`update mikro_orm_migrations set name = '0126-domain-quarters' where name = ${last}`);
  await expect(migrateUp(app)).rejects.toThrow('made by a version before 1.0.0');
  await expect(migrateDown(app)).rejects.toThrow('made by a version before 1.0.0');
  await app.db.query(sql`update mikro_orm_migrations set name = ${last} where name = '0126-domain-quarters'`);
});
