import pg from 'pg';
import { describe, expect, it } from 'vitest';
import { createApi, openStream } from '../../src/dashboard/connection.ts';
import { afterFile } from '../support/after-file.ts';
import { endedOf } from '../support/ended.ts';
import { member, workspace } from '../support/people.ts';
import { insertCampaign, insertContact, insertEnrolment } from '../support/rows.ts';
import { refusal, servedInstallation } from '../support/served.ts';
import { waitUntil } from '../support/wait-until.ts';

const { api, app, url, databaseUrl, adminKey } = await servedInstallation({ limitsRequests: 12, limitsHeavyRequests: 2, limitsStreams: 2 });
const somebody = new pg.Client({ connectionString: databaseUrl });
await somebody.connect();
afterFile(() => somebody.end());

/** Runs `work` while another client holds a lock that the API waits for. Requests give up after five seconds, so send only a few. */
async function whileLocked(lock: string, work: () => Promise<void>): Promise<void> {
  await somebody.query(`begin; ${lock}`);
  try {
    await work();
  } finally {
    await somebody.query('rollback');
  }
}

/** Counts the statements that wait for a lock in this database. A transaction sees the same connections until it clears its snapshot. */
const blocked = async () => {
  await somebody.query('select pg_stat_clear_snapshot()');
  const { rows } = await somebody.query<{ n: number }>(
    "select count(*)::int as n from pg_stat_activity where datname = current_database() and wait_event_type = 'Lock'",
  );
  return rows[0]?.n ?? 0;
};

describe('Limits of a key', () => {
  it('requests in flight: one more gets 429 with Retry-After, another key an answer, and all that were in flight succeed', async () => {
    const campaign = await insertCampaign(app, { status: 'draft' });
    const other = api.as((await member(app, 'manager')).key);
    let changes: ReturnType<typeof api.patch>[] = [];
    await whileLocked(`select from campaigns where id = ${campaign} for update`, async () => {
      // They may arrive in any order; the refused one gets the first response.
      changes = Array.from({ length: 13 }, (_, index) => api.patch(`/campaigns/${campaign}`, { name: `Renamed ${index}` }));
      const refused = await Promise.race(changes);
      for (const answer of [refused, await api.get('/me')]) {
        expect(answer).toMatchObject(refusal(429, 'too_many_requests', 'this key has 12 requests in flight, of at most 12'));
        expect(answer.headers.get('retry-after')).toMatch(/^[1-9]\d*$/);
      }
      expect((await other.get('/me')).status).toBe(200);
    });
    const statuses = (await Promise.all(changes)).map(({ status }) => status);
    expect(statuses.filter((status) => status !== 429)).toEqual(Array(12).fill(200));
    expect((await api.get('/me')).status).toBe(200);
  });

  it('requests in flight under /trpc: each call of a batch counts, and a batch alone is always taken', async () => {
    const headers = { authorization: `Bearer ${adminKey}` };
    const batch = (name: string, count: number) => {
      const input = encodeURIComponent(JSON.stringify(Object.fromEntries(Array.from({ length: count }, (_, index) => [index, {}]))));
      return fetch(`${url}/trpc/${Array(count).fill(name).join()}?batch=1&input=${input}`, { headers });
    };
    let first: Promise<Response> | undefined;
    await whileLocked('lock table campaigns in access exclusive mode', async () => {
      first = batch('campaigns.list', 8);
      await waitUntil('the first batch waits for the lock', async () => (await blocked()) > 0);
      const second = await batch('access.me', 8);
      expect({ status: second.status, retryAfter: second.headers.get('retry-after') }).toEqual({ status: 429, retryAfter: '1' });
      expect((await batch('access.me', 4)).status).toBe(200);
    });
    expect((await first)?.status).toBe(200);
    expect((await batch('access.me', 100)).status).toBe(200);
    expect((await batch('access.me', 101)).status).toBe(400);
  });

  it('heavy queries: only so many of a key run at once; the others wait their turn and are answered', async () => {
    const searches: ReturnType<typeof api.get>[] = [];
    await whileLocked('lock table contacts in access exclusive mode', async () => {
      for (let index = 0; index < 10; index++)
        searches.push(index % 2 === 0 ? api.get('/contacts/search?q=ada') : api.get('/suppressions?offset=10000'));
      await waitUntil('searches wait for the lock', async () => (await blocked()) > 0);
      expect((await api.get('/suppressions')).status).toBe(200);
      // Each search has one statement at a time.
      expect(await blocked()).toBeLessThanOrEqual(2);
    });
    expect((await Promise.all(searches)).map(({ status }) => status)).toEqual(Array(10).fill(200));
  });

  // "`POST /contacts/verify` with a search does not wait its turn as heavy requests do."
  it('the search of a check of addresses takes turns with the others', async () => {
    let asked: ReturnType<typeof api.post>[] = [];
    await whileLocked('lock table contacts in access exclusive mode', async () => {
      const searches = [1, 2].map(() => api.get('/contacts/search?q=nobody'));
      await waitUntil('two wait for the lock', async () => (await blocked()) === 2);
      asked = [...searches, ...[1, 2, 3].map(() => api.post('/contacts/verify', { search: 'nobody' }))];
      // These come after the three, and get a response.
      for (let index = 0; index < 10; index++) expect((await api.get('/me')).status).toBe(200);
      expect(await blocked()).toBe(2);
    });
    expect((await Promise.all(asked)).map(({ status }) => status)).toEqual(Array(5).fill(200));
  });

  // docs/settings.md: "searches, forecasts and explanations of campaigns, …". An explanation reads all contacts who wait for an email.
  it('forecasts and explanations are heavy: they take turns instead of being too many at once', async () => {
    const campaign = await insertCampaign(app);
    await insertEnrolment(app, campaign);
    const asked: ReturnType<typeof api.get>[] = [];
    await whileLocked('lock table enrolments in access exclusive mode', async () => {
      for (const what of ['forecast', 'explain', 'forecast', 'explain', 'forecast']) asked.push(api.get(`/campaigns/${campaign}/${what}`));
      await waitUntil('two wait for the lock', async () => (await blocked()) === 2);
      expect((await api.get('/me')).status).toBe(200);
      expect(await blocked()).toBe(2);
    });
    expect((await Promise.all(asked)).map(({ status }) => status)).toEqual(Array(5).fill(200));
  });

  it('large bodies count as heavy, before they are read', async () => {
    const contact = await insertContact(app);
    const large = { custom_fields: {}, name: ' '.repeat(300_000) };
    const writes: ReturnType<typeof api.patch>[] = [];
    await whileLocked(`select from contacts where id = ${contact} for update`, async () => {
      for (let index = 0; index < 6; index++) writes.push(api.patch(`/contacts/${contact}`, large));
      await waitUntil('two wait for the lock', async () => (await blocked()) === 2);
      expect((await api.get('/me')).status).toBe(200);
      expect(await blocked()).toBe(2);
    });
    expect((await Promise.all(writes)).map(({ status }) => status)).toEqual(Array(6).fill(200));
  });

  // This test comes after those that count waiting statements: a closed stream may still run one more query.
  it('streams: one more is refused, and may come when another has ended', async () => {
    const open = () => {
      const seen = { pushes: 0 };
      return { seen, ...openStream(createApi({ url, key: adminKey }), { onPush: () => void seen.pushes++, onLost: () => undefined }) };
    };
    const streams = [open(), open()];
    await waitUntil('both streams bring something', () => streams.every(({ seen }) => seen.pushes > 0));
    // An error of a subscription is an event of its stream.
    const refused = await fetch(`${url}/trpc/live.watch?input={}`, { headers: { authorization: `Bearer ${adminKey}` } });
    expect(await refused.text()).toContain('this key has 2 streams in flight, of at most 2');
    streams[0]?.close();
    const third = open();
    await waitUntil('the third brings something', () => third.seen.pushes > 0);
    for (const stream of [streams[1], third]) stream?.close();
  });
});

describe('A query with thousands of parameters', () => {
  it('costs next to nothing: 100 are allowed, once or again', async () => {
    const ask = (count: number) => api.get(`/contacts?${'a&'.repeat(count)}`);
    await ask(1);
    const begin = process.cpuUsage();
    expect(await ask(7_900)).toMatchObject(refusal(400, 'invalid_request', 'at most 100 parameters'));
    const { user, system } = process.cpuUsage(begin);
    expect((user + system) / 1_000).toBeLessThan(200);
    expect(await ask(100)).toMatchObject(refusal(400, 'invalid_request', 'unknown query parameter "a"'));
    expect(await api.get('/contacts?limit=1&limit=2')).toMatchObject(refusal(400, 'invalid_request', 'limit: '));
  });
});

describe("One tenant's load", () => {
  it("keeps nobody else's requests waiting, whatever it waits for itself", async () => {
    const stranger = await workspace(app);
    const theirs = await insertCampaign(app, { workspace_id: stranger, status: 'draft' });
    const attackers = await Promise.all([1, 2, 3].map(() => member(app, 'admin', { workspaceId: stranger })));
    const attacks: ReturnType<typeof api.patch>[] = [];
    await whileLocked(`select from campaigns where id = ${theirs} for update`, async () => {
      for (const { key } of attackers)
        for (let index = 0; index < 6; index++)
          attacks.push(
            index % 2 === 0
              ? api.as(key).patch(`/campaigns/${theirs}`, { name: `N ${index}` })
              : api.as(key).post(`/campaigns/${theirs}/steps`, { body_html: 'B' }, { 'Idempotency-Key': `k ${index}` }),
          );
      // They give up after five seconds (`REQUEST_LIMITS`): if a response had waited behind them, one would have ended.
      const ended = endedOf(attacks);
      await waitUntil('the attack waits for the lock', async () => (await blocked()) >= 5);
      for (const ask of [
        () => api.get('/campaigns'),
        () => api.get('/contacts/search?q=ada'),
        () => api.post('/lists', { name: 'Ours' }),
        () => api.post('/lists', { name: 'Ours once' }, { 'Idempotency-Key': 'ours' }),
      ]) {
        const { status } = await ask();
        expect([200, 201], String(ask)).toContain(status);
      }
      expect((await fetch(`${url}/readyz`)).status).toBe(200);
      expect(ended()).toBe(0);
    });
    for (const { status } of await Promise.all(attacks)) expect([200, 201]).toContain(status);
  });
});
