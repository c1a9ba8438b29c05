import pg from 'pg';
import { beforeAll, describe, expect, it } from 'vitest';
import { loadConfig } from '../../src/core/config.ts';
import { createLogger } from '../../src/core/log.ts';
import { type Database, openDatabase } from '../../src/db/database.ts';
import { parseDatabaseUrl } from '../../src/db/database-url.ts';
import { prepared, sql } from '../../src/db/statement.ts';
import { afterFile } from '../support/after-file.ts';
import { blocksOf } from '../support/docs.ts';
import { debianPostgres, type OwnServer, startPostgres } from '../support/postgres.ts';
import { TEST_CERTIFICATE } from '../support/smtp-sink.ts';
import { waitUntil } from '../support/wait-until.ts';

async function open(url: string): Promise<Database> {
  const db = await openDatabase(url, createLogger('silent'), {
    migrations: [],
    entities: async () => [],
  });
  afterFile(() => db.close());
  return db;
}

const at = ({ port }: OwnServer, rest = '', host = 'localhost') => `postgres://tester:secret@${host}:${port}/postgres${rest}`;
/** The same question on both pools, in and out of transactions. */
const everywhere = (db: Database, question: ReturnType<typeof sql>) =>
  Promise.all([
    db.query(question),
    db.query(prepared('asked', question)),
    db.forRequests().query(question),
    db.forRequests().query(prepared('asked', question)),
    db.tx((tx) => tx.query(question)),
    db.bulk((tx) => tx.query(question)),
  ]);

describe('TLS asked for is TLS had, or a refusal', () => {
  let [plain, secure]: OwnServer[] = [];
  beforeAll(async () => {
    [plain, secure] = await Promise.all([
      startPostgres(),
      startPostgres({ tls: true, hba: 'hostssl all all all scram-sha-256\nlocal all all scram-sha-256\n' }),
    ]);
  });

  it.each([
    'require',
    `verify-ca&sslrootcert=${TEST_CERTIFICATE}`,
    `verify-full&sslrootcert=${TEST_CERTIFICATE}`,
  ])('sslmode=%s is refused by a server without, and had on every connection with one', async (mode) => {
    const without = await open(at(plain as OwnServer, `?sslmode=${mode}`));
    await expect(without.query(sql`select 1`)).rejects.toThrow('does not support SSL');
    const db = await open(at(secure as OwnServer, `?sslmode=${mode}`));
    const answers = await everywhere(db, sql`select ssl from pg_stat_ssl where pid = pg_backend_pid()`);
    expect(answers).toEqual(Array(6).fill([{ ssl: true }]));
  });

  it('verify-full refuses a certificate of another host, and one that nobody vouches for', async () => {
    const server = secure as OwnServer;
    const otherHost = await open(
      `postgres://tester:secret@127.0.0.2:${server.port}/postgres?sslmode=verify-full&sslrootcert=${TEST_CERTIFICATE}`,
    );
    await expect(otherHost.query(sql`select 1`)).rejects.toThrow(/altnames|IP/);
    const unknown = await open(at(server, '?sslmode=verify-full'));
    await expect(unknown.query(sql`select 1`)).rejects.toThrow(/self.signed/);
  });

  it('a socket needs no TLS', async () => {
    const { folder, port } = secure as OwnServer;
    const db = await open(`postgres://tester:secret@/postgres?host=${folder}&port=${port}`);
    expect(await db.query(sql`select inet_server_addr() is null as on_socket`)).toEqual([{ on_socket: true }]);
  });
});

it('of several servers, the one that takes writes is used, and found again when another takes its place', async () => {
  const [first, second] = await Promise.all([startPostgres(), startPostgres()]);
  await first.set({ default_transaction_read_only: 'on' });
  const db = await open(`postgres://tester:secret@localhost:${first.port},localhost:${second.port}/postgres`);
  const port = sql`select current_setting('port')::int as port`;
  expect(await everywhere(db, port)).toEqual(Array(6).fill([{ port: second.port }]));
  await second.stop();
  await expect(db.query(sql`select 1`)).rejects.toThrow();
  await expect(db.query(sql`select 1`)).rejects.toThrow(
    /no server accepts writes: localhost:\d+ is read-only; localhost:\d+ connect ECONNREFUSED/,
  );
  await first.set({ default_transaction_read_only: 'off' });
  const answers = await waitUntil('the other server is used', () => everywhere(db, port).catch(() => undefined));
  expect(answers).toEqual(Array(6).fill([{ port: first.port }]));
});

it.skipIf(debianPostgres === undefined)('no statement is compiled by JIT, on a server that compiles everything', async () => {
  const server = await startPostgres({ bin: debianPostgres });
  await server.set({ jit: 'on', jit_above_cost: '0' });
  const plan = sql`explain (analyze, costs off) select count(*) from pg_class`;
  const bare = new pg.Client(at(server));
  await bare.connect();
  afterFile(() => bare.end());
  const bareText = JSON.stringify((await bare.query(plan.text)).rows);
  if (!bareText.includes('JIT')) return expect(bareText, 'this server has no JIT').toContain('Aggregate');
  const db = await open(at(server));
  for (const answer of await everywhere(db, plan)) expect(JSON.stringify(answer)).not.toContain('JIT');
});

it('docs/database.md: its statements make a role and a database that open, and its settings are taken', async () => {
  const server = await startPostgres();
  const admin = new pg.Client(at(server));
  await admin.connect();
  afterFile(() => admin.end());
  const statements = blocksOf('docs/database.md', 'sql').flatMap(({ text }) => text.split(';\n'));
  for (const statement of statements.filter((text) => text.trim() !== '')) await admin.query(statement);
  const db = await open(`postgres://outreach:%E2%80%A6@localhost:${server.port}/outreach`);
  expect(await db.query(sql`show statement_timeout`)).toEqual([{ statement_timeout: '1min' }]);

  const [settings] = blocksOf('docs/database.md', 'ini');
  const urls = Object.fromEntries([...(settings?.text ?? '').matchAll(/^(\w+)=(.*)$/gm)].map(([, name = '', url]) => [name, url]));
  const config = loadConfig({}, { ...urls, OUTREACH_DATA_DIR: server.folder });
  expect([config.databaseUrl, config.databaseDirectUrl].map((url) => parseDatabaseUrl(url ?? '').label)).toEqual([
    'pooler:6432/outreach',
    'db:5432/outreach',
  ]);
});
