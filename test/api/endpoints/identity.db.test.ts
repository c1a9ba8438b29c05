import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { type Daemon, startDaemon } from '../../../src/main/daemon.ts';
import { type ApiClient, apiClient } from '../../support/api-client.ts';
import { testInstallation } from '../../support/database.ts';

let daemon: Daemon;
let api: ApiClient;

beforeAll(async () => {
  const { app, adminKey, databaseUrl } = await testInstallation();
  daemon = await startDaemon(app, { worker: false, databaseUrl });
  api = apiClient(daemon.url ?? '', adminKey);
});
afterAll(() => daemon?.stop());

describe('Identity', () => {
  it('GET /me returns exactly user_id, name, email, role, api_key_id', async () => {
    const { status, body } = await api.get('/me');
    expect(status).toBe(200);
    expect(body).toEqual({ user_id: 1, name: 'Admin', email: 'admin@example.com', role: 'admin', api_key_id: 1 });
  });

  it.each([
    null,
    'x',
    'ork_00000000000000000000000000000000ffffffff',
  ])('a missing, malformed or unknown key (%s) gives 401 unauthorized in the error envelope', async (key) => {
    const { status, body, headers } = await api.as(key).get('/me');
    expect(status).toBe(401);
    expect(body).toEqual({ error: { code: 'unauthorized', message: expect.any(String) } });
    expect(headers.get('www-authenticate')).toBe('Bearer');
  });

  it('an unknown path and a wrong method both answer 404 not_found', async () => {
    expect((await api.get('/nothing')).body.error.code).toBe('not_found');
    expect((await api.delete('/me')).status).toBe(404);
  });
});
