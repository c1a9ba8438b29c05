import { Gauge } from 'prom-client';
import { countAccounts, countWaitingAccounts } from '../accounts/index.ts';
import type { App } from '../app.ts';
import { countPendingCalls } from '../campaigns/index.ts';
import { messageOf } from '../core/errors.ts';
import { registry } from '../core/metrics.ts';
import { countDueEmails } from '../sending/index.ts';
import { readDeliveryBacklog } from '../webhooks/index.ts';
import { readQueueState } from './queue-state.ts';

/** A queue this long is worth an alert; counting further would cost more with every email. */
const MAX_COUNTED = 10_000;

const gauge = (name: string, help: string, labelNames: string[] = []) => new Gauge({ name, help, labelNames, registers: [registry] });

const databaseUp = gauge('outreach_database_up', '1 if the database answers, else 0, and the other gauges keep their last values');
const accounts = gauge('outreach_accounts', 'Sending accounts in use, by status', ['status']);
const accountsWaiting = gauge(
  'outreach_accounts_waiting',
  "Active accounts that wait because their mail server can't be reached or asks them to come back later",
);
const connections = gauge('outreach_database_connections', "Connections of this daemon's pool, and requests that wait for one", ['state']);
const emailsDue = gauge('outreach_mails_due', `Emails of active campaigns that are due, counted up to ${MAX_COUNTED}`);
const emailsInFlight = gauge('outreach_mails_in_flight', 'Emails claimed or being transmitted');
const emailsUnknown = gauge('outreach_mails_unknown', 'Emails whose delivery is unknown after a crash; a person decides (outreach outbox)');
const batchesDue = gauge('outreach_batches_due', 'Accounts whose batch should have begun');
const batchLag = gauge('outreach_batch_lag_seconds', 'How late the longest waiting batch is');
const pollsDue = gauge('outreach_polls_due', 'Mailboxes that should have been read');
const pollLag = gauge('outreach_poll_lag_seconds', 'How late the longest waiting poll is');
const deliveriesDue = gauge('outreach_webhook_deliveries_due', 'Webhook deliveries that are due');
const deliveryLag = gauge('outreach_webhook_lag_seconds', 'How late the longest waiting delivery is');
const callsDue = gauge('outreach_calls_due', 'Calls to make');

/** Updates the gauges. Never throws: a gauge of its own tells that the database is unreachable. */
export async function readGauges(app: App): Promise<void> {
  const { totalCount, idleCount, waitingCount } = app.db.pool;
  connections.set({ state: 'busy' }, totalCount - idleCount);
  connections.set({ state: 'idle' }, idleCount);
  connections.set({ state: 'waiting' }, waitingCount);
  try {
    await readDatabaseGauges(app);
    databaseUp.set(1);
  } catch (error) {
    databaseUp.set(0);
    app.log.warn({ reason: messageOf(error) }, 'could not read the gauges');
  }
}

/** Sets all of them or, if a query fails, none. */
async function readDatabaseGauges({ db, clock }: App): Promise<void> {
  const now = clock.now();
  const [byStatus, waiting, due, queues, deliveries, calls] = await Promise.all([
    countAccounts(db),
    countWaitingAccounts(db),
    countDueEmails(db, now, MAX_COUNTED),
    readQueueState(db, 'installation', now),
    readDeliveryBacklog(db, now, MAX_COUNTED),
    countPendingCalls(db, 'installation'),
  ]);
  for (const [status, count] of Object.entries(byStatus)) accounts.set({ status }, count);
  accountsWaiting.set(waiting);
  emailsDue.set(due);
  emailsInFlight.set(queues.in_flight);
  emailsUnknown.set(queues.unknown);
  batchesDue.set(queues.batches_due);
  batchLag.set(queues.batch_lag_seconds);
  pollsDue.set(queues.polls_due);
  pollLag.set(queues.poll_lag_seconds);
  deliveriesDue.set(deliveries.due);
  deliveryLag.set(deliveries.lag_seconds);
  callsDue.set(calls);
}
