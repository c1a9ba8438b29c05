import { Gauge, Registry } from 'prom-client';
import { countAccounts, countHealth, countUnreadMailboxes, countWaitingAccounts } from '../accounts/index.ts';
import type { App } from '../app.ts';
import { countHeldForContent, countPendingCalls } from '../campaigns/index.ts';
import { SECOND } from '../core/clock.ts';
import { messageOf } from '../core/errors.ts';
import { registry } from '../core/metrics.ts';
import { parseTimestamp } from '../core/timestamp-text.ts';
import { listDaemons } from '../daemons/index.ts';
import { countDueEmails } from '../sending/index.ts';
import { countDisabledWebhooks, readDeliveryBacklog } from '../webhooks/index.ts';
import { readEmailsToday } from './emails-today.ts';
import { readQueueState } from './queue-state.ts';
import { lastBackup } from './recorded-backups.ts';

/** A queue this long deserves an alert. Counting further would take longer with every email. */
const MAX_COUNTED = 10_000;

/** Less than Prometheus's default timeout of 10 s, after which it would lose all other metrics, too. */
const PATIENCE_SECONDS = 5;

/** The metrics that are read from the database, in a registry of their own, because they are absent while it does not answer. */
const readRegistry = new Registry();

const gauge = <Label extends string = never>(name: string, help: string, labelNames: Label[] = [], register = readRegistry) =>
  new Gauge({ name, help, labelNames, registers: [register] });

const databaseUp = gauge(
  'outreach_database_up',
  '1 if the database answers, else 0, and the gauges that are read from it are absent',
  [],
  registry,
);
const connections = gauge(
  'outreach_database_connections',
  "Connections of this daemon's pool, and requests that wait for one",
  ['state'],
  registry,
);

const read = {
  accounts: gauge('outreach_accounts', 'Sending accounts in use, by status and by the reason why they are stopped', ['status', 'reason']),
  accountsHealth: gauge('outreach_accounts_health', 'Sending accounts in use, by health: good, watch or stop', ['health']),
  accountsWaiting: gauge(
    'outreach_accounts_waiting',
    "Active accounts that wait because their mail server can't be reached or asks them to come back later",
  ),
  mailboxesUnread: gauge('outreach_mailboxes_unread', "Mailboxes that can't be polled"),
  emailsToday: gauge('outreach_mails_today', "Emails that the accounts' servers accepted on their day"),
  emailsTodayLimit: gauge('outreach_mails_today_limit', "The sum of the accounts' daily limits"),
  emailsDue: gauge('outreach_mails_due', `Emails of active campaigns that are due, counted up to ${MAX_COUNTED}`),
  emailsInFlight: gauge('outreach_mails_in_flight', 'Emails claimed or being transmitted'),
  emailsUnknown: gauge('outreach_mails_unknown', 'Emails whose delivery is unknown after a crash; a person decides (outreach outbox)'),
  contactsHeld: gauge('outreach_contacts_held', "Contacts whose next email can't be written, such as for an unknown placeholder"),
  batchesDue: gauge('outreach_batches_due', 'Accounts whose batch should have begun'),
  batchLag: gauge('outreach_batch_lag_seconds', 'Delay of the longest waiting batch'),
  pollsDue: gauge('outreach_polls_due', 'Mailboxes that should have been read'),
  pollLag: gauge('outreach_poll_lag_seconds', 'Delay of the longest waiting poll'),
  deliveriesDue: gauge('outreach_webhook_deliveries_due', 'Webhook deliveries that are due'),
  deliveryLag: gauge('outreach_webhook_lag_seconds', 'Delay of the longest waiting delivery'),
  webhooksDisabled: gauge('outreach_webhooks_disabled', 'Webhooks that are disabled, by a person or after too many failures'),
  callsDue: gauge('outreach_calls_due', 'Calls to make'),
  daemons: gauge('outreach_daemons', 'Daemons that run on this database, by their parts', ['role']),
  lastBackup: gauge('outreach_last_backup_timestamp_seconds', 'Time of the last backup; 0 if there was none'),
};

/**
 * Reads all metrics in the text format of Prometheus. Never throws: if the database does not answer, a separate gauge says so, and the
 * gauges that are read from it are absent.
 */
export async function readMetrics(app: App, patience = PATIENCE_SECONDS): Promise<string> {
  const { totalCount, idleCount, waitingCount } = app.db.pool;
  connections.set({ state: 'busy' }, totalCount - idleCount);
  connections.set({ state: 'idle' }, idleCount);
  connections.set({ state: 'waiting' }, waitingCount);
  const silence = Promise.withResolvers<never>();
  const timer = setTimeout(() => silence.reject(new Error(`the database did not respond within ${patience} s`)), patience * SECOND);
  try {
    setAll(await Promise.race([readDatabase(app), silence.promise]));
    databaseUp.set(1);
    return (await registry.metrics()) + (await readRegistry.metrics());
  } catch (error) {
    databaseUp.set(0);
    app.log.warn({ reason: messageOf(error) }, 'could not read the gauges');
    return registry.metrics();
  } finally {
    clearTimeout(timer);
  }
}

async function readDatabase({ db, clock }: App) {
  const now = clock.now();
  const [accounts, health, waiting, unread, today, due, queues, held, deliveries, disabled, calls, daemons, backup] = await Promise.all([
    countAccounts(db),
    countHealth(db),
    countWaitingAccounts(db),
    countUnreadMailboxes(db),
    readEmailsToday(db, now),
    countDueEmails(db, now, MAX_COUNTED),
    readQueueState(db, 'installation', now),
    countHeldForContent(db, 'installation'),
    readDeliveryBacklog(db, now, MAX_COUNTED),
    countDisabledWebhooks(db),
    countPendingCalls(db, 'installation'),
    listDaemons(db),
    lastBackup(db),
  ]);
  return { accounts, health, waiting, unread, today, due, queues, held, deliveries, disabled, calls, daemons, backup };
}

function setAll(values: Awaited<ReturnType<typeof readDatabase>>): void {
  const { queues, deliveries } = values;
  for (const { status, reason, count } of values.accounts) read.accounts.set({ status, reason: reason ?? '' }, count);
  for (const [word, count] of Object.entries(values.health)) read.accountsHealth.set({ health: word }, count);
  read.accountsWaiting.set(values.waiting);
  read.mailboxesUnread.set(values.unread);
  read.emailsToday.set(values.today.sent);
  read.emailsTodayLimit.set(values.today.limit);
  read.emailsDue.set(values.due);
  read.emailsInFlight.set(queues.in_flight);
  read.emailsUnknown.set(queues.unknown);
  read.contactsHeld.set(values.held);
  read.batchesDue.set(queues.batches_due);
  read.batchLag.set(queues.batch_lag_seconds);
  read.pollsDue.set(queues.polls_due);
  read.pollLag.set(queues.poll_lag_seconds);
  read.deliveriesDue.set(deliveries.due);
  read.deliveryLag.set(deliveries.lag_seconds);
  read.webhooksDisabled.set(values.disabled);
  read.callsDue.set(values.calls);
  for (const role of ['api', 'worker']) read.daemons.set({ role }, values.daemons.filter(({ roles }) => roles.includes(role)).length);
  read.lastBackup.set(values.backup === null ? 0 : parseTimestamp(values.backup).getTime() / SECOND);
}
