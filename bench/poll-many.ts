import { readFileSync } from 'node:fs';
import { setTimeout as wait } from 'node:timers/promises';
import { fileURLToPath } from 'node:url';
import { sealImapSecret } from '../src/accounts/secret.ts';
import { sql } from '../src/db/statement.ts';
import { PASSWORD } from '../test/support/polled-mailbox.ts';
import { insertAccount } from '../test/support/rows.ts';
import { cpuOfTree } from './cpu.ts';
import { type BenchInstallation, type BenchProcess, benchInstallation, startProcess } from './installation.ts';
import type { Measurement } from './measure.ts';
import { residentOf } from './memory.ts';

const ACCOUNTS = 10_000;
const INTERVAL_SECONDS = 120;
/** One round, in which every mailbox is read for the first time, after which connections are kept. */
const SETTLE_SECONDS = INTERVAL_SECONDS + 5;
const SECONDS = 60;
const CORES = 2;
const pathOf = (relative: string) => fileURLToPath(new URL(relative, import.meta.url));

/**
 * A daemon that polls 10,000 mailboxes without new messages every 120 seconds over TLS, on an IMAP server in a separate process: polls per
 * second against the number that the interval requires. The note gives the CPU time per poll of the daemon with its readers and of
 * PostgreSQL, their share of two cores, and the daemon's memory.
 */
export const pollManyRow: Measurement = {
  name: 'poll-10000',
  unit: 'mailboxes/s',
  rounds: 1,
  async prepare() {
    const stub = await startProcess(process.execPath, [pathOf('imap-stub.ts')]);
    const installation = await benchInstallation();
    await seedMailboxes(installation, Number(stub.said));
    const daemon = await startProcess(process.execPath, [pathOf('../bin/run.js'), 'start'], {
      NODE_ENV: 'production',
      NODE_EXTRA_CA_CERTS: pathOf('../test/support/tls/localhost.crt'),
      DATABASE_URL: installation.databaseUrl,
      OUTREACH_DATA_DIR: installation.dataDir,
      OUTREACH_PORT: '0',
      OUTREACH_LOG_LEVEL: 'warn',
      OUTREACH_POLL_INTERVAL_SECONDS: String(INTERVAL_SECONDS),
    });
    await wait(SETTLE_SECONDS * 1_000);
    let note = '';
    return {
      async ours() {
        const pids = [daemon.pid, installation.postgresPid] as const;
        const before = pids.map(cpuOfTree);
        const polls = await countPolls(installation, () => wait(SECONDS * 1_000));
        const spent = pids.map((pid, index) => cpuOfTree(pid) - (before[index] ?? 0));
        const each = spent.map((microseconds) => (microseconds / polls / 1_000).toFixed(2));
        const share = spent.map((microseconds) => (microseconds / SECONDS / CORES / 10_000).toFixed(0));
        note =
          `${ACCOUNTS} mailboxes: daemon ${each[0]} ms of CPU a poll, ${share[0]} % of two cores, ${residentMegabytes(daemon)} MB resident; ` +
          `its PostgreSQL ${each[1]} ms, ${share[1]} %`;
        return polls / SECONDS;
      },
      ceiling: async () => ACCOUNTS / INTERVAL_SECONDS,
      note: () => note,
      async close() {
        await daemon.stop();
        await installation.remove();
        await stub.stop();
      },
    };
  },
};

/** Creates accounts that sent a moment ago, whose mailboxes are due one after the other over an interval. */
async function seedMailboxes({ app }: BenchInstallation, port: number): Promise<void> {
  const server = { host: 'localhost', port, secure: true, tls: 'required' as const, user: 'reader' };
  const first = await insertAccount(app, { email: 'box-0@example.com', imap: JSON.stringify(server), last_batch_at: new Date() });
  await app.db.query(sql`
    insert into accounts select (jsonb_populate_record(a, jsonb_build_object('id', a.id + n, 'email', 'box-' || n || '@example.com'))).*
    from accounts a, generate_series(1, ${ACCOUNTS - 1}::int) n where a.id = ${first}`);
  const secrets = Array.from({ length: ACCOUNTS }, (_, n) => sealImapSecret(app, { id: first + n, server }, { pass: PASSWORD }));
  await app.db.query(sql`
    update accounts set imap_secret = secret, next_poll_at = now() + make_interval(secs => n * ${INTERVAL_SECONDS / ACCOUNTS}::float)
    from unnest(${secrets}::text[]) with ordinality as sealed (secret, n) where id = ${first}::int + n - 1`);
  await app.db.query(sql`vacuum (analyze) accounts`);
}

/** Counts the mailboxes that were completely polled during `work`, which is shorter than the interval. */
async function countPolls({ app }: BenchInstallation, work: () => Promise<void>): Promise<number> {
  const [before] = await app.db.query<{ now: Date }>(sql`select now()`);
  await work();
  const [row] = await app.db.query<{ count: number }>(
    sql`select count(*)::int as count from accounts where last_polled_at >= ${before?.now}`,
  );
  return row?.count ?? 0;
}

/** Resident memory of a process and its children in megabytes. */
function residentMegabytes({ pid }: BenchProcess): number {
  const children = readFileSync(`/proc/${pid}/task/${pid}/children`, 'utf8').trim().split(' ').filter(Boolean);
  return [pid, ...children.map(Number)].reduce((sum, each) => sum + residentOf(each), 0);
}
