import type { App } from '../app.ts';
import { announceRows } from '../db/stable-id.ts';
import { sql } from '../db/statement.ts';
import type { Tx } from '../db/transaction.ts';
import { markEmails } from '../events/index.ts';
import { publishReply } from './publish.ts';
import type { ReplyFile } from './reply.ts';
import type { ReplyKind } from './reply-kind.ts';

/** A new reply. Its texts are well-formed and without NUL. */
export interface NewReply {
  /** The email that it answers, with the ids that the email belongs to. */
  email: {
    workspaceId: number;
    campaignId: number;
    contactId: number;
    enrolmentId: number;
    senderId: number;
    outboxId: number;
    step: number;
  };
  /** The inbound message, and the account whose mailbox received it. */
  inboundId: number;
  mailboxId: number;
  kind: ReplyKind;
  sender: string;
  senderName: string;
  subject: string;
  /** With angle brackets; null for a message without a Message-ID. */
  messageId: string | null;
  /** The author's own text, and the whole text with quotations. Both are empty for a message in a private mailbox. */
  ownText: string;
  fullText: string;
  files: readonly ReplyFile[];
  /** True if the author says that the contact no longer works there. */
  hasLeft: boolean;
  /** True if it may be an unsubscribe request, which a user has to decide. */
  mayAskToBeRemoved: boolean;
  /** The day of return that it states, `YYYY-MM-DD`. */
  returnsOn: string | null;
  receivedAt: Date;
}

/** Records a reply in the transaction that records the inbound message, and publishes it. Returns its id. */
export async function storeReply(tx: Tx, app: App, reply: NewReply): Promise<number> {
  const now = app.clock.now();
  const { email } = reply;
  await announceRows(tx, 'replies');
  const [row] = await tx.query<{ id: number }>(sql`
    insert into replies (workspace_id, campaign_id, contact_id, enrolment_id, account_id, outbox_id, step_order, inbound_id, mailbox_id, kind,
      sender, sender_name, subject, own_text, full_text, files, has_left, may_ask_to_be_removed, returns_on, message_id, received_at, created_at)
    values (${email.workspaceId}, ${email.campaignId}, ${email.contactId}, ${email.enrolmentId}, ${email.senderId}, ${email.outboxId},
      ${email.step}, ${reply.inboundId}, ${reply.mailboxId}, ${reply.kind}, ${reply.sender}, ${reply.senderName}, ${reply.subject}, ${reply.ownText},
      ${reply.fullText}, ${JSON.stringify(reply.files)}::jsonb, ${reply.hasLeft}, ${reply.mayAskToBeRemoved}, ${reply.returnsOn}, ${reply.messageId}, ${reply.receivedAt}, ${now})
    returning id`);
  if (row === undefined) throw new Error('the reply was not inserted');
  if (reply.kind === 'auto_reply') await markEmails(tx, [{ outboxId: email.outboxId, mark: 'auto_replied', at: now }]);
  await publishReply(tx, 'reply.received', row.id, now);
  return row.id;
}
