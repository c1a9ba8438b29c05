import { accountsOfMailbox } from '../../accounts/index.ts';
import type { App } from '../../app.ts';
import { replyAccountId } from '../../campaigns/index.ts';
import { inZone } from '../../core/zone.ts';
import { type Queryable, sql } from '../../db/statement.ts';
import { escapeHtml } from '../../html/page.ts';
import type { Message } from '../../mail/attached-message.ts';
import { keyInMessageId } from '../../mail/message-id.ts';
import { type ClaimedAnswer, isAccepted, loadThreads, shortReferences } from '../../outbox/index.ts';
import { isByPerson, notBefore } from '../../replies/index.ts';
import { threadHeaders } from '../batch/write-email.ts';
import { writeMessage } from '../batch/write-message.ts';
import type { SendingAccount } from '../state/account-state.ts';

/** An answer, and the account whose mailbox it names for replies. */
interface ComposedAnswer {
  message: Message;
  replyAccountId: number | null;
}

interface AnsweredReply {
  sender: string;
  sender_name: string;
  text: string;
  message_id: string | null;
  received_at: Date;
  reply_to: string | null;
  reply_account_id: number | null;
  enrolled_at: Date;
}

/**
 * Composes and signs an answer: the user's text, the account's signature, and below them the quoted reply. In-Reply-To and References put
 * it in the thread. Throws UnsafeHeaderError. Indexes: replies_pkey, outbox_enrolment_id_step_id_key.
 * @param date the Date of the email
 */
export async function composeAnswer(app: App, account: SendingAccount, answer: ClaimedAnswer, date: Date): Promise<ComposedAnswer> {
  const [reply] = await app.db.query<AnsweredReply>(sql`
    select r.sender, r.sender_name, r.full_text as text, r.message_id, r.received_at, c.reply_to, e.created_at as enrolled_at,
      ${replyAccountId('c', 'a')} as reply_account_id
    from replies r join campaigns c on c.id = r.campaign_id join accounts a on a.id = ${account.id} join enrolments e on e.id = r.enrolment_id where r.id = ${answer.replyId}`);
  if (reply === undefined) throw new Error(`reply ${answer.replyId} is gone`);
  const mailbox = await accountsOfMailbox(app.db, account.id);
  const thread = (await loadThreads(app.db, mailbox, [{ id: answer.enrolmentId, recipient: null }])).get(answer.enrolmentId);
  const chain = await messageIdsBefore(app.db, answer, mailbox);
  const inReplyTo = isMessageId(reply.message_id) ? reply.message_id : (thread?.inReplyTo ?? null);
  const reference = keyInMessageId(answer.messageId);
  const draft = {
    from: { name: account.fromName, address: account.email },
    to: { name: inOneLine(reply.sender_name), address: answer.recipient },
    cc: answer.cc,
    replyTo: reply.reply_to,
    subject: answer.subject,
    html: `${answer.bodyHtml}${account.signatureHtml ?? ''}${quotationOf(reply, account)}`,
    messageId: answer.messageId,
    reference,
    inReplyTo,
    references: shortReferences([...chain.filter((id) => id !== inReplyTo), ...(inReplyTo === null ? [] : [inReplyTo])]),
    date,
    timezone: account.timezone,
    headers: threadHeaders(reference, answer.subject, reply.enrolled_at, thread, date),
  };
  return { message: await writeMessage(app, account, draft, answer.attachments), replyAccountId: reply.reply_account_id };
}

const MAX_CHARACTERS = 240;

/**
 * Makes foreign text safe for a header field: removes line breaks and control characters, and cuts it to a length that fits in any script.
 */
export const inOneLine = (text: string): string =>
  [...text.replaceAll(/[\p{Cc}\u2028\u2029]+/gu, ' ').trim()].slice(0, MAX_CHARACTERS).join('');

/** RFC 5322 §3.6.4. A reply may carry anything as its Message-ID, and a header field only holds ASCII. */
const isMessageId = (text: string | null): text is string => text !== null && /^<[!-;=?-~]{3,}>$/.test(text);

/**
 * Lists the Message-IDs of a conversation up to the answered reply, oldest first: those of our emails, including the ones that the provider
 * assigned, and those of the replies that people wrote. Indexes: outbox_enrolment_id_step_id_key, replies_enrolment.
 * @param accountIds all accounts, past and present, of the answering mailbox
 */
async function messageIdsBefore(db: Queryable, { enrolmentId, replyId }: ClaimedAnswer, accountIds: readonly number[]): Promise<string[]> {
  const rows = await db.query<{ id: string | null }>(sql`
    select id from (
      select unnest(array[o.message_id, o.provider_message_id]) as id, o.accepted_at as turn from outbox o
      where o.enrolment_id = ${enrolmentId} and o.account_id = any(${accountIds}::int[]) and ${isAccepted('o')}
      union all
      select r.message_id, ${notBefore(sql`r.received_at`, sql`o.accepted_at`)} from replies r join outbox o on o.id = r.outbox_id
      where r.enrolment_id = ${enrolmentId} and r.id <= ${replyId} and ${isByPerson('r')}) ids
    order by turn`);
  return [...new Set(rows.map(({ id }) => id).filter(isMessageId))];
}

function quotationOf({ sender, sender_name, text, received_at }: AnsweredReply, { timezone }: SendingAccount): string {
  if (text === '') return '';
  const when = inZone(received_at, timezone).toFormat("d LLL yyyy 'at' HH:mm");
  const who = sender_name === '' ? escapeHtml(sender) : `${escapeHtml(sender_name)} &lt;${escapeHtml(sender)}&gt;`;
  return `<p>On ${when}, ${who} wrote:</p><blockquote type="cite">${escapeHtml(text).replaceAll('\n', '<br>')}</blockquote>`;
}
