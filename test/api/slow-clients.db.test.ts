import type { Socket } from 'node:net';
import { beforeAll, describe, expect, it } from 'vitest';
import { type ApiServer, startApi } from '../../src/http/server.ts';
import { apiClient } from '../support/api-client.ts';
import { type TestInstallation, testInstallation } from '../support/database.ts';
import { dial } from '../support/raw-http.ts';
import { insertRow } from '../support/rows.ts';
import { waitUntil } from '../support/wait-until.ts';

/** The daemon's timeouts, but much shorter. */
const SHORT = { headersTimeout: 1_500, requestTimeout: 2_000, keepAliveTimeout: 50, connectionsCheckingInterval: 50, idleTimeout: 3_000 };

let installation: TestInstallation;
let server: ApiServer;
const head = (line: string) => `${line} HTTP/1.1\r\nHost: x\r\nAuthorization: Bearer ${installation.adminKey}\r\n`;

beforeAll(async () => {
  installation = await testInstallation();
  server = await startApi(installation.app, { problem: async () => undefined }, [], SHORT);
});

/** Opens a connection, and tracks the data received on it and whether the server has ended it. */
async function slow(send: (socket: Socket) => void) {
  const socket = await dial(server.url);
  const seen = { socket, text: '', ended: false };
  socket.on('data', (chunk: Buffer) => {
    seen.text += chunk.toString();
  });
  socket.on('error', () => {});
  socket.on('close', () => {
    seen.ended = true;
  });
  send(socket);
  return seen;
}

describe('slow and half-open clients cannot hold the server', () => {
  it.concurrent.each([
    ['one that sends nothing', () => {}],
    ['one that stops inside the request line', (socket: Socket) => socket.write('GET /api')],
    ['one that never ends its headers', (socket: Socket) => socket.write(head('GET /api/v1/me'))],
    [
      'one that never sends the body it announced',
      (socket: Socket) => socket.write(`${head('POST /api/v1/lists')}Content-Type: application/json\r\nContent-Length: 20\r\n\r\n{"na`),
    ],
    ['one that keeps its connection for nothing', (socket: Socket) => socket.write(`${head('GET /api/v1/me')}\r\n`)],
  ])('%s is cut off', async (_what, send) => {
    const client = await slow(send);
    await waitUntil('the server ends the connection', () => client.ended);
    if (client.text !== '') expect(client.text).toMatch(/^HTTP\/1\.1 (200|408) /);
    if (client.text.includes(' 408 ')) expect(client.text).toContain('{"error":{"code":"invalid_request"');
  });

  it.concurrent('one that trickles its headers is cut off all the same', async () => {
    const client = await slow(() => {});
    const trickle = setInterval(() => client.socket.writable && client.socket.write('X'), 20);
    await waitUntil('the server ends the connection', () => client.ended);
    clearInterval(trickle);
  });

  it.concurrent('with a hundred of them hanging, others are answered', async () => {
    const hanging = await Promise.all(Array.from({ length: 100 }, () => slow((socket) => socket.write('GET /'))));
    expect((await apiClient(server.url, installation.adminKey).get('/me')).status).toBe(200);
    await waitUntil('all of them are cut off', () => hanging.every(({ ended }) => ended));
  });

  it('one that does not take its answer is cut off', async () => {
    const now = installation.clock.now();
    for (let count = 0; count < 60; count++)
      await insertRow(installation.app, 'templates', {
        ...{
          workspace_id: 1,
          name: 'Large',
          type: 'template',
          body_html: 'x'.repeat(256 * 1024),
          created_by: 1,
          created_at: now,
          updated_at: now,
        },
      });
    const client = await slow((socket) => {
      socket.pause();
      socket.write(`${head('GET /api/v1/templates')}\r\n`);
    });
    // Closing waits for every connection: without the timeout it would wait forever.
    await server.close();
    client.socket.resume();
    await waitUntil('the connection is over', () => client.ended);
    expect(client.text.length).toBeLessThan(60 * 256 * 1024);
  });
});

it('an idle connection lasts longer than the 60 s of nginx and other proxies, which else would send a request into its end', async () => {
  const daemon = await startApi(installation.app, { problem: async () => undefined });
  const { headers } = await apiClient(daemon.url, installation.adminKey).get('/me');
  await daemon.close();
  expect(headers.get('keep-alive')).toMatch(/^timeout=\d+$/);
  expect(Number(headers.get('keep-alive')?.slice('timeout='.length))).toBeGreaterThan(60);
});
