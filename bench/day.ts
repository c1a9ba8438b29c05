import { setTimeout as wait } from 'node:timers/promises';
import { fileURLToPath } from 'node:url';
import { sql } from '../src/db/statement.ts';
import { type ApiClient, apiClient } from '../test/support/api-client.ts';
import { startDaemon } from './daemon.ts';
import { benchInstallation } from './installation.ts';
import { peakOf, residentOf } from './memory.ts';
import { seedContacts } from './seed.ts';

/**
 * `node bench/day.ts [REQUESTS]`, after `npm run build`: a daemon answers a day's worth of mixed requests, by default 200,000, over 100,000
 * contacts. Prints the daemon's resident memory after each tenth of them, and once more after it has been idle for half a minute.
 */
const CONTACTS = 100_000;
const CONCURRENCY = 16;
const PARTS = 10;
const IDLE = 30_000;
/** Contacts of one batch. */
const BATCH_SIZE = 250;

type Ask = (client: ApiClient, index: number) => Promise<{ status: number }>;

/** Each kind of request, with its number among a hundred. */
const KINDS: readonly [number, Ask][] = [
  [30, (client, index) => client.get(`/contacts/${1 + ((index * 7_919) % CONTACTS)}`)],
  [20, (client, index) => client.get(`/contacts?limit=50&offset=${(index * 50) % CONTACTS}`)],
  [10, (client, index) => client.get(`/contacts?limit=50&q=${encodeURIComponent(`email:seed-${index % CONTACTS}`)}`)],
  [10, (client) => client.get('/events?limit=100')],
  [10, (client) => client.get('/campaigns?limit=50')],
  [15, (client, index) => client.post('/contacts', { name: `New ${index}`, email: `new-${index}@example.org` })],
  [4, (client, index) => client.patch(`/contacts/${1 + ((index * 104_729) % CONTACTS)}`, { company: `Company ${index}` })],
  [1, (client, index) => client.post('/contacts/batch', { contacts: Array.from({ length: BATCH_SIZE }, (_, at) => contactOf(index, at)) })],
];

const contactOf = (index: number, at: number) => ({ name: `Batch ${at}`, email: `batch-${index}-${at}@example.org`, company: 'Batch' });
const asks = KINDS.flatMap(([count, ask]) => Array.from({ length: count }, () => ask));

const requests = Number(process.argv[2] ?? 200_000);
process.chdir(fileURLToPath(new URL('..', import.meta.url)));
const installation = await benchInstallation();
const { app } = installation;
await seedContacts(app.db, CONTACTS);
await app.db.query(sql`analyze`);
const daemon = await startDaemon(installation);
const client = apiClient(daemon.url, installation.adminKey);
const answers = new Map<number, number>();

console.log(`before: ${residentOf(daemon.pid)} MB`);
for (let part = 0; part < PARTS; part++) {
  const begin = performance.now();
  await askAll((part * requests) / PARTS, ((part + 1) * requests) / PARTS);
  const rate = requests / PARTS / ((performance.now() - begin) / 1_000);
  console.log(`after ${((part + 1) * requests) / PARTS} requests: ${residentOf(daemon.pid)} MB, ${Math.round(rate)} requests/s`);
}
await wait(IDLE);
console.log(
  `idle: ${residentOf(daemon.pid)} MB, at most ${peakOf(daemon.pid)} MB; answers by status: ${JSON.stringify(Object.fromEntries(answers))}`,
);
await daemon.end('SIGTERM');
await installation.remove();
process.exit();

async function askAll(from: number, to: number): Promise<void> {
  let next = from;
  const worker = async () => {
    for (let index = next++; index < to; index = next++) {
      const { status } = await (asks[(index * 37) % asks.length] as Ask)(client, index);
      answers.set(status, (answers.get(status) ?? 0) + 1);
    }
  };
  await Promise.all(Array.from({ length: CONCURRENCY }, worker));
}
