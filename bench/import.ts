import { createReadStream, createWriteStream, statSync } from 'node:fs';
import { join } from 'node:path';
import { Readable } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import { from as copyFrom } from 'pg-copy-streams';
import { operator } from '../src/access/index.ts';
import type { App } from '../src/app.ts';
import { importContacts } from '../src/contacts/import/index.ts';
import { createCustomField } from '../src/contacts/index.ts';
import { sql } from '../src/db/statement.ts';
import { benchInstallation } from './installation.ts';
import type { Measurement } from './measure.ts';

const ROWS = 1_000_000;
const MEGABYTE = 1_000_000;

/**
 * `contact import` of a million rows against COPY of the same file into a table with the same columns, indexes and counters.
 * COPY detects no delimiter, encoding or columns, checks no addresses, and fails at the first duplicate.
 */
export const importRow: Measurement = {
  name: 'import',
  unit: 'rows/s',
  rounds: 1,
  async prepare() {
    const installation = await benchInstallation();
    const { app } = installation;
    const file = join(installation.dataDir, 'million.csv');
    await pipeline(Readable.from(lines()), createWriteStream(file));
    await createCustomField(app, operator(1), { name: 'City', field_type: 'text' });
    let grown = 0;
    return {
      async ours() {
        return rowsPerSecond(async () => {
          grown = await importAll(app, file);
        });
      },
      ceiling: () => rowsPerSecond(() => copyAll(app, file)),
      note: () => `memory grew by ${grown} MB for a file of ${Math.round(statSync(file).size / MEGABYTE)} MB`,
      close: () => installation.remove(),
    };
  },
};

function* lines(): Generator<string> {
  yield 'email,name,company,city\n';
  for (let from = 0; from < ROWS; from += 1_000) {
    let chunk = '';
    for (let row = from; row < from + 1_000; row++)
      chunk += `person-${row}@${(row % 5_003).toString(16)}.example,Ada Lovelace ${row.toString(16)},Company ${row % 20_011},City ${row % 1_009}\n`;
    yield chunk;
  }
}

async function rowsPerSecond(work: () => Promise<void>): Promise<number> {
  const begun = performance.now();
  await work();
  return (ROWS / (performance.now() - begun)) * 1_000;
}

/** Returns the maximum growth of the process in MB. */
async function importAll(app: App, path: string): Promise<number> {
  await app.db.query(sql`truncate contacts, contact_counts, contact_blocks cascade`);
  await app.db.query(sql`checkpoint`);
  let most = 0;
  const watch = setInterval(() => {
    most = Math.max(most, process.memoryUsage().rss);
  }, 200);
  const before = process.memoryUsage().rss;
  const { imported } = await importContacts(app, operator(1, 1), { path });
  clearInterval(watch);
  if (imported !== ROWS) throw new Error(`${imported} of ${ROWS} rows were imported`);
  return Math.round((most - before) / MEGABYTE);
}

/** A table like `contacts`, whose defaults provide the values that an import sets in every row; the same trigger keeps its counters. */
async function copyAll(app: App, path: string): Promise<void> {
  await app.db.bulk(async (tx) => {
    for (const statement of [
      sql`drop table if exists copied`,
      sql`create table copied (like contacts including all)`,
      sql`alter table copied add city text, alter workspace_id set default 1, alter created_by set default 1,
        alter created_at set default now(), alter updated_at set default now()`,
      sql`create trigger copied_inserted after insert on copied
        referencing new table as new_rows for each statement execute function count_contacts()`,
    ])
      await tx.query(statement);
    const copy = tx.client.query(copyFrom('copy copied (email, name, company, city) from stdin (format csv, header)'));
    await pipeline(createReadStream(path), copy);
    if (copy.rowCount !== ROWS) throw new Error(`${copy.rowCount} of ${ROWS} rows were copied`);
  });
  await app.db.query(sql`drop table copied`);
}
