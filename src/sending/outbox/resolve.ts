import { audit, type Caller } from '../../access/index.ts';
import { wakeAccount } from '../../accounts/index.ts';
import type { App } from '../../app.ts';
import { conflict, notFound } from '../../core/errors.ts';
import { empty, type Queryable, sql } from '../../db/statement.ts';
import { timestamp } from '../../db/timestamp.ts';
import { isUnresolved } from './email-queue.ts';
import { confirmEmail, endUnknownHold } from './recover.ts';
import type { SentEmail } from './settle.ts';

/** An email of the outbox as the operator sees it. */
export interface OutboxRow {
  id: number;
  campaign_id: number;
  contact_id: number;
  recipient: string;
  step_order: number;
  account_id: number;
  state: string;
  attempt: number;
  message_id: string;
  response: string | null;
  transmitting_at: string | null;
}

/** Lists the newest emails of the outbox, or with `uncertain` only unresolved ones. Index: outbox_open. */
export function listOutbox(db: Queryable, options: { uncertain: boolean; limit: number }): Promise<OutboxRow[]> {
  return db.query<OutboxRow>(sql`
    select id, campaign_id, contact_id, recipient, step_order, account_id, state, attempt, message_id, response,
      ${timestamp('transmitting_at')} as transmitting_at
    from outbox o ${options.uncertain ? sql`where ${isUnresolved('o')}` : empty}
    order by id desc limit ${options.limit}`);
}

/**
 * Resolves an unknown email as a person decides: `sent` completes its step, `resend` makes it due again under the same
 * Message-ID. Throws `not_found`, and `conflict` when the outcome of the email is known.
 */
export async function resolveOutbox(app: App, caller: Caller, id: number, decision: 'sent' | 'resend'): Promise<void> {
  const now = app.clock.now();
  await app.db.tx(async (tx) => {
    const [email] = await tx.query<SentEmail & { id: number; state: string; message_id: string; transmitting_at: Date }>(sql`
      select id, state, workspace_id, campaign_id, contact_id, enrolment_id, account_id, step_order, message_id, transmitting_at
      from outbox where id = ${id} for update`);
    if (email === undefined) throw notFound('email');
    if (email.state !== 'unknown' && email.state !== 'uncertain')
      throw conflict(`email ${id} is ${email.state}; only an email whose delivery is unknown can be resolved`);
    if (decision === 'sent') await confirmEmail(tx, app, { ...email, id }, 'resolved as sent by a person');
    else {
      await endUnknownHold(tx, email.enrolment_id);
      await tx.query(sql`update outbox set state = 'retry' where id = ${id}`);
      await tx.query(sql`update enrolments set due_at = ${now} where id = ${email.enrolment_id} and status = 'active'`);
      await wakeAccount(tx, email.account_id, now);
    }
    await audit(tx, { ...caller, workspaceId: email.workspace_id }, now, {
      action: `outbox.${decision}`,
      resourceType: 'outbox',
      resourceId: id,
    });
  });
}
