import pg from 'pg';
import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest';
import { purgeIdempotencyKeys } from '../../src/api/idempotency.ts';
import { DAY } from '../../src/core/clock.ts';
import { sql } from '../../src/db/statement.ts';
import { type Daemon, startDaemon } from '../../src/main/daemon.ts';
import { type ApiClient, apiClient } from '../support/api-client.ts';
import { type TestInstallation, testInstallation } from '../support/database.ts';
import { member } from '../support/people.ts';
import { waitUntil } from '../support/wait-until.ts';

let installation: TestInstallation;
let daemon: Daemon;
let api: ApiClient;

beforeAll(async () => {
  installation = await testInstallation();
  daemon = await startDaemon(installation.app, { worker: false, databaseUrl: installation.databaseUrl });
  api = apiClient(daemon.url ?? '', installation.adminKey);
});
afterAll(() => daemon?.stop());

let made = 0;
const somebody = () => ({ name: 'Somebody', email: `somebody-${++made}@example.com`, role: 'manager' });
const keyed = (key: string, body: object, path = '/users') => api.post(path, body, { 'idempotency-key': key });
const peopleAt = (email: string) => installation.app.db.query(sql`select 1 from users where email = ${email}`);
const storedKeys = () => installation.app.db.query(sql`select key from idempotency_keys`);
const conflict = { status: 409, body: { error: { code: 'conflict', message: expect.any(String) } } };

describe('Idempotency-Key on POST', () => {
  it('the same key with the same request replays status and body, and does the work once', async () => {
    const body = somebody();
    const first = await keyed('same', body);
    const second = await keyed('same', body);
    expect(first.status).toBe(201);
    expect(first.headers.get('idempotent-replayed')).toBeNull();
    expect(second).toMatchObject({ status: 201, body: first.body });
    expect(second.headers.get('idempotent-replayed')).toBe('true');
    expect(await peopleAt(body.email)).toHaveLength(1);
    const audit = await installation.app.db.query(
      sql`select 1 from audit_log where resource_type = 'user' and resource_id = ${first.body.id}`,
    );
    expect(audit).toHaveLength(1);
  });

  it('the replay says what the first one said, though the resource has changed since', async () => {
    const body = somebody();
    const first = await keyed('changed since', body);
    expect(first.status).toBe(201);
    await api.post(`/users/${first.body.id}/disable`);
    expect((await keyed('changed since', body)).body).toEqual(first.body);
  });

  it('the order of fields does not matter: objects are unordered (RFC 8259 §4)', async () => {
    const body = somebody();
    await keyed('in another order', body);
    const turned = Object.fromEntries(Object.entries(body).toReversed());
    expect(await keyed('in another order', turned)).toMatchObject({ status: 201, body: { email: body.email } });
  });

  it('without a key the second is done for itself', async () => {
    const body = somebody();
    expect((await api.post('/users', body)).status).toBe(201);
    expect((await api.post('/users', body)).status).toBe(409);
  });

  it('the same key with another body, or on another path, is 409 and does nothing', async () => {
    const body = somebody();
    const { body: user } = await keyed('other', body);
    const another = somebody();
    expect(await keyed('other', another)).toMatchObject(conflict);
    expect(await peopleAt(another.email)).toEqual([]);
    expect(await keyed('other', {}, `/users/${user.id}/disable`)).toMatchObject(conflict);
    expect((await api.get(`/users/${user.id}`)).body.disabled).toBe(false);
  });

  it('a key belongs to the API key that sent it', async () => {
    const other = await member(installation.app, 'admin');
    const [mine, theirs] = [somebody(), somebody()];
    expect((await keyed('shared', mine)).status).toBe(201);
    expect((await api.as(other.key).post('/users', theirs, { 'idempotency-key': 'shared' })).body.email).toBe(theirs.email);
  });

  it('is kept for 24 hours and then free again, purged or not', async () => {
    const start = installation.clock.now();
    const [first, second] = [somebody(), somebody()];
    await keyed('aged', first);
    installation.clock.advance(DAY - 1_000);
    expect(await keyed('aged', second)).toMatchObject(conflict);
    installation.clock.advance(1_000);
    expect(await keyed('aged', second)).toMatchObject({ status: 201, body: { email: second.email } });
    installation.clock.set(start);
  });

  it('purging forgets what is older than 24 hours and nothing else', async () => {
    const start = installation.clock.now();
    await keyed('old', somebody());
    installation.clock.advance(DAY);
    await keyed('young', somebody());
    expect(await purgeIdempotencyKeys(installation.app)).toBeGreaterThan(0);
    const keys = await storedKeys();
    expect(keys).toContainEqual({ key: 'young' });
    expect(keys).not.toContainEqual({ key: 'old' });
    installation.clock.set(start);
  });

  it('a refusal is not stored: it changed nothing, and the corrected request may use the key again', async () => {
    const body = somebody();
    expect((await keyed('corrected', { ...body, role: 'owner' })).status).toBe(400);
    expect((await keyed('corrected', { ...body, email: 'admin@example.com' })).status).toBe(409);
    expect((await keyed('corrected', {}, '/users/999999/disable')).status).toBe(404);
    expect(await storedKeys()).not.toContainEqual({ key: 'corrected' });
    expect((await keyed('corrected', body)).status).toBe(201);
  });

  it('a status that depends on what was found is replayed too: 201 stays 201', async () => {
    const { id } = await member(installation.app, 'manager');
    const [contact] = await installation.app.db.query<{ id: number }>(sql`
      insert into contacts (workspace_id, email, created_at, updated_at) values (1, 'c@example.com', now(), now()) returning id`);
    const path = `/contacts/${contact?.id}/shares`;
    expect((await keyed('share', { user_id: id }, path)).status).toBe(201);
    expect((await keyed('share', { user_id: id }, path)).status).toBe(201);
    expect((await keyed('share again', { user_id: id }, path)).status).toBe(200);
  });

  it.each(['', 'a\tb', 'é', 'x'.repeat(256)])('a malformed key (%j) is 400', async (key) => {
    const answer = await keyed(key, somebody());
    expect(answer).toMatchObject({ status: 400, body: { error: { code: 'invalid_request' } } });
    expect(answer.body.error.message).toMatch(/^Idempotency-Key: /);
  });

  it('what is stored can not be read from a dump: answers may hold a secret that is shown once', async () => {
    const body = somebody();
    await keyed('sealed', body);
    const [row] = await installation.app.db.query<{ row: string }>(sql`select i::text as row from idempotency_keys i where key = 'sealed'`);
    expect(row?.row).not.toContain(body.email);
  });
});

describe('Idempotency-Key, concurrent and after a crash', () => {
  afterEach(() => installation.app.db.query(sql`drop trigger if exists fault on idempotency_keys`));

  it('twenty at once with one key: the work is done once and all get the same answer', async () => {
    const body = somebody();
    const answers = await Promise.all(Array.from({ length: 20 }, () => keyed('burst', body)));
    for (const answer of answers) expect(answer).toMatchObject({ status: 201, body: answers[0]?.body });
    expect(await peopleAt(body.email)).toHaveLength(1);
  });

  it('a repetition waits for the first one, and does the work itself when that one dies', async () => {
    const body = somebody();
    const dying = new pg.Client({ connectionString: installation.databaseUrl });
    dying.on('error', () => undefined);
    await dying.connect();
    // The state that a daemon leaves when it is killed in the middle of a request.
    await dying.query('begin');
    await dying.query("insert into idempotency_keys (api_key_id, key, request_hash, created_at) values (1, 'crashed', '', now())");
    const waiting = keyed('crashed', body);
    await waitUntil('the repetition waits', async () => {
      const rows = await installation.app.db.query(sql`
        select 1 from pg_stat_activity where wait_event_type = 'Lock' and query like '%idempotency_keys%' and datname = current_database()`);
      return rows.length > 0;
    });
    expect(await peopleAt(body.email)).toEqual([]);
    await installation.app.db.query(sql`
      select pg_terminate_backend(pid) from pg_stat_activity
      where state = 'idle in transaction' and datname = current_database() and query like '%crashed%'`);
    expect((await waiting).status).toBe(201);
    expect(await peopleAt(body.email)).toHaveLength(1);
    await dying.end().catch(() => undefined);
  });

  it('a repetition that waited 5 seconds in vain is 409, with nothing done', async () => {
    const body = somebody();
    const slow = new pg.Client({ connectionString: installation.databaseUrl });
    await slow.connect();
    await slow.query('begin');
    await slow.query("insert into idempotency_keys (api_key_id, key, request_hash, created_at) values (1, 'slow', '', now())");
    expect(await keyed('slow', body)).toMatchObject(conflict);
    await slow.query('rollback');
    await slow.end();
    expect((await keyed('slow', body)).status).toBe(201);
  });

  it('when the answer can not be stored the change is not made either: 500, and the repetition does it', async () => {
    const body = somebody();
    await installation.app.db.query(sql`
      create or replace function fault() returns trigger language plpgsql as $$ begin raise 'disk full'; end $$`);
    await installation.app.db.query(sql`create trigger fault before update on idempotency_keys for each row execute function fault()`);
    expect(await keyed('fault', body)).toMatchObject({ status: 500, body: { error: { code: 'internal_error' } } });
    expect(await peopleAt(body.email)).toEqual([]);
    expect(await storedKeys()).not.toContainEqual({ key: 'fault' });
    await installation.app.db.query(sql`drop trigger fault on idempotency_keys`);
    expect((await keyed('fault', body)).status).toBe(201);
  });

  it('a deadlock or serialisation failure inside is run again, whole, and answered once', async () => {
    const body = somebody();
    await installation.app.db.query(sql`create sequence tries`);
    await installation.app.db.query(sql`
      create or replace function fault() returns trigger language plpgsql as $$ begin
        if nextval('tries') = 1 then raise sqlstate '40001'; end if;
        return new;
      end $$`);
    await installation.app.db.query(sql`create trigger fault before insert on memberships for each row execute function fault()`);
    const answer = await keyed('again', body);
    await installation.app.db.query(sql`drop trigger fault on memberships`);
    expect(answer.status).toBe(201);
    expect((await keyed('again', body)).body).toEqual(answer.body);
    expect(await peopleAt(body.email)).toHaveLength(1);
  });
});
