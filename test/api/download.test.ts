import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import express from 'express';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { sendDownload } from '../../src/api/download.ts';
import { invalid } from '../../src/core/errors.ts';

let server: Server;
let ended = 0;

/** Yields pieces, then throws an error if one is given. */
async function* pieces(count: number, failure?: Error): AsyncGenerator<string> {
  try {
    for (let made = 0; made < count; made++) yield 'x'.repeat(100_000);
    if (failure !== undefined) throw failure;
  } finally {
    ended++;
  }
}

const RESPONSES: Record<string, () => AsyncGenerator<string>> = {
  '/whole': () => pieces(3),
  '/empty': () => pieces(0),
  '/refused': () => pieces(0, invalid('no')),
  '/cut': () => pieces(3, new Error('broken')),
  '/endless': () => pieces(1_000_000),
};

beforeAll(async () => {
  const app = express().use((req, res) => {
    sendDownload(res, { type: 'text/csv', pieces: RESPONSES[req.path]?.() ?? pieces(0) }).catch((error: Error) => {
      if (!res.headersSent) res.status(400).send(error.message);
    });
  });
  server = createServer(app);
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
});
afterAll(() => server.close());

const get = (path: string, init: RequestInit = {}) => fetch(`http://127.0.0.1:${(server.address() as AddressInfo).port}${path}`, init);

describe('a download', () => {
  it('is sent in pieces', async () => {
    const response = await get('/whole');
    expect([response.status, response.headers.get('content-type')]).toEqual([200, 'text/csv; charset=utf-8']);
    expect((await response.text()).length).toBe(300_000);
    expect(await (await get('/empty')).text()).toBe('');
  });

  it('that fails before the first piece can still be answered', async () => {
    const response = await get('/refused');
    expect([response.status, await response.text()]).toEqual([400, 'no']);
  });

  it('that fails later is cut, so that no part passes for the whole', async () => {
    const response = await get('/cut');
    expect(response.status).toBe(200);
    await expect(response.text()).rejects.toThrow('terminated');
  });

  it('ends with its reader', async () => {
    const before = ended;
    const controller = new AbortController();
    const response = await get('/endless', { signal: controller.signal });
    await response.body?.getReader().read();
    controller.abort();
    await expect.poll(() => ended).toBe(before + 1);
  });
});
