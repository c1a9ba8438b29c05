import { recipient } from '../access/index.ts';
import type { App } from '../app.ts';
import { suppressInTx } from '../campaigns/index.ts';
import { type Queryable, sql } from '../db/statement.ts';
import { recordEvents } from '../events/index.ts';
import { findEmail } from '../outbox/index.ts';

/** The address that a link unsubscribes, masked: the page must not tell whoever forwards or finds the link. */
export async function maskedRecipient(db: Queryable, outboxId: number): Promise<string | undefined> {
  const mail = await findEmail(db, outboxId);
  return mail?.recipient.replace(/^(.).*(@.).*(\.[^.]*)$/, '$1…$2…$3');
}

/**
 * A recipient wants no more mail: the address is suppressed, everything under way to it stops, the event is logged, in
 * one transaction and at once. Again and again is the same as once. False for a mail that never was.
 */
export async function unsubscribe(app: App, outboxId: number, ip: string | null): Promise<boolean> {
  const at = app.clock.now();
  return app.db.tx(async (tx) => {
    const mail = await findEmail(tx, outboxId);
    if (mail === undefined) return false;
    await suppressInTx(tx, app, recipient(mail.workspace_id, ip), { email: mail.recipient, reason: 'unsubscribed', endAs: 'stopped' });
    const [known] = await tx.query(sql`select 1 from events where enrolment_id = ${mail.enrolment_id} and type = 'unsubscribed' limit 1`);
    if (known === undefined)
      await recordEvents(tx, [
        {
          workspaceId: mail.workspace_id,
          campaignId: mail.campaign_id,
          contactId: mail.contact_id,
          enrolmentId: mail.enrolment_id,
          type: 'unsubscribed',
          stepOrder: mail.step_order,
          at,
        },
      ]);
    return true;
  });
}
