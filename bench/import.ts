import { createReadStream, createWriteStream, statSync } from 'node:fs';
import { join } from 'node:path';
import { Readable } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import { from as copyFrom } from 'pg-copy-streams';
import { operator } from '../src/access/index.ts';
import { importContacts } from '../src/contacts/import/index.ts';
import { createCustomField } from '../src/contacts/index.ts';
import { sql } from '../src/db/statement.ts';
import { cpuOfTree } from './cpu.ts';
import { type BenchInstallation, benchInstallation } from './installation.ts';
import type { Measurement } from './measure.ts';

const MEGABYTE = 1_000_000;

interface Ceiling {
  name: string;
  load(installation: BenchInstallation, path: string): Promise<void>;
}

/** COPY of the same file. It detects no delimiter, encoding or columns, checks no addresses, and fails at the first duplicate. */
const copy: Ceiling = {
  name: '',
  load: ({ app }, path) =>
    app.db.bulk(async (tx) => {
      const rows = tx.client.query(copyFrom('copy loaded (email, name, company, city) from stdin (format csv, header)'));
      await pipeline(createReadStream(path), rows);
    }),
};

/** INSERT … SELECT of rows that are already in the database, in the form in which it stores contacts. */
const insert: Ceiling = {
  name: '-insert',
  load: ({ app }) =>
    app.db.bulk(async (tx) => {
      await tx.query(sql`insert into loaded (email, name, company, custom_fields) select email, name, company, custom_fields from ready`);
    }),
};

/** `contact import` of a file, against PostgreSQL's two ways of loading a table with the same checks and columns as `contacts`. */
export const importRows: readonly Measurement[] = [1_000_000, 300_000].flatMap((rows) =>
  [copy, insert].map((ceiling) => importRow(`import${rows === 300_000 ? '-300k' : ''}${ceiling.name}`, rows, ceiling)),
);

function importRow(name: string, rows: number, ceiling: Ceiling): Measurement {
  return {
    name,
    unit: 'rows/s',
    rounds: 1,
    async prepare() {
      const installation = await benchInstallation();
      const file = join(installation.dataDir, 'contacts.csv');
      await pipeline(Readable.from(lines(rows)), createWriteStream(file));
      await createCustomField(installation.app, operator(1), { name: 'City', field_type: 'text' });
      await prepareTables(installation, file);
      let grown = 0;
      const spent = { ours: '', ceiling: '' };
      const timed = (side: keyof typeof spent, load: () => Promise<void>) =>
        rowsPerSecond(installation, rows, load, (cpu) => {
          spent[side] = cpu;
        });
      return {
        ours: () =>
          timed('ours', async () => {
            grown = await importAll(installation, file, rows);
          }),
        ceiling: () => timed('ceiling', () => ceiling.load(installation, file)),
        note: () =>
          `CPU µs/row: ${spent.ours}; ceiling ${spent.ceiling}; memory grew by ${grown} MB for a file of ${Math.round(statSync(file).size / MEGABYTE)} MB`,
        close: () => installation.remove(),
      };
    },
  };
}

function* lines(rows: number): Generator<string> {
  yield 'email,name,company,city\n';
  for (let from = 0; from < rows; from += 1_000) {
    let chunk = '';
    for (let row = from; row < from + 1_000; row++)
      chunk += `person-${row}@${(row % 5_003).toString(16)}.example,Ada Lovelace ${row.toString(16)},Company ${row % 20_011},City ${row % 1_009}\n`;
    yield chunk;
  }
}

/**
 * Creates the table `loaded`, with the columns, indexes, keys and counters of `contacts`, and defaults for the values that an import sets
 * in every row, and the table `ready` with the rows of the file.
 */
async function prepareTables({ app }: BenchInstallation, path: string): Promise<void> {
  await app.db.pool.query(`
    create table loaded (like contacts including all, city text,
      foreign key (workspace_id) references workspaces, foreign key (created_by) references users);
    alter table loaded alter workspace_id set default 1, alter created_by set default 1,
      alter created_at set default now(), alter updated_at set default now();
    create trigger loaded_counted after insert on loaded
      referencing new table as new_rows for each statement execute function count_contacts();
    create table unready (email text, name text, company text, city text)`);
  await app.db.bulk(async (tx) => {
    const rows = tx.client.query(copyFrom('copy unready (email, name, company, city) from stdin (format csv, header)'));
    await pipeline(createReadStream(path), rows);
    await tx.query(sql`
      create table ready as select email, name, company, jsonb_build_object('city', city) as custom_fields from unready;
      drop table unready; analyze ready`);
  });
}

/** Empties the tables, and makes the server write its memory to disk: the statement for that is only for superusers. */
async function emptyTables({ app }: BenchInstallation): Promise<void> {
  await app.db.pool.query('truncate contacts, loaded, contact_counts cascade');
  await app.db.pool.query('create database checkpointed template template0 strategy file_copy');
  await app.db.pool.query('drop database checkpointed');
}

async function rowsPerSecond(
  installation: BenchInstallation,
  rows: number,
  load: () => Promise<void>,
  used: (cpu: string) => void,
): Promise<number> {
  await emptyTables(installation);
  const own = process.cpuUsage();
  const servers = cpuOfTree(installation.postgresPid);
  const begun = performance.now();
  await load();
  const seconds = (performance.now() - begun) / 1_000;
  const { user, system } = process.cpuUsage(own);
  const perRow = (microseconds: number) => (microseconds / rows).toFixed(1);
  used(`program ${perRow(user + system)}, PostgreSQL ${perRow(cpuOfTree(installation.postgresPid) - servers)}`);
  return rows / seconds;
}

/** Returns the maximum growth of the process in MB. */
async function importAll({ app }: BenchInstallation, path: string, rows: number): Promise<number> {
  const before = process.memoryUsage().rss;
  let most = before;
  const watch = setInterval(() => {
    most = Math.max(most, process.memoryUsage().rss);
  }, 200);
  const { imported } = await importContacts(app, operator(1, 1), { path });
  clearInterval(watch);
  if (imported !== rows) throw new Error(`${imported} of ${rows} rows were imported`);
  return Math.round((most - before) / MEGABYTE);
}
