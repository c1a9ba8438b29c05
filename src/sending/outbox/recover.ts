import { batchWorkers, endBatchLeasesOf, wakeAccounts } from '../../accounts/index.ts';
import type { App } from '../../app.ts';
import { MINUTE } from '../../core/clock.ts';
import { isDeadHere } from '../../core/worker.ts';
import { sql } from '../../db/statement.ts';
import type { Tx } from '../../db/transaction.ts';
import { foundInSentFolder } from './sent-folder.ts';
import { completeSteps, type SentEmail } from './settle.ts';

/** How long to keep looking in the Sent folder, since a provider may file a copy late. */
const LATE_COPY_MS = 15 * MINUTE;

export interface Recovery {
  /** Claims that a process left before it transmitted: due again. */
  released: number;
  /** Uncertain emails that are proved sent: the Sent folder holds them, or somebody fetched their image or a link. */
  confirmed: number;
  /** Emails that are `unknown` from now on, until a proof comes or a person decides. */
  unknown: number;
}

/**
 * Settles what processes that died left behind. A claim that was never permitted is due again. An email in transmission is
 * never repeated by itself (at most once): recovery looks for it in the Sent folder, and marks it `unknown` where nothing
 * proves that it was sent.
 */
export async function recoverOutbox(app: App): Promise<Recovery> {
  await endDeadLeases(app);
  const released = await releaseDeadClaims(app);
  await app.db.query(sql`
    update outbox set state = 'uncertain', response = coalesce(response, 'the sender ended before the server''s answer was recorded'),
      worker = null, lease_until = null
    where closed_at is null and state = 'transmitting' and lease_until < now()`);
  const { confirmed, unknown } = await resolveUncertain(app);
  const recovery = { released, confirmed, unknown };
  if (released + confirmed + unknown > 0) app.log.warn(recovery, 'settled what an ended process left behind');
  return recovery;
}

/** Ends the leases of dead processes of this host, so that a restart need not wait until they run out. */
async function endDeadLeases(app: App): Promise<void> {
  const rows = await app.db.query<{ worker: string }>(sql`
    select distinct worker from outbox where closed_at is null and state in ('claimed', 'transmitting') and worker is not null
    union ${batchWorkers}`);
  const dead = rows.map((row) => row.worker).filter(isDeadHere);
  if (dead.length === 0) return;
  await app.db.tx(async (tx) => {
    await tx.query(
      sql`update outbox set lease_until = '-infinity' where closed_at is null and worker = any(${dead}::text[]) and state in ('claimed', 'transmitting')`,
    );
    await endBatchLeasesOf(tx, dead);
  });
}

async function releaseDeadClaims(app: App): Promise<number> {
  const now = app.clock.now();
  return app.db.tx(async (tx) => {
    const rows = await tx.query<{ account_id: number }>(sql`
      with released as (
        update outbox set state = 'retry', attempt = attempt - 1, worker = null, lease_until = null
        where closed_at is null and state = 'claimed' and lease_until < now() returning enrolment_id, account_id)
      update enrolments e set due_at = ${now} from released r where e.id = r.enrolment_id and e.status = 'active' returning r.account_id`);
    await wakeAccounts(
      tx,
      rows.map((row) => row.account_id),
      now,
    );
    return rows.length;
  });
}

interface UncertainEmail extends SentEmail {
  id: number;
  state: 'uncertain' | 'unknown';
  message_id: string;
  transmitting_at: Date;
  was_fetched: boolean;
}

async function resolveUncertain(app: App): Promise<{ confirmed: number; unknown: number }> {
  const askSince = new Date(app.clock.now().getTime() - LATE_COPY_MS);
  const emails = await app.db.query<UncertainEmail>(sql`
    select * from (
      select id, state, workspace_id, campaign_id, contact_id, enrolment_id, account_id, step_order, message_id, transmitting_at,
        exists (select 1 from tracking_hits h where h.outbox_id = o.id) as was_fetched
      from outbox o where closed_at is null and state in ('uncertain', 'unknown')) open
    where state = 'uncertain' or was_fetched or transmitting_at > ${askSince} order by account_id, id limit 1000`);
  let [confirmed, unknown] = [0, 0];
  for (const accountId of new Set(emails.map((email) => email.account_id))) {
    const ofAccount = emails.filter((email) => email.account_id === accountId);
    const found = await foundInSentFolder(
      app,
      accountId,
      ofAccount.filter((email) => !email.was_fetched).map((email) => email.message_id),
    );
    for (const email of ofAccount) {
      const evidence = email.was_fetched
        ? 'its image or a link was fetched'
        : found.has(email.message_id)
          ? 'found in the Sent folder'
          : null;
      if (evidence !== null) {
        await app.db.tx((tx) => confirmEmail(tx, app, email, evidence));
        confirmed++;
      } else if (email.state === 'uncertain') {
        await app.db.tx((tx) => markUnknown(tx, email));
        unknown++;
      }
    }
  }
  return { confirmed, unknown };
}

/** Marks an email as accepted and completes its step, as if the server's reply had been recorded. */
export async function confirmEmail(
  tx: Tx,
  app: App,
  email: Pick<UncertainEmail, keyof SentEmail | 'id' | 'transmitting_at'>,
  evidence: string,
): Promise<void> {
  const at = email.transmitting_at;
  const rows = await tx.query(sql`
    update outbox set state = 'accepted', response = ${evidence}, accepted_at = ${at}, closed_at = ${app.clock.now()}
    where id = ${email.id} and state in ('uncertain', 'unknown') returning id`);
  if (rows.length === 0) return;
  await endUnknownHold(tx, email.enrolment_id);
  await completeSteps(tx, app, [{ email, at }]);
}

/** Ends the hold of an enrolment whose email was `unknown`. */
export async function endUnknownHold(tx: Tx, enrolmentId: number): Promise<void> {
  await tx.query(sql`update enrolments set hold_reason = null where id = ${enrolmentId} and hold_reason = 'delivery unknown'`);
}

async function markUnknown(tx: Tx, email: UncertainEmail): Promise<void> {
  await tx.query(sql`update outbox set state = 'unknown' where id = ${email.id} and state = 'uncertain'`);
  await tx.query(sql`update enrolments set hold_reason = 'delivery unknown' where id = ${email.enrolment_id} and status = 'active'`);
}
