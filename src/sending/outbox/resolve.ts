import { audit, type Caller } from '../../access/index.ts';
import { wakeAccount } from '../../accounts/index.ts';
import type { App } from '../../app.ts';
import { conflict, notFound } from '../../core/errors.ts';
import { empty, type Queryable, sql } from '../../db/statement.ts';
import { timestamp } from '../../db/timestamp.ts';
import { isUnresolved } from './email-queue.ts';
import { confirmMail, endUnknownHold } from './recover.ts';
import type { SentMail } from './settle.ts';

/** A mail of the ledger as the operator sees it. */
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

/** The newest mails of the ledger; `uncertain` shows only those whose delivery is not known. Index: outbox_open. */
export function listOutbox(db: Queryable, options: { uncertain: boolean; limit: number }): Promise<OutboxRow[]> {
  return db.query<OutboxRow>(sql`
    select id, campaign_id, contact_id, recipient, step_order, account_id, state, attempt, message_id, response,
      ${timestamp('transmitting_at')} as transmitting_at
    from outbox o ${options.uncertain ? sql`where ${isUnresolved('o')}` : empty}
    order by id desc limit ${options.limit}`);
}

/**
 * A person decides what became of a mail whose delivery is unknown: `sent` moves its enrolment on, `resend` makes it due
 * again under the same Message-ID. Throws `conflict` when the delivery of the mail is known.
 */
export async function resolveOutbox(app: App, caller: Caller, id: number, decision: 'sent' | 'resend'): Promise<void> {
  const now = app.clock.now();
  await app.db.tx(async (tx) => {
    const [mail] = await tx.query<SentMail & { id: number; state: string; message_id: string; transmitting_at: Date }>(sql`
      select id, state, workspace_id, campaign_id, contact_id, enrolment_id, account_id, step_order, message_id, transmitting_at
      from outbox where id = ${id} for update`);
    if (mail === undefined) throw notFound('email');
    if (mail.state !== 'unknown' && mail.state !== 'uncertain')
      throw conflict(`email ${id} is ${mail.state}; only an email whose delivery is unknown can be resolved`);
    if (decision === 'sent') await confirmMail(tx, app, { ...mail, id }, 'resolved as sent by a person');
    else {
      await endUnknownHold(tx, mail.enrolment_id);
      await tx.query(sql`update outbox set state = 'retry' where id = ${id}`);
      await tx.query(sql`update enrolments set due_at = ${now} where id = ${mail.enrolment_id} and status = 'active'`);
      await wakeAccount(tx, mail.account_id, now);
    }
    await audit(tx, { ...caller, workspaceId: mail.workspace_id }, now, {
      action: `outbox.${decision}`,
      resourceType: 'outbox',
      resourceId: id,
    });
  });
}
