import { join } from 'node:path';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { SECOND } from '../../src/core/clock.ts';
import { sql } from '../../src/db/statement.ts';
import { type ApiClient, apiClient } from '../support/api-client.ts';
import { type DaemonProcess, startDaemonProcess } from '../support/daemon-process.ts';
import { testInstallation } from '../support/database.ts';
import { insertCampaign } from '../support/rows.ts';

const WRITERS = 8;
/** FEED_SECONDS sets another length: the writers write for so long, and a daemon is killed half-way. */
const SECONDS = Number(process.env.FEED_SECONDS ?? 12);
const CONTACTS = 100_000;
/** Contacts that a request enrols: as many events. */
const CONCURRENCY = 5;

const { app, databaseUrl, dataDir, adminKey } = await testInstallation();
const daemons: DaemonProcess[] = [];
let apis: ApiClient[] = [];

beforeAll(async () => {
  for (const name of ['staying', 'killed']) daemons.push(await startDaemonProcess({ databaseUrl, home: join(dataDir, name) }));
  apis = daemons.map(({ url }) => apiClient(url, adminKey));
  await app.db.bulk((tx) =>
    tx.query(sql`
      insert into contacts (workspace_id, name, email, created_by, created_at, updated_at)
      select 1, 'P', 'p' || i || '@example.com', 1, now(), now() from generate_series(1, ${CONTACTS}) i`),
  );
});
afterAll(() => Promise.all(daemons.map((daemon) => daemon.end('SIGTERM'))));

/** Asks one daemon, and the one that stays when the other is gone. */
async function ask<Answer>(preferred: number, request: (api: ApiClient) => Promise<Answer>): Promise<Answer> {
  try {
    return await request(apis[preferred] as ApiClient);
  } catch {
    return request(apis[0] as ApiClient);
  }
}

/** Enrols contacts at full speed until the time is over. Returns the number of its requests. */
async function write(campaignId: number, daemon: number, isOver: () => boolean): Promise<number> {
  let requests = 0;
  for (let next = 1; !isOver() && next + CONCURRENCY <= CONTACTS; next += CONCURRENCY) {
    const ids = Array.from({ length: CONCURRENCY }, (_, index) => next + index);
    const { status, body } = await ask(daemon, (api) => api.post(`/campaigns/${campaignId}/contacts`, { contact_ids: ids }));
    if (status !== 200) throw new Error(`enrolling: ${status} ${JSON.stringify(body)}`);
    requests++;
  }
  return requests;
}

/** Follows the feed, from both daemons by turns, until the writers are done and nothing more comes. */
async function follow(isDone: () => boolean): Promise<{ ids: number[]; pages: number }> {
  const ids: number[] = [];
  for (let pages = 0; ; pages++) {
    const wasDone = isDone();
    const { status, body } = await ask(pages % 2, (api) => api.get(`/events?after_id=${ids.at(-1) ?? 0}&limit=200`));
    if (status !== 200) throw new Error(`reading: ${status} ${JSON.stringify(body)}`);
    ids.push(...body.data.map(({ id }: { id: number }) => id));
    if (wasDone && body.data.length === 0) return { ids, pages };
  }
}

it(`the feed gives every id once and in order: ${WRITERS} writers for ${SECONDS} seconds on two daemons, one of them killed`, async () => {
  const campaigns = await Promise.all(Array.from({ length: WRITERS }, () => insertCampaign(app, { status: 'draft' })));
  const end = performance.now() + SECONDS * SECOND;
  let done = false;
  const reading = follow(() => done);
  const kill = setTimeout(() => void daemons[1]?.end('SIGKILL'), (SECONDS / 2) * SECOND);
  const writing = Promise.all(campaigns.map((id, writer) => write(id, writer % 2, () => performance.now() >= end)));
  const requests = await writing.finally(() => {
    done = true;
    clearTimeout(kill);
  });
  const { ids, pages } = await reading;
  const stored = (await app.db.query<{ id: number }>(sql`select id::int as id from events order by id`)).map(({ id }) => id);
  const written = requests.reduce((sum, count) => sum + count, 0);
  console.log(`${written} requests by ${WRITERS} writers, ${stored.length} events, ${pages} pages read; the last id ${ids.at(-1)}`);
  expect(daemons[1]?.child.signalCode).toBe('SIGKILL');
  expect(ids.every((id, index) => index === 0 || id > (ids[index - 1] ?? 0))).toBe(true);
  expect(ids.length).toBe(stored.length);
  expect(ids).toEqual(stored);
  expect(stored.length).toBeGreaterThan(100);
});
