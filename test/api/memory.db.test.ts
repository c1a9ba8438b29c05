import type { Socket } from 'node:net';
import { setFlagsFromString } from 'node:v8';
import { runInNewContext } from 'node:vm';
import { gzipSync } from 'node:zlib';
import { describe, expect, it } from 'vitest';
import { sql } from '../../src/db/statement.ts';
import { dial } from '../support/raw-http.ts';
import { refusal, servedInstallation } from '../support/served.ts';
import { waitUntil } from '../support/wait-until.ts';

const { api, app, url, adminKey } = await servedInstallation({ limitsRequests: 5 });
const MEBIBYTE = 1024 * 1024;

setFlagsFromString('--expose-gc');
/** Collects garbage, which would otherwise count as memory that the server keeps. */
const collectGarbage = runInNewContext('gc') as () => void;

/** Templates of 256 KiB each. */
const insertLarge = (count: number) =>
  app.db.query(sql`
    insert into templates (workspace_id, name, type, body_html, created_by, created_at, updated_at)
    select 1, 'Large ' || n, 'template', repeat('x', 262144), 1, now(), now() from generate_series(1, ${count}::int) n`);

const head = (line: string) => `${line} HTTP/1.1\r\nHost: x\r\nAuthorization: Bearer ${adminKey}\r\n`;

/** Connects and sends requests, but reads no response. */
async function send(text: string): Promise<Socket> {
  const socket = await dial(url);
  socket.on('error', () => undefined);
  socket.write(text);
  return socket.pause();
}

describe('An answer', () => {
  it('of more than 32 MiB is refused before it is in memory; fewer records at a time are answered', async () => {
    await insertLarge(140);
    const before = process.memoryUsage().heapUsed;
    expect(await api.get('/templates?limit=200')).toMatchObject(refusal(400, 'invalid_request', 'larger than 32 MiB; ask for less'));
    expect((process.memoryUsage().heapUsed - before) / MEBIBYTE).toBeLessThan(100);
    expect((await api.get('/templates?limit=20')).body.data).toHaveLength(20);
    const input = encodeURIComponent('{"limit":200}');
    const native = await fetch(`${url}/trpc/templates.list?input=${input}`, { headers: { authorization: `Bearer ${adminKey}` } });
    expect(native.status).toBe(400);
  });

  it('that its client does not take counts among the requests of its key', async () => {
    const sockets: Socket[] = [];
    for (let count = 0; count < 5; count++) sockets.push(await send(`${head('GET /api/v1/templates?limit=32')}\r\n`));
    await waitUntil('all are answered', () => sockets.every(({ bytesRead }) => bytesRead > 0));
    expect(await api.get('/me')).toMatchObject(refusal(429, 'too_many_requests', '5 requests in flight'));
    for (const socket of sockets) socket.destroy();
    await waitUntil('the key is free again', async () => (await api.get('/me')).status === 200);
  });
});

describe('A client that goes away', () => {
  it.each([
    '/trpc/contacts.list?input={}',
    '/api/v1/contacts',
  ])('from %s keeps nothing of what its key may have in flight', async (path) => {
    for (let count = 0; count < 40; count++) {
      const socket = await send(`${head(`GET ${path}`)}\r\n`);
      await new Promise((resolve) => setTimeout(resolve, count % 8));
      socket.destroy();
    }
    const together = () => Promise.all(Array.from({ length: 5 }, () => api.get('/me')));
    await waitUntil('all five are answered', async () => (await together()).every(({ status }) => status === 200));
  });
});

describe('A body', () => {
  it('that comes without a valid key is not read, under /trpc either', async () => {
    collectGarbage();
    const before = process.memoryUsage().arrayBuffers;
    const part = Buffer.alloc(MEBIBYTE, ' ');
    const sockets: Socket[] = [];
    for (let count = 0; count < 40; count++) {
      const socket = await send(
        'POST /trpc/contacts.create HTTP/1.1\r\nHost: x\r\nContent-Type: application/json\r\nContent-Length: 5000000\r\n\r\n',
      );
      for (let parts = 0; parts < 4; parts++) socket.write(part);
      sockets.push(socket);
    }
    const refused = await fetch(`${url}/trpc/contacts.create`, {
      method: 'POST',
      body: '{}',
      headers: { 'content-type': 'application/json' },
    });
    expect(refused.status).toBe(401);
    await waitUntil('the clients have sent what the server takes', async () => {
      const sent = sockets.map(({ bytesWritten, writableLength }) => bytesWritten - writableLength);
      await new Promise((resolve) => setTimeout(resolve, 100));
      return sockets.every(({ bytesWritten, writableLength }, index) => bytesWritten - writableLength === sent[index]);
    });
    await waitUntil('less than 40 MiB of 160 are held', () => {
      collectGarbage();
      return (process.memoryUsage().arrayBuffers - before) / MEBIBYTE < 40;
    });
    for (const socket of sockets) socket.destroy();
  });

  it('of a valid key is read under /trpc as it was, compressed too', async () => {
    const headers = { authorization: `Bearer ${adminKey}`, 'content-type': 'application/json' };
    const ask = (body: string | Uint8Array<ArrayBuffer>, more = {}) =>
      fetch(`${url}/trpc/lists.create`, { method: 'POST', body, headers: { ...headers, ...more } });
    expect((await ask('{"name":"Plain"}')).status).toBe(200);
    expect((await ask(gzipSync('{"name":"Packed"}'), { 'content-encoding': 'gzip' })).status).toBe(200);
    expect((await ask(`{"a":[${'[],'.repeat(200_000)}[]]}`)).status).toBe(400);
  });
});
