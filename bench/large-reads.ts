import { operator } from '../src/access/index.ts';
import { listContacts } from '../src/contacts/index.ts';
import { raw } from '../src/db/statement.ts';
import { startProcess } from './installation.ts';
import { type Measurement, perSecond } from './measure.ts';
import { residentOf } from './memory.ts';
import { openWorld, scaleOf } from './world-installation.ts';

const LIMIT = 200;
/** Clients that together read everything. */
const READERS = 4;

/** The last page of all contacts with its total, against PostgreSQL scanning the index up to there. */
const lastPage: Measurement = {
  name: 'last-page',
  unit: 'pages/s',
  async prepare() {
    const { app, world } = await openWorld();
    const caller = operator(1, 1);
    const { pagination } = await listContacts(app.db, caller, { archived: false }, { limit: 1, offset: 0 });
    const offset = pagination.total - 50;
    const walk = raw(`select c.id from contacts c where c.workspace_id = 1 and c.deleted_at is null and not c.is_archived
      order by c.id limit 50 offset ${offset}`);
    return {
      ours: () => perSecond(() => listContacts(app.db, caller, { archived: false }, { limit: 50, offset })),
      ceiling: () => perSecond(() => app.db.query(walk)),
      note: () => `${scaleOf(world)}; offset ${offset}`,
    };
  },
};

/** Memory of the daemon after a client has read all contacts, against before: 1 means no growth. */
const readEverything: Measurement = {
  name: 'read-everything',
  unit: 'MB resident',
  rounds: 1,
  async prepare() {
    const { world, adminKey, databaseUrl, dataDir } = await openWorld();
    const env = { DATABASE_URL: databaseUrl, OUTREACH_DATA_DIR: dataDir, OUTREACH_PORT: '0' };
    const daemon = await startProcess(process.execPath, ['bench/api-server.ts'], env);
    const read = (offset: number) => readPage(`${daemon.said}/api/v1/contacts?limit=${LIMIT}&offset=${offset}`, adminKey);
    let [contacts, peak] = [0, 0];
    return {
      // Buffers and compiled code need a few hundred requests to settle.
      async ceiling() {
        for (let request = 0; request < 500; request++) await read(0);
        return residentOf(daemon.pid);
      },
      async ours() {
        const { total } = (await read(0)).pagination;
        let next = 0;
        const reader = async () => {
          for (let offset = next; offset < total; offset = next) {
            next += LIMIT;
            const { data } = await read(offset);
            contacts += data.length;
            peak = Math.max(peak, residentOf(daemon.pid));
          }
        };
        await Promise.all(Array.from({ length: READERS }, reader));
        if (contacts !== total) throw new Error(`read ${contacts} of ${total} contacts`);
        return residentOf(daemon.pid);
      },
      note: () => `${scaleOf(world)}; ${contacts} contacts read in pages of ${LIMIT}, at most ${peak} MB`,
      close: daemon.stop,
    };
  },
};

async function readPage(url: string, key: string): Promise<{ data: unknown[]; pagination: { total: number } }> {
  const answer = await fetch(url, { headers: { authorization: `Bearer ${key}` } });
  if (!answer.ok) throw new Error(`${url}: ${answer.status} ${await answer.text()}`);
  return (await answer.json()) as { data: unknown[]; pagination: { total: number } };
}

export const largeReadRows: readonly Measurement[] = [lastPage, readEverything];
