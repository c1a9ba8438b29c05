import { beforeAll, describe, expect, it } from 'vitest';
import { createMemberKey, listKeys, operator, SCOPES } from '../../src/access/index.ts';
import type { App } from '../../src/app.ts';
import { DAY, HOUR, type ManualClock } from '../../src/core/clock.ts';
import { sql } from '../../src/db/statement.ts';
import type { ApiClient } from '../support/api-client.ts';
import { member } from '../support/people.ts';
import { refusal, servedInstallation } from '../support/served.ts';
import { waitUntil } from '../support/wait-until.ts';

let app: App;
let clock: ManualClock;
let api: ApiClient;
const HERE = operator(1);

beforeAll(async () => {
  ({ app, clock, api } = await servedInstallation());
});

const listed = async (id: number) => (await listKeys(app.db, HERE)).find((key) => key.id === id);

describe('The expiry of a key', () => {
  it('is optional; from that moment on the key gets 401, and the message says why and what to do', async () => {
    const expiresAt = new Date(clock.now().getTime() + DAY);
    const { id, key } = await createMemberKey(app, HERE, { name: 'fair', userId: (await member(app, 'manager')).id, expiresAt });
    expect((await listed(id))?.expires_at).toBe('2026-07-08 12:00:00');
    clock.advance(DAY - 1);
    expect((await api.as(key).get('/me')).status).toBe(200);
    clock.advance(1);
    expect(await api.as(key).get('/me')).toMatchObject(refusal(401, 'unauthorized', 'expired on 2026-07-08; to create another'));
    expect((await api.get('/me')).status).toBe(200);
  });

  it('is in the future, and stands in the audit entry', async () => {
    const person = await member(app, 'manager');
    await expect(createMemberKey(app, HERE, { name: 'late', userId: person.id, expiresAt: clock.now() })).rejects.toThrow(
      'expires_at: must be in the future',
    );
    const expiresAt = new Date(clock.now().getTime() + 1_000);
    const { id } = await createMemberKey(app, HERE, { name: 'soon', userId: person.id, expiresAt });
    const entries = await app.db.query(sql`select changes from audit_log where resource_type = 'api_key' and resource_id = ${id}`);
    expect(entries).toEqual([{ changes: { name: 'soon', scopes: [...SCOPES], user_id: person.id, expires_at: expiresAt.toISOString() } }]);
  });
});

describe('The last use of a key', () => {
  it('is noted to the hour: requests within one write nothing', async () => {
    const { keyId, key } = await member(app, 'manager');
    expect((await listed(keyId))?.last_used_at).toBeNull();
    const startedAt = clock.now();
    const writes = async () => (await app.db.query<{ xmin: string }>(sql`select xmin::text from api_keys where id = ${keyId}`))[0]?.xmin;
    await Promise.all(Array.from({ length: 20 }, () => api.as(key).get('/me')));
    await waitUntil('the first use is noted', async () => (await listed(keyId))?.last_used_at != null);
    const noted = await listed(keyId);
    const version = await writes();
    clock.advance(HOUR - 1);
    await api.as(key).get('/me');
    expect(await writes()).toBe(version);
    clock.advance(1);
    await api.as(key).get('/me');
    await waitUntil('the use an hour later is noted', async () => (await listed(keyId))?.last_used_at !== noted?.last_used_at);
    clock.set(startedAt);
  });
});
