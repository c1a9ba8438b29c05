import { type AddressInfo, connect, createServer } from 'node:net';
import pg from 'pg';
import { beforeAll, describe, expect, it } from 'vitest';
import { afterFile } from '../support/after-file.ts';
import { testInstallation } from '../support/database.ts';

let databaseUrl: string;
beforeAll(async () => {
  ({ databaseUrl } = await testInstallation());
});

/** A connection to PostgreSQL that counts the packets its client writes. */
async function counted() {
  const { hostname, port, pathname, username, password } = new URL(databaseUrl);
  let packets = 0;
  const proxy = createServer((socket) => {
    const server = connect(Number(port || 5432), hostname);
    socket.on('data', () => packets++).on('error', () => server.destroy());
    server.on('error', () => socket.destroy());
    socket.pipe(server).pipe(socket);
  });
  await new Promise<void>((resolve) => proxy.listen(0, '127.0.0.1', resolve));
  afterFile(() => void proxy.close());
  const client = new pg.Client({
    ...{ host: '127.0.0.1', port: (proxy.address() as AddressInfo).port, database: pathname.slice(1) },
    ...{ user: decodeURIComponent(username), password: decodeURIComponent(password), pipeline: true },
  });
  await client.connect();
  afterFile(() => client.end());
  return { client, packets: () => packets };
}

describe('an upgrade of pg breaks look-ups unless', () => {
  it('what is asked while connection.stream is corked leaves in one packet, and every answer goes to who asked', async () => {
    const { client, packets } = await counted();
    const before = packets();
    const { stream } = client.connection;
    stream.cork();
    const answers = [1, 2, 3].map((value) => client.query({ name: 'echo', text: 'select $1::int as value', values: [value] }));
    stream.uncork();
    expect((await Promise.all(answers)).map(({ rows }) => rows)).toEqual([[{ value: 1 }], [{ value: 2 }], [{ value: 3 }]]);
    expect(packets() - before).toBe(1);
  });

  it('a statement that fails, fails alone in a pipeline', async () => {
    const { client } = await counted();
    const answers = await Promise.allSettled([2, 0, 5].map((by) => client.query('select 10 / $1::int as value', [by])));
    expect(answers.map(({ status }) => status)).toEqual(['fulfilled', 'rejected', 'fulfilled']);
  });
});

describe('an upgrade of pg breaks the pools unless', () => {
  it('a pool waits for what onConnect promises before it hands out a new connection', async () => {
    let isSet = false;
    const pool = new pg.Pool({
      connectionString: databaseUrl,
      onConnect: async (client) => {
        await client.query('set enable_seqscan = off');
        isSet = true;
      },
    });
    afterFile(() => pool.end());
    const client = await pool.connect();
    expect(isSet).toBe(true);
    client.release();
  });
});
