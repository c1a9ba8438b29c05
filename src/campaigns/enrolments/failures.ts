import { sql } from '../../db/statement.ts';
import type { Tx } from '../../db/transaction.ts';

/** Number of consecutive soft bounces that end an enrolment, whether the server refuses the emails or returns them later. */
export const MAX_SOFT_BOUNCES = 3;

/** Hold reason of an enrolment whose email the server may or may not have. */
export const DELIVERY_UNKNOWN = 'delivery unknown';

/** Counts a soft bounce. Returns the number of soft bounces since the last accepted email. */
export async function countSoftBounce(tx: Tx, id: number): Promise<number> {
  const [row] = await tx.query<{ soft_bounces: number }>(
    sql`update enrolments set soft_bounces = soft_bounces + 1 where id = ${id} returning soft_bounces`,
  );
  return row?.soft_bounces ?? 0;
}

/** Counts a failed attempt that is not the contact's fault, and records the reason. Returns the number of consecutive failures. */
export async function countFailure(tx: Tx, id: number, reason: string): Promise<number> {
  const [row] = await tx.query<{ failures: number }>(
    sql`update enrolments set failures = failures + 1, hold_reason = ${reason} where id = ${id} returning failures`,
  );
  return row?.failures ?? 0;
}

/** Makes emails due that failed because of the old content of a step. */
export async function retryFailed(tx: Tx, campaignId: number, stepOrder: number, now: Date): Promise<void> {
  await tx.query(sql`
    update enrolments set due_at = ${now}, failures = 0, hold_reason = case when held_until is not null then hold_reason end
    where campaign_id = ${campaignId} and current_step = ${stepOrder} and status = 'active' and failures > 0 and due_at is not null`);
}

/** Marks an active enrolment as waiting for a proof, or a person, to tell if its email was delivered. */
export async function holdForDelivery(tx: Tx, id: number): Promise<void> {
  await tx.query(sql`update enrolments set hold_reason = ${DELIVERY_UNKNOWN} where id = ${id} and status = 'active'`);
}

/** Removes the mark that `holdForDelivery` set. */
export async function endDeliveryHold(tx: Tx, id: number): Promise<void> {
  await tx.query(sql`update enrolments set hold_reason = null where id = ${id} and hold_reason = ${DELIVERY_UNKNOWN}`);
}
