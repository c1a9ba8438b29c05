import { PassThrough } from 'node:stream';
import { beforeAll, describe, expect, it } from 'vitest';
import { createLogger } from '../../src/core/log.ts';
import { sql } from '../../src/db/statement.ts';
import { type Daemon, startDaemon } from '../../src/main/daemon.ts';
import { afterFile } from '../support/after-file.ts';
import { type TestInstallation, testInstallation } from '../support/database.ts';

let installation: TestInstallation;
let daemon: Daemon;
const logged = new PassThrough();
let lines = '';
logged.on('data', (text: Buffer) => {
  lines += text;
});

beforeAll(async () => {
  installation = await testInstallation();
  daemon = await startDaemon(
    { ...installation.app, log: createLogger('info', logged) },
    { worker: false, databaseUrl: installation.databaseUrl },
  );
  afterFile(() => daemon.stop());
});

const get = (path: string, headers: Record<string, string> = {}) =>
  fetch(`${daemon.url}${path}`, { headers: { authorization: `Bearer ${installation.adminKey}`, ...headers } });

describe('X-Request-Id', () => {
  it('comes back as it was sent, on every path and with every status', async () => {
    for (const path of ['/api/v1/me', '/api/v1/nowhere', '/healthz', '/trpc/access.me', '/invite/x'])
      expect((await get(path, { 'x-request-id': 'trace-7:a/b' })).headers.get('x-request-id'), path).toBe('trace-7:a/b');
  });

  it('is made where none is sent, and where it could not stand in a log', async () => {
    const ids = [await get('/healthz'), await get('/healthz'), await get('/healthz', { 'x-request-id': 'a b' })];
    const [first, second, replaced] = ids.map(({ headers }) => headers.get('x-request-id') ?? '');
    for (const id of [first, second, replaced]) expect(id).toMatch(/^[0-9a-f-]{36}$/);
    expect(first).not.toBe(second);
    const long = await get('/healthz', { 'x-request-id': 'x'.repeat(129) });
    expect(long.headers.get('x-request-id')).toHaveLength(36);
  });

  it('stands in the log line of a request that failed, with its route, under /api/v1 and under /trpc', async () => {
    await installation.app.db.query(sql`alter table lists rename to lists_gone`);
    for (const [path, route, id] of [
      ['/api/v1/lists/1', '/api/v1/lists/{id}', 'rest-1'],
      ['/trpc/lists.list?input=%7B%7D', '/trpc/lists.list', 'trpc-1'],
    ] as const) {
      expect((await get(path, { 'x-request-id': id })).status).toBe(500);
      const failed = lines.split('\n').filter((line) => line.includes('request failed') && line.includes(`"request_id":"${id}"`));
      expect(failed, path).toHaveLength(1);
      expect(JSON.parse(failed[0] ?? '')).toMatchObject({ route });
    }
    await installation.app.db.query(sql`alter table lists_gone rename to lists`);
  });
});
