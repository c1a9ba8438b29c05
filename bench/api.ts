import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { isDeepStrictEqual } from 'node:util';
import { campaignSearch } from '../src/campaigns/index.ts';
import { getContact, listContacts } from '../src/contacts/index.ts';
import { searchContacts } from '../src/contacts/search/index.ts';
import { listEvents } from '../src/events/index.ts';
import { cpuOfTree } from './cpu.ts';
import { requestsPerSecond } from './http-load.ts';
import { type BenchProcess, startProcess } from './installation.ts';
import type { Measurement, Sides } from './measure.ts';
import { type Request, record } from './recorded.ts';
import type { World } from './world.ts';
import { openWorld, scaleOf, type WorldInstallation } from './world-installation.ts';

const SECONDS = 1.5;
const LIMIT = 50;
/** Queries that match a few contacts, a few dozen, and a few hundred. */
const QUERIES = [
  'name:f1e2d',
  'email:seed-31415',
  'domain:a1f.example',
  'company:"Company 777"',
  'replied:>12d',
  'created:>1d',
  'list:Few',
];

const page = (
  path: string,
  offset: number,
  shape: Request['shape'],
  read: (page: { limit: number; offset: number }) => Request['read'],
) => {
  const pagination = { limit: LIMIT, offset };
  return { path: `${path}limit=${LIMIT}&offset=${offset}`, shape, pagination, read: read(pagination) };
};

/** Reads of contacts that everyone can see, spread over the whole table. */
const singleReads = ({ big }: World): Request[] =>
  Array.from({ length: 1_000 }, (_, index) => {
    const id = big.firstContact + ((index * 7_919) % big.contacts);
    return { path: `/api/v1/contacts/${id}`, shape: 'row', read: ({ db }, caller) => getContact(db, caller, id) };
  });

/** The first twenty pages, which people and programs read most. */
const pages = (path: string, read: Parameters<typeof page>[3], shape: Request['shape'] = 'page') =>
  Array.from({ length: 20 }, (_, index) => page(path, index * LIMIT, shape, read));

const contactPages = () =>
  pages(
    '/api/v1/contacts?',
    (at) =>
      ({ db }, caller) =>
        listContacts(db, caller, { archived: false }, at),
  );

export const apiRows: readonly Measurement[] = [
  row('get-contact', singleReads),
  row('list-contacts', contactPages),
  row('filter-contacts', ({ big: { lists } }) =>
    pages(
      `/api/v1/contacts?list_id=${lists[1]}&`,
      (at) =>
        ({ db }, caller) =>
          listContacts(db, caller, { archived: false, list_id: lists[1] ?? 0 }, at),
      'found',
    ),
  ),
  row('search-contacts', () =>
    QUERIES.map((query) =>
      page(
        `/api/v1/contacts/search?q=${encodeURIComponent(query)}&`,
        0,
        'found',
        (at) => (app, caller) => searchContacts(app, caller, query, at, campaignSearch),
      ),
    ),
  ),
  row('event-feed', () =>
    pages(
      '/api/v1/events?',
      (at) =>
        ({ db }, caller) =>
          listEvents(db, caller, {}, at),
    ),
  ),
  {
    name: 'list-total',
    unit: 'requests/s',
    prepare: () =>
      serving(contactPages(), ({ bare }) => ({
        ours: () => bare.load(),
        ceiling: () => bare.load('?no-total'),
        note: () => 'the page with its total against the page alone; both by the bare server',
      })),
  },
];

function row(name: string, requests: (world: World) => Request[]): Measurement {
  return {
    name,
    unit: 'requests/s',
    prepare: async () =>
      serving(requests((await openWorld()).world), ({ ours, bare }) => {
        return {
          ours: () => ours.load(),
          ceiling: () => bare.load(),
          note: () => `CPU µs/request: ours ${ours.cpu()}; bare ${bare.cpu()}`,
        };
      }),
  };
}

/** A server under load. */
interface Driven {
  /** Requests per second. @param option appended to every path */
  load(option?: string): Promise<number>;
  /** CPU microseconds per request so far, as text. */
  cpu(): string;
}

/** Starts the API, and the bare server that does the same work for these requests. */
async function serving(requests: readonly Request[], sides: (servers: { ours: Driven; bare: Driven }) => Sides): Promise<Sides> {
  const installation = await openWorld();
  const recording = join(installation.dataDir, 'recording.json');
  writeFileSync(recording, JSON.stringify(await record(installation.app, installation.adminKey, requests)));
  const env = { DATABASE_URL: installation.databaseUrl, OUTREACH_DATA_DIR: installation.dataDir, OUTREACH_PORT: '0' };
  const ours = await startProcess(process.execPath, ['bench/api-server.ts'], env);
  const bare = await startProcess(process.execPath, ['bench/bare-server.ts'], { ...env, BENCH_RECORDING: recording });
  const paths = requests.map(({ path }) => path);
  await requireSameAnswers(ours.said, bare.said, paths, installation);
  const driving = (server: BenchProcess) => driven(server, installation, paths);
  const measured = sides({ ours: driving(ours), bare: driving(bare) });
  return {
    ...measured,
    note: () => `${scaleOf(installation.world)}; ${measured.note?.()}`,
    close: async () => void (await Promise.all([ours.stop(), bare.stop()])),
  };
}

function driven({ said, pid }: BenchProcess, { postgresPid, adminKey }: WorldInstallation, paths: readonly string[]): Driven {
  let [requests, own, database] = [0, 0, 0];
  return {
    async load(option = '') {
      const [ownBefore, databaseBefore, begin] = [cpuOfTree(pid), cpuOfTree(postgresPid), performance.now()];
      const asked = paths.map((path) => path + option);
      const rate = await requestsPerSecond(said, asked, { authorization: `Bearer ${adminKey}` }, SECONDS);
      requests += (rate * (performance.now() - begin)) / 1_000;
      own += cpuOfTree(pid) - ownBefore;
      database += cpuOfTree(postgresPid) - databaseBefore;
      return rate;
    },
    cpu: () => `${Math.round(own / requests)}, PostgreSQL ${Math.round(database / requests)}`,
  };
}

/** Checks that both servers return the same, in any order of keys: otherwise the ceiling would be meaningless. */
async function requireSameAnswers(ours: string, bare: string, paths: readonly string[], { adminKey }: WorldInstallation): Promise<void> {
  for (const path of paths.slice(0, 10)) {
    const [first, second] = await Promise.all(
      [ours, bare].map(async (url) => (await fetch(url + path, { headers: { authorization: `Bearer ${adminKey}` } })).json()),
    );
    if (!isDeepStrictEqual(first, second)) throw new Error(`${path}: ours ${JSON.stringify(first)}, bare ${JSON.stringify(second)}`);
  }
}
