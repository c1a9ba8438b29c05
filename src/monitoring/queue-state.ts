import type { Viewer } from '../access/index.ts';
import { readBatchBacklog } from '../accounts/index.ts';
import type { Queryable } from '../db/statement.ts';
import { readPollBacklog } from '../inbound/index.ts';
import { countOpenEmails } from '../sending/index.ts';

/** The work that waits for all daemons together. Lags are the seconds by which the longest waiting item is late. */
export interface QueueState {
  /** Emails claimed or being transmitted. */
  in_flight: number;
  /** Emails that the server may or may not have. */
  unknown: number;
  /** Accounts whose next batch should have begun. */
  batches_due: number;
  batch_lag_seconds: number;
  /** Accounts whose mailbox should have been read. */
  polls_due: number;
  poll_lag_seconds: number;
}

/**
 * Reads the state of the queues, for the whole installation or for what one caller may see. This is its only definition, for `outreach
 * status`, /metrics and the dashboard.
 */
export async function readQueueState(db: Queryable, viewer: Viewer, now: Date): Promise<QueueState> {
  const [emails, batches, polls] = await Promise.all([
    countOpenEmails(db, viewer),
    readBatchBacklog(db, viewer, now),
    readPollBacklog(db, viewer, now),
  ]);
  return {
    ...emails,
    batches_due: batches.due,
    batch_lag_seconds: batches.lag_seconds,
    polls_due: polls.due,
    poll_lag_seconds: polls.lag_seconds,
  };
}
