import { setTimeout as wait } from 'node:timers/promises';
import { operator } from '../src/access/index.ts';
import { activateCampaign } from '../src/campaigns/index.ts';
import { MINUTE } from '../src/core/clock.ts';
import { sql } from '../src/db/statement.ts';
import { undoAll } from '../test/support/after-file.ts';
import { bulkCampaign, connectBulkAccount } from '../test/support/bulk-campaigns.ts';
import { type DaemonProcess, startDaemonProcess } from '../test/support/daemon-process.ts';
import { startPgbouncer } from '../test/support/pgbouncer.ts';
import { secretOf } from './daemon.ts';
import { type BenchInstallation, benchInstallation } from './installation.ts';
import type { Measurement } from './measure.ts';
import { startSink } from './sink.ts';

const ACCOUNTS = 40;
const EMAILS_AN_ACCOUNT = 75;
/**
 * Minimum milliseconds between starting the daemons and the campaigns' begin, for activating them. A slow machine gets as long as creating
 * them took.
 */
const START_DELAY = 8_000;
/** Latency of a provider over the internet. Without it, a sink on this machine takes most of its processor time. */
const LATENCY = 20;
const caller = operator(1, 1);

/** The setup of a turn. */
interface Setup {
  daemons: number;
  isPooled?: boolean;
}

/**
 * Emails per second of several daemons of the built program on one database, against one daemon: all campaigns begin at the same
 * moment, and the turn ends when the last email is recorded. With PgBouncer in transaction mode, against one daemon without it.
 */
export const daemonRows: readonly Measurement[] = [
  daemonRow('daemons-2', { daemons: 2 }),
  daemonRow('daemons-3', { daemons: 3 }),
  daemonRow('daemons-4', { daemons: 4 }),
  daemonRow('pgbouncer', { daemons: 1, isPooled: true }),
];

function daemonRow(name: string, setup: Setup): Measurement {
  return {
    name,
    unit: 'emails/s',
    rounds: 3,
    async prepare() {
      const sink = await startSink(LATENCY);
      const installation = await benchInstallation();
      const pooledUrl = setup.isPooled ? await startPgbouncer(installation.databaseUrl, 20) : undefined;
      return {
        ours: () => send(installation, sink.port, setup.daemons, pooledUrl),
        ceiling: () => send(installation, sink.port, 1, undefined),
        note: () => `${ACCOUNTS} accounts, ${ACCOUNTS * EMAILS_AN_ACCOUNT} emails a turn, a server that answers in ${LATENCY} ms`,
        async close() {
          await undoAll();
          await installation.remove();
          await sink.stop();
        },
      };
    },
  };
}

let turns = 0;

/** Sends one turn from new accounts. Returns the emails per second. */
async function send(installation: BenchInstallation, port: number, count: number, pooledUrl: string | undefined): Promise<number> {
  const { app, databaseUrl, dataDir } = installation;
  const turn = ++turns;
  const campaigns: number[] = [];
  const made = performance.now();
  for (let index = 0; index < ACCOUNTS; index++) {
    const account = { email: `t${turn}-${index}@example.com`, smtpUrl: `smtp://127.0.0.1:${port}`, password: '' };
    const id = await connectBulkAccount(app, caller, { ...account, batch: EMAILS_AN_ACCOUNT });
    campaigns.push(await bulkCampaign(app, caller, `t${turn}-${index}`, id, EMAILS_AN_ACCOUNT));
  }
  const direct = pooledUrl === undefined ? {} : { OUTREACH_DATABASE_DIRECT_URL: databaseUrl };
  const urls = { databaseUrl: pooledUrl ?? databaseUrl, env: { ...secretOf(dataDir), ...direct } };
  const lead = Math.max(START_DELAY, performance.now() - made);
  const daemons: DaemonProcess[] = [];
  try {
    for (let index = 0; index < count; index++) daemons.push(await startDaemonProcess({ ...urls, home: `${dataDir}/daemon-${index}` }));
    const begin = Date.now() + lead;
    for (const id of campaigns) await activateCampaign(app, caller, id, new Date(begin));
    await wait(begin - Date.now());
    await untilSent(installation, campaigns, ACCOUNTS * EMAILS_AN_ACCOUNT);
    return (ACCOUNTS * EMAILS_AN_ACCOUNT) / ((Date.now() - begin) / 1_000);
  } finally {
    await Promise.all(daemons.map((daemon) => daemon.end('SIGTERM')));
  }
}

/** Resolves when that many emails of these campaigns have been accepted. Throws after ten minutes. */
export async function untilSent({ app }: BenchInstallation, campaigns: readonly number[], emails: number): Promise<void> {
  const until = Date.now() + 10 * MINUTE;
  for (;;) {
    const [row] = await app.db.query<{ count: number }>(
      sql`select count(*)::int as count from outbox where campaign_id = any(${campaigns}::int[]) and state = 'accepted'`,
    );
    if ((row?.count ?? 0) >= emails) return;
    if (Date.now() > until) throw new Error(`after ten minutes ${row?.count} of ${emails} emails are sent`);
    await wait(50);
  }
}
