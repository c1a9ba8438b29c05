import { authenticate, operator } from '../src/access/index.ts';
import { getContact, listContacts } from '../src/contacts/index.ts';
import type { Queryable, Sql } from '../src/db.ts';
import { requestsPerSecond } from './http-load.ts';
import { type BenchInstallation, benchInstallation, startProcess } from './installation.ts';
import type { Measurement } from './measure.ts';
import { seedContacts } from './seed.ts';

const CONTACTS = 100_000;
const SECONDS = 4;
/** Stands in recorded statements for what differs from request to request. */
const SLOT = 1_999_999_999;

export const getContactRow: Measurement = {
  name: 'get-contact',
  unit: 'requests/s',
  prepare: () => againstBare(Array.from({ length: 1_000 }, (_, index) => `/api/v1/contacts/${1 + ((index * 7_919) % CONTACTS)}`)),
};

export const listContactsRow: Measurement = {
  name: 'list-contacts',
  unit: 'requests/s',
  // The first twenty pages: what people and programs read most.
  prepare: () => againstBare(Array.from({ length: 20 }, (_, index) => `/api/v1/contacts?limit=50&offset=${index * 50}`)),
};

async function againstBare(paths: readonly string[]) {
  const installation = await benchInstallation();
  await seedContacts(installation.app.db, CONTACTS);
  const env = { DATABASE_URL: installation.databaseUrl, OUTREACH_DATA_DIR: installation.dataDir, OUTREACH_PORT: '0' };
  const ours = await startProcess(process.execPath, ['bench/api-server.ts'], env);
  const statements = JSON.stringify(await recordStatements(installation));
  const bare = await startProcess(process.execPath, ['bench/bare-server.ts'], { ...env, BENCH_STATEMENTS: statements });
  await requireSameAnswers(ours.said, bare.said, paths, installation.adminKey);
  const headers = { authorization: `Bearer ${installation.adminKey}` };
  return {
    ours: () => requestsPerSecond(ours.said, paths, headers, SECONDS),
    ceiling: () => requestsPerSecond(bare.said, paths, headers, SECONDS),
    async close() {
      await Promise.all([ours.stop(), bare.stop()]);
      await installation.remove();
    },
  };
}

/** The statements that our own functions send for these requests. */
async function recordStatements({ app, adminKey }: BenchInstallation) {
  const recorded: Sql[] = [];
  const recorder: Queryable = {
    query: (statement) => {
      recorded.push(statement);
      return app.db.query(statement);
    },
  };
  const caller = { ...operator(1, 1), apiKeyId: 1 };
  await authenticate(recorder, `Bearer ${adminKey}`, null);
  await getContact(recorder, caller, SLOT).catch(() => undefined);
  await listContacts(recorder, caller, { archived: false }, { limit: 50, offset: SLOT });
  const [key, contact, page, total] = recorded.map(({ text, values }) => ({ text, values }));
  return { key, contact, page, total, slot: SLOT };
}

/** A ceiling that answered something else would be none. */
async function requireSameAnswers(ours: string, bare: string, paths: readonly string[], key: string): Promise<void> {
  for (const path of paths.slice(0, 3)) {
    const [first, second] = await Promise.all(
      [ours, bare].map(async (url) => (await fetch(url + path, { headers: { authorization: `Bearer ${key}` } })).json()),
    );
    if (JSON.stringify(first) !== JSON.stringify(second)) throw new Error(`${path}: the bare server answers something else`);
  }
}
