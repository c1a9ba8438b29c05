import { setTimeout as wait } from 'node:timers/promises';
import { fileURLToPath } from 'node:url';
import { operator } from '../src/access/index.ts';
import type { App } from '../src/app.ts';
import { activateCampaign } from '../src/campaigns/index.ts';
import { MINUTE } from '../src/core/clock.ts';
import { sql } from '../src/db/statement.ts';
import { connectBulkAccount } from '../test/support/bulk-campaigns.ts';
import type { DaemonProcess } from '../test/support/daemon-process.ts';
import { cpuOfTree } from './cpu.ts';
import { startDaemon } from './daemon.ts';
import { type BenchInstallation, benchInstallation } from './installation.ts';
import { residentOf } from './memory.ts';
import { seedContacts } from './seed.ts';
import { draftCampaign, enrolInEach } from './sending.ts';
import { type Sink, startSink } from './sink.ts';

/**
 * `node bench/hour.ts [MINUTES [EMAILS_A_SECOND]]`, after `npm run build`: a daemon sends at half its top rate, by default for an hour.
 * Each account sends a batch a minute, and their minutes begin one after the other. Prints the rate, the daemon's memory, the processor
 * time and the sizes of tables and indexes for each part of the time, as a line of JSON. Rate, memory and bytes per email must stay the
 * same, and so must the size of tables that are only updated.
 */
const ACCOUNTS = 50;
const PARTS = 12;
/** Time until the first batch begins, for starting the daemon and activating each campaign. */
const START_DELAY = 20_000;
const caller = operator(1, 1);

interface Sample {
  minute: number;
  emails: number;
  emails_a_second: number;
  daemon_megabytes: number;
  /** Processor time per email, in microseconds. */
  daemon_cpu: number;
  postgres_cpu: number;
  /** Megabytes of each table with its indexes. */
  sizes: Record<string, number>;
}

const minutes = Number(process.argv[2] ?? 60);
const rate = Number(process.argv[3] ?? 800);
process.chdir(fileURLToPath(new URL('..', import.meta.url)));

const sink = await startSink();
const installation = await benchInstallation();
const campaigns = await prepare(installation.app, sink);
const daemon = await startDaemon(installation);
const begin = Date.now() + START_DELAY;
for (const [index, id] of campaigns.entries())
  await activateCampaign(installation.app, caller, id, new Date(begin + (index * MINUTE) / ACCOUNTS));
// In the first minute the accounts begin.
await wait(begin + MINUTE - Date.now());
await sample(installation, daemon);
await daemon.end('SIGTERM');
await installation.remove();
await sink.stop();
process.exit();

/** Creates accounts and their campaigns, with enough enrolled contacts for the whole time. Returns the campaigns. */
async function prepare(app: App, { port }: Sink): Promise<number[]> {
  const batch = Math.round((rate * 60) / ACCOUNTS);
  const ids: number[] = [];
  for (let index = 0; index < ACCOUNTS; index++) {
    const account = { email: `sender-${index}@example.com`, smtpUrl: `smtp://127.0.0.1:${port}`, password: '' };
    const accountId = await connectBulkAccount(app, caller, { ...account, batch, dailyLimit: 1_000_000 });
    ids.push(await draftCampaign(app, accountId, `Campaign ${index}`));
  }
  const contacts = batch * (minutes + 3);
  await seedContacts(app.db, contacts);
  await enrolInEach(app, ids, contacts);
  return ids;
}

async function sample(on: BenchInstallation, { pid }: DaemonProcess): Promise<void> {
  const start = Date.now();
  const counted = async () => ({ at: Date.now(), emails: await emailsSent(on.app), cpu: [cpuOfTree(pid), cpuOfTree(on.postgresPid)] });
  let before = await counted();
  for (let part = 1; part <= PARTS; part++) {
    await wait(start + (part * minutes * MINUTE) / PARTS - Date.now());
    const now = await counted();
    const emails = now.emails - before.emails;
    const [daemonCpu = 0, postgresCpu = 0] = now.cpu.map((cpu, index) => Math.round((cpu - (before.cpu[index] ?? 0)) / emails));
    const measured: Sample = {
      ...{ minute: Math.round((part * minutes * 10) / PARTS) / 10, emails: now.emails },
      emails_a_second: Math.round(emails / ((now.at - before.at) / 1_000)),
      daemon_megabytes: residentOf(pid),
      ...{ daemon_cpu: daemonCpu, postgres_cpu: postgresCpu, sizes: await sizes(on.app) },
    };
    console.log(JSON.stringify(measured));
    before = now;
  }
}

async function emailsSent(app: App): Promise<number> {
  const [row] = await app.db.query<{ sent: number }>(sql`select coalesce(sum(accepted), 0)::int as sent from account_days`);
  return row?.sent ?? 0;
}

/** Reads the sizes of all tables of a megabyte or more. */
async function sizes(app: App): Promise<Record<string, number>> {
  const rows = await app.db.query<{ name: string; bytes: number }>(sql`
    select relname as name, pg_total_relation_size(oid) as bytes from pg_class
    where relnamespace = 'public'::regnamespace and relkind = 'r' and pg_total_relation_size(oid) >= 1e6 order by relname`);
  return Object.fromEntries(rows.map(({ name, bytes }) => [name, Math.round(bytes / 1e5) / 10]));
}
