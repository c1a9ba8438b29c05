import { accountsOfMailbox } from '../../accounts/index.ts';
import type { App } from '../../app.ts';
import { inZone } from '../../core/zone.ts';
import { sql } from '../../db/statement.ts';
import { escapeHtml } from '../../html/page.ts';
import { composeMessage } from '../../mail/compose.ts';
import { keyInMessageId } from '../../mail/message-id.ts';
import { signMessage } from '../../mail/sign.ts';
import { type ClaimedAnswer, loadThreads } from '../../outbox/index.ts';
import { threadHeaders } from '../batch/write-email.ts';
import type { SendingAccount } from '../state/account-state.ts';

interface AnsweredReply {
  sender: string;
  sender_name: string;
  text: string;
  message_id: string | null;
  received_at: Date;
  reply_to: string | null;
  enrolled_at: Date;
}

/**
 * Composes and signs an answer: the person's words, the account's signature, and the reply quoted below; in the thread, named by
 * In-Reply-To and References. Throws UnsafeHeaderError. Indexes: replies_pkey, outbox_enrolment_id_step_id_key.
 * @param date the Date of the email
 */
export async function composeAnswer(app: App, account: SendingAccount, answer: ClaimedAnswer, date: Date): Promise<Buffer> {
  const [reply] = await app.db.query<AnsweredReply>(sql`
    select r.sender, r.sender_name, r.full_text as text, r.message_id, r.received_at, c.reply_to, e.created_at as enrolled_at
    from replies r join campaigns c on c.id = r.campaign_id join enrolments e on e.id = r.enrolment_id where r.id = ${answer.replyId}`);
  if (reply === undefined) throw new Error(`reply ${answer.replyId} is gone`);
  const threads = await loadThreads(app.db, await accountsOfMailbox(app.db, account.id), [answer.enrolmentId]);
  const thread = threads.get(answer.enrolmentId);
  const inReplyTo = reply.message_id ?? thread?.inReplyTo ?? null;
  const reference = keyInMessageId(answer.messageId);
  const message = composeMessage({
    from: { name: account.fromName, address: account.email },
    to: { name: reply.sender_name, address: answer.recipient },
    replyTo: reply.reply_to,
    subject: answer.subject,
    html: `${answer.bodyHtml}${account.signatureHtml ?? ''}${quotationOf(reply, account)}`,
    messageId: answer.messageId,
    reference,
    inReplyTo,
    references: [...new Set([...(thread?.references ?? []), ...(inReplyTo === null ? [] : [inReplyTo])])],
    date,
    timezone: account.timezone,
    headers: threadHeaders(reference, answer.subject, reply.enrolled_at, thread, date),
  });
  return account.dkim.length === 0 ? message : signMessage(message, account.dkim, date);
}

function quotationOf({ sender, sender_name, text, received_at }: AnsweredReply, { timezone }: SendingAccount): string {
  if (text === '') return '';
  const when = inZone(received_at, timezone).toFormat("d LLL yyyy 'at' HH:mm");
  const who = sender_name === '' ? escapeHtml(sender) : `${escapeHtml(sender_name)} &lt;${escapeHtml(sender)}&gt;`;
  return `<p>On ${when}, ${who} wrote:</p><blockquote type="cite">${escapeHtml(text).replaceAll('\n', '<br>')}</blockquote>`;
}
