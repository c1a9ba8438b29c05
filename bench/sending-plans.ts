import { mkdirSync, writeFileSync } from 'node:fs';
import pg from 'pg';
import { dueBatches } from '../src/accounts/index.ts';
import type { App } from '../src/app.ts';
import { completeFinishedCampaigns, openDueCalls } from '../src/campaigns/index.ts';
import { roomFor } from '../src/core/room.ts';
import { sql } from '../src/db/statement.ts';
import { MailboxPoller, wasAnswered } from '../src/inbound/index.ts';
import { recoverOutbox, resumeLimitedAccounts } from '../src/sending/index.ts';
import { wasFetched } from '../src/tracking/index.ts';
import { FOLDER, plansOf } from './plans.ts';
import { statementsOf } from './recorded.ts';
import { sendingInstallation } from './sending.ts';
import { startSink } from './sink.ts';
import { ACCOUNTS, ENROLMENTS, planAndClaim, seedTick } from './tick.ts';

/**
 * The functions whose statements run at every tick, and those before the first email of a batch. Accounts 1, 101 and 201 have large
 * campaigns.
 */
const WORK: Readonly<Record<string, (app: App) => Promise<unknown>>> = {
  'which batches are due': (app) => dueBatches(app, roomFor(2 * ACCOUNTS)),
  'a batch of a large campaign': (app) => planAndClaim(app, 201),
  'a batch of a large campaign with other hours for group B': (app) => planAndClaim(app, 101),
  'a batch of a large campaign that goes by its contacts’ own zones': (app) => planAndClaim(app, 1),
  'a batch of a small campaign that goes by its contacts’ own zones': (app) => planAndClaim(app, 52),
  'which calls are due': openDueCalls,
  'which campaigns are finished': completeFinishedCampaigns,
  'which mailboxes are to be read': (app) => new MailboxPoller(app).claimDue(roomFor(2 * ACCOUNTS)),
  'which accounts are no longer limited': resumeLimitedAccounts,
  'what ended processes left behind': (app) => recoverOutbox(app, { wasFetched, wasAnswered }),
};

/** Writes the plans of these statements to plans/sending.txt and prints the duration of each. */
export async function writeSendingPlans(): Promise<void> {
  const sink = await startSink();
  const installation = await sendingInstallation();
  const { app, databaseUrl } = installation;
  await seedTick(app, sink.port, ENROLMENTS);
  await app.db.query(sql`update accounts set next_batch_at = ${app.clock.now()}`);
  await app.db.query(sql`update steps set kind = 'call' where step_order = 2 and campaign_id % 10 = 2`);
  await openDueCalls(app);
  await app.db.query(sql`analyze accounts, steps, call_tasks`);
  const client = new pg.Client({ connectionString: databaseUrl });
  await client.connect();
  const version = (await client.query('show server_version')).rows[0].server_version;
  const text = [`Plans of ${ACCOUNTS} accounts with ${ENROLMENTS} active enrolments, PostgreSQL ${version}.\n`];
  for (const [name, work] of Object.entries(WORK)) {
    const plans = await plansOf(client, await statementsOf(app, work));
    text.push(`\n## ${name}\n`, ...plans.map(({ plan }) => `${plan}\n`));
    console.log(`sending: ${name}`.padEnd(76) + plans.map(({ milliseconds }) => milliseconds.toFixed(1)).join(' '));
  }
  mkdirSync(FOLDER, { recursive: true });
  writeFileSync(`${FOLDER}sending.txt`, text.join('\n'));
  await client.end();
  await installation.remove();
  await sink.stop();
}
