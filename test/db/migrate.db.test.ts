import { Migration } from '@mikro-orm/migrations';
import { expect, it } from 'vitest';
import { migrations } from '../../migrations/index.ts';
import { openDatabase } from '../../src/db/database.ts';
import type { OrmOptions } from '../../src/db/entity-manager.ts';
import { migrateDown, migrateUp } from '../../src/db/migrate.ts';
import { sql } from '../../src/db/statement.ts';
import { ormOptions } from '../../src/main/orm-options.ts';
import { testInstallation } from '../support/database.ts';

/** Writes down what holds while it runs. */
class Noted extends Migration {
  override up(): void {
    this.addSql(`create table noted as select current_setting('statement_timeout') as a_statement,
      current_setting('idle_in_transaction_session_timeout') as a_pause`);
  }

  override down(): void {
    this.addSql('drop table noted');
  }
}

class Broken extends Migration {
  override up(): void {
    this.addSql('create table half (id integer)');
    this.addSql('select 1 / 0');
  }
}

const { app, databaseUrl } = await testInstallation();

async function withMigrations<Result>(
  more: OrmOptions['migrations'],
  work: (next: Pick<typeof app, 'db'>) => Promise<Result>,
): Promise<Result> {
  const db = await openDatabase(databaseUrl, app.log, {
    migrations: [...migrations, ...more].map(({ name }) => name),
    ormOptions: async () => ({ ...ormOptions, migrations: [...migrations, ...more] }),
  });
  try {
    return await work({ db });
  } finally {
    await db.close();
  }
}

const exists = async (table: string) => (await app.db.query(sql`select to_regclass(${table}) is not null as yes`))[0]?.yes;

it('a migration may take as long as it takes: an index over millions of rows is no statement of a minute', async () => {
  await withMigrations([{ name: '9001-noted', class: Noted }], async (next) => {
    expect(await migrateUp(next)).toEqual(['9001-noted']);
    expect(await app.db.query(sql`select * from noted`)).toEqual([{ a_statement: '0', a_pause: '0' }]);
    expect(await next.db.query(sql`show statement_timeout`)).toEqual([{ statement_timeout: '1min' }]);
    expect(await migrateDown(next)).toBe('9001-noted');
    expect(await exists('noted')).toBe(false);
  });
});

it('several run all or none', async () => {
  const more = [
    { name: '9001-noted', class: Noted },
    { name: '9002-broken', class: Broken },
  ];
  await withMigrations(more, async (next) => {
    await expect(migrateUp(next)).rejects.toThrow('division by zero');
    expect([await exists('noted'), await exists('half')]).toEqual([false, false]);
    expect(await app.db.query(sql`select 1 from mikro_orm_migrations where name like '9%'`)).toEqual([]);
  });
});
