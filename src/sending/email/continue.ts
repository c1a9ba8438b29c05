import type { App } from '../../app.ts';
import { advanceEnrolments, completeCampaigns, continuesWhenUnknown, endDeliveryHold, enrolmentIs } from '../../campaigns/index.ts';
import { sql } from '../../db/statement.ts';
import { isStepEmail, isUnresolvedState, isWaitedFor, lockEmail, markContinued } from '../../outbox/index.ts';
import { LATE_COPY_WINDOW } from './delays.ts';

interface UnknownEmail {
  id: number;
  enrolment_id: number;
  step_order: number;
  account_id: number;
  transmitting_at: Date;
}

/**
 * Continues sequences that wait for an email of unknown delivery, in campaigns with `when_unknown` = `continue`: as if the email had been
 * sent at the time of its transmission, but without an event. The email stays unknown until there is proof. Index: outbox_open.
 * @returns the number of continued sequences
 */
export async function continueSequences(app: App): Promise<number> {
  const now = app.clock.now();
  const emails = await app.db.query<UnknownEmail>(sql`
    select o.id, o.enrolment_id, o.step_order, o.account_id, o.transmitting_at
    from outbox o join enrolments e on e.id = o.enrolment_id and ${enrolmentIs('e', 'active')}
    join campaigns c on c.id = o.campaign_id and ${continuesWhenUnknown('c')}
    where ${isWaitedFor('o')} and ${isStepEmail('o')} and o.transmitting_at <= ${new Date(now.getTime() - LATE_COPY_WINDOW)} order by o.id limit 1000`);
  for (const email of emails) await continueSequence(app, email, now);
  return emails.length;
}

async function continueSequence(app: App, email: UnknownEmail, now: Date): Promise<void> {
  await app.db.tx(async (tx) => {
    // A proof may have arrived in the meantime and advanced the sequence.
    const locked = await lockEmail(tx, email.id);
    if (locked === undefined || !isUnresolvedState(locked.state) || locked.is_continued) return;
    await endDeliveryHold(tx, email.enrolment_id);
    const step = { enrolmentId: email.enrolment_id, stepOrder: email.step_order, at: email.transmitting_at, sentFrom: email.account_id };
    const touched = await advanceEnrolments(tx, app, [step]);
    await markContinued(tx, email.id, now);
    await completeCampaigns(tx, app, touched);
  });
}
