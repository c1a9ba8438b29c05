import { Gauge } from 'prom-client';
import type { App } from '../app.ts';
import { messageOf } from '../core/errors.ts';
import { registry } from '../core/metrics.ts';
import { MOST_COUNTED, readState, type State } from './read-state.ts';

const gauge = (name: string, help: string, labelNames: string[] = []) => new Gauge({ name, help, labelNames, registers: [registry] });

const databaseUp = gauge('outreach_database_up', 'Whether the database answers: 1, else 0 and the other gauges are what they last were');
const accounts = gauge('outreach_accounts', 'Sending accounts in use, by status', ['status']);
const pool = gauge('outreach_database_connections', 'Connections of the pool of this daemon, and requests that wait for one', ['state']);

const QUEUES: Record<Exclude<keyof State, 'accounts'>, Gauge> = {
  mailsDue: gauge('outreach_mails_due', `Mails of active campaigns whose time has come, counted up to ${MOST_COUNTED}`),
  mailsInFlight: gauge('outreach_mails_in_flight', 'Mails claimed or on the wire'),
  mailsUnknown: gauge('outreach_mails_unknown', 'Mails whose delivery is unknown after a crash; a person decides (outreach outbox)'),
  batchesDue: gauge('outreach_batches_due', 'Accounts whose batch should have begun'),
  batchLag: gauge('outreach_batch_lag_seconds', 'How late the longest waiting batch is'),
  pollsDue: gauge('outreach_polls_due', 'Mailboxes that should have been read'),
  pollLag: gauge('outreach_poll_lag_seconds', 'How late the longest waiting mailbox is'),
  webhooksDue: gauge('outreach_webhook_deliveries_due', 'Deliveries to webhooks whose time has come'),
  webhookLag: gauge('outreach_webhook_lag_seconds', 'How late the longest waiting delivery is'),
  callsDue: gauge('outreach_calls_due', 'Calls that wait to be made'),
};

/** Brings the gauges up to date. A database that is away is told of by a gauge of its own, not by an error. */
export async function readGauges(app: App): Promise<void> {
  const { totalCount, idleCount, waitingCount } = app.db.pool;
  pool.set({ state: 'busy' }, totalCount - idleCount);
  pool.set({ state: 'idle' }, idleCount);
  pool.set({ state: 'waiting' }, waitingCount);
  try {
    const state = await readState(app);
    for (const { status, count } of state.accounts) accounts.set({ status }, count);
    for (const [name, queue] of Object.entries(QUEUES)) queue.set(state[name as keyof typeof QUEUES]);
    databaseUp.set(1);
  } catch (error) {
    databaseUp.set(0);
    app.log.warn({ reason: messageOf(error) }, 'the gauges could not be read');
  }
}
