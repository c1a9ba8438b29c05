import { readFileSync } from 'node:fs';
import { setTimeout as wait } from 'node:timers/promises';
import { fileURLToPath } from 'node:url';
import { sql } from '../src/db/statement.ts';
import { cpuOfTree } from './cpu.ts';
import { type BenchInstallation, benchInstallation, startProcess } from './installation.ts';
import { seedRunningAccounts } from './many-accounts.ts';
import { type Measurement, median } from './measure.ts';
import { residentOf } from './memory.ts';
import { startSink } from './sink.ts';

const ACCOUNTS = 10_000;
const PROGRAM = fileURLToPath(new URL('../bin/run.js', import.meta.url));
/** A daemon is busy for a while after it has started. */
const SETTLE_SECONDS = 10;
const SECONDS = 10;

/**
 * CPU usage of an idle daemon with 10,000 connected accounts, against one without any. Half of the accounts have a running
 * campaign whose contacts all wait for their next step; the others have a mailbox to poll and no campaign. The note gives the
 * memory of the process and the CPU usage of its PostgreSQL.
 */
export const idleRow: Measurement = {
  name: 'idle',
  unit: '% of a core',
  rounds: 3,
  async prepare() {
    const sink = await startSink();
    const empty = await idleDaemon();
    const full = await idleDaemon(sink.port);
    await wait(SETTLE_SECONDS * 1_000);
    const postgres: number[] = [];
    return {
      ours: async () => {
        const { daemon, database } = await full.share();
        postgres.push(database);
        return daemon;
      },
      ceiling: async () => (await empty.share()).daemon,
      note: () =>
        `${ACCOUNTS} accounts: ${full.megabytes()} MB resident, without any ${empty.megabytes()} MB; its PostgreSQL ${median(postgres).toFixed(1)} %`,
      async close() {
        await Promise.all([empty.close(), full.close()]);
        await sink.stop();
      },
    };
  },
};

async function idleDaemon(port?: number) {
  const installation = await benchInstallation();
  if (port !== undefined) await seedIdle(installation, port);
  const daemon = await startProcess(process.execPath, [PROGRAM, 'start'], {
    NODE_ENV: 'production',
    DATABASE_URL: installation.databaseUrl,
    OUTREACH_DATA_DIR: installation.dataDir,
    OUTREACH_PORT: '0',
    OUTREACH_LOG_LEVEL: 'warn',
  });
  const postmaster = Number.parseInt(readFileSync(`${installation.dataDir}/postgres/postmaster.pid`, 'utf8'), 10);
  return {
    megabytes: () => residentOf(daemon.pid),
    async share() {
      const before = [cpuOfTree(daemon.pid), cpuOfTree(postmaster)] as const;
      await wait(SECONDS * 1_000);
      const percent = (pid: number, since: number) => (cpuOfTree(pid) - since) / SECONDS / 10_000;
      return { daemon: percent(daemon.pid, before[0]), database: percent(postmaster, before[1]) };
    },
    async close() {
      await daemon.stop();
      await installation.remove();
    },
  };
}

async function seedIdle({ app }: BenchInstallation, port: number): Promise<void> {
  await app.db.query(sql`
    insert into contacts (workspace_id, name, email, created_at, updated_at) values (1, 'First', 'first@example.org', now(), now())`);
  const { accountId, campaignId } = await seedRunningAccounts(app, port, ACCOUNTS);
  // Nothing listens there, so nothing must connect.
  const mailbox = JSON.stringify({ host: '127.0.0.1', port: 1, secure: false, tls: 'off', user: 'reader' });
  await app.db.query(sql`
    update accounts set imap = ${mailbox}::jsonb, imap_secret = smtp_secret, next_poll_at = now(), next_batch_at = null
    where id >= ${accountId + ACCOUNTS / 2}`);
  await app.db.query(sql`
    update campaigns set status = 'draft', updated_at = now() - interval '1 year' where id >= ${campaignId + ACCOUNTS / 2}`);
  await app.db.query(sql`
    insert into enrolments (workspace_id, campaign_id, contact_id, account_id, current_step, last_sent_step, due_at, created_at, updated_at)
    select 1, id, (select min(id) from contacts), account_id, 2, 1, now() + interval '3 days', now(), now()
    from campaigns where status = 'active' on conflict (campaign_id, contact_id) do update set due_at = excluded.due_at, current_step = 2`);
  await app.db.query(sql`update accounts set next_batch_at = now() + interval '3 days', last_batch_at = now() where imap is null`);
  await app.db.query(sql`vacuum (analyze) accounts, campaigns, enrolments`);
}
