import { accountWorkers, endAccountLeasesOf, hasBatch, notifyNoLongerRead, wakeAccounts } from '../../accounts/index.ts';
import type { App } from '../../app.ts';
import { holdForDelivery, releaseAndMakeDue } from '../../campaigns/index.ts';
import { inParallel } from '../../core/in-parallel.ts';
import { deadAmong } from '../../daemons/index.ts';
import { type Sql, sql } from '../../db/statement.ts';
import type { Tx } from '../../db/transaction.ts';
import {
  emailWorkers,
  endEmailLeasesOf,
  isUncertain,
  isUnresolved,
  markExpiredUncertain,
  markUnknown,
  releaseAbandoned,
  releaseExpiredAnswers,
  type UnresolvedState,
} from '../../outbox/index.ts';
import type { SentEmail } from './complete-steps.ts';
import { confirmEmail } from './confirm-email.ts';
import { continueSequences } from './continue.ts';
import { LATE_COPY_WINDOW } from './delays.ts';
import { foundInSentFolder } from './sent-folder.ts';

/** Number of Sent folders searched at the same time, so that an unresponsive server delays no other account. */
const CONCURRENT_SEARCHES = 20;

/** SQL conditions that prove that an email was sent. `emailId` is the column with the email's id. */
export interface Proofs {
  /** The email's image or a link in it was fetched. */
  wasFetched: (emailId: string) => Sql;
  /** A message arrived that references the email or returns it. */
  wasAnswered: (emailId: string) => Sql;
}

export interface Recovery {
  /** Claims that a process abandoned before the transmission; they are due again. */
  released: number;
  /** Uncertain emails proved to be sent: by the Sent folder, a fetched image or link, a reply or a bounce. */
  confirmed: number;
  /** Emails newly marked `unknown`, until there is proof or a user decides. */
  unknown: number;
}

/**
 * Recovers the emails of processes that ended. A claim without a permit is due again. An email in transmission is never resent
 * automatically (at-most-once): recovery looks for it in the Sent folder, and marks it `unknown` if nothing proves that it
 * was sent. Sequences of campaigns that do not wait for such emails continue.
 * @param proofs conditions, from other folders of src, that prove that an email was sent, however late
 * @param stopping aborted when the daemon stops
 */
export async function recoverOutbox(app: App, proofs: Proofs, stopping?: AbortSignal): Promise<Recovery> {
  await endDeadLeases(app);
  const released = await releaseAbandonedClaims(app);
  await markExpiredUncertain(app.db);
  const { confirmed, unknown } = await resolveUncertain(app, proofs, stopping);
  await continueSequences(app);
  const recovery = { released, confirmed, unknown };
  if (released + confirmed + unknown > 0) app.log.warn(recovery, 'recovered the emails of a process that ended');
  return recovery;
}

/** Releases the leases of dead processes, so that other processes need not wait until they expire. */
async function endDeadLeases(app: App): Promise<void> {
  const rows = await app.db.query<{ worker: string }>(sql`${emailWorkers} union ${accountWorkers}`);
  const dead = await deadAmong(
    app.db,
    rows.map((row) => row.worker),
  );
  if (dead.length === 0) return;
  const unread = await app.db.tx(async (tx) => {
    await endEmailLeasesOf(tx, dead);
    return endAccountLeasesOf(tx, dead, app.clock.now());
  });
  for (const account of unread) await notifyNoLongerRead(app, account);
}

async function releaseAbandonedClaims(app: App): Promise<number> {
  const now = app.clock.now();
  return app.db.tx(async (tx) => {
    const rows = await releaseAndMakeDue<{ account_id: number; enrolment_id: number }>(
      tx,
      releaseAbandoned(hasBatch('o.worker', 'o.account_id')),
      now,
    );
    await wakeAccounts(
      tx,
      rows.map((row) => row.account_id),
      now,
    );
    return rows.length + (await releaseExpiredAnswers(tx));
  });
}

interface UncertainEmail extends SentEmail {
  id: number;
  state: UnresolvedState;
  /** The reply that this email answers; null for a step of a sequence. */
  reply_id: number | null;
  message_id: string;
  transmitting_at: Date;
  was_fetched: boolean;
  was_answered: boolean;
}

async function resolveUncertain(
  app: App,
  { wasFetched, wasAnswered }: Proofs,
  stopping: AbortSignal | undefined,
): Promise<{ confirmed: number; unknown: number }> {
  const checkSince = new Date(app.clock.now().getTime() - LATE_COPY_WINDOW);
  const emails = await app.db.query<UncertainEmail>(sql`
    select * from (
      select o.id, o.state, o.workspace_id, o.campaign_id, o.contact_id, o.enrolment_id, o.account_id, o.step_order, o.reply_id, o.message_id,
        o.transmitting_at, ${wasFetched('o.id')} as was_fetched, ${wasAnswered('o.id')} as was_answered
      from outbox o where ${isUnresolved('o')}) open
    where ${isUncertain('open')} or was_fetched or was_answered or transmitting_at > ${checkSince} order by account_id, id limit 1000`);
  let [confirmed, unknown] = [0, 0];
  await inParallel([...Map.groupBy(emails, (email) => email.account_id)], CONCURRENT_SEARCHES, async ([accountId, ofAccount]) => {
    const unproved = ofAccount.filter((email) => evidenceOf(email) === null).map((email) => email.message_id);
    const found = await foundInSentFolder(app, accountId, unproved, stopping);
    // An aborted search proves nothing.
    if (stopping?.aborted) return;
    for (const email of ofAccount) {
      const evidence = evidenceOf(email) ?? (found.has(email.message_id) ? 'found in the Sent folder' : null);
      if (evidence !== null) {
        await app.db.tx((tx) => confirmEmail(tx, app, email, evidence));
        confirmed++;
      } else if (email.state === 'uncertain') {
        await app.db.tx((tx) => leaveToUser(tx, email));
        unknown++;
      }
    }
  });
  return { confirmed, unknown };
}

function evidenceOf({ was_fetched, was_answered }: UncertainEmail): string | null {
  if (was_fetched) return 'its image or a link was fetched';
  return was_answered ? 'a message about it arrived' : null;
}

async function leaveToUser(tx: Tx, email: UncertainEmail): Promise<void> {
  await markUnknown(tx, email.id);
  if (email.reply_id === null) await holdForDelivery(tx, email.enrolment_id);
}
