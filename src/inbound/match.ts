import { replyAccountId } from '../campaigns/index.ts';
import { isPublicDomain } from '../contacts/index.ts';
import { empty, type Queryable, type Sql, sql } from '../db/statement.ts';
import { type Classification, type InboundMessage, threadSubject, type Verdict } from '../mail/classify/index.ts';
import { isSharedMailbox } from './shared-mailbox.ts';

/** The mail of ours that a message is about, with its enrolment, and how sure that is. */
export interface Match {
  outboxId: number;
  enrolmentId: number;
  workspaceId: number;
  campaignId: number;
  contactId: number;
  /** The mailbox that sent the mail. */
  senderId: number;
  /** The step of the mail itself. */
  mailStep: number;
  /** The last step that was sent to the contact; 1 before any. */
  lastStep: number;
  recipient: string;
  timezone: string;
  /**
   * `thread`, `returned`: it answers or returns a mail of ours by its id. `address`: by who wrote it. `recipient`: by whom
   * it is about. `colleague`: in the thread, but somebody else of the recipient's organisation wrote it.
   */
  by: 'thread' | 'returned' | 'address' | 'recipient' | 'colleague';
}

/** What was made of a message. */
export interface Reading {
  mail: InboundMessage;
  result: Classification;
  /** Null where it is about none of our mails. */
  match: Match | null;
}

interface MatchRow {
  id: number;
  enrolment_id: number;
  workspace_id: number;
  campaign_id: number;
  contact_id: number;
  account_id: number;
  step_order: number;
  last_sent_step: number;
  recipient: string;
  contact_name: string;
  timezone: string;
  subject: string | null;
}

/** How long after our mail an answer is known by its sender alone, in days. */
const DAYS_BY_ADDRESS = 60;
/** Holiday notices come at once, and seldom with a subject that says what they answer. */
const DAYS_OF_NOTICE = 3;
/** A bounce that shows nothing of our mail is believed when only one mail went to that address within so many days. */
const DAYS_BY_RECIPIENT = 7;
const MAX_IDS = 100;

/** Messages about a mail, written by servers. */
const ABOUT_DELIVERY: readonly Verdict[] = ['hard_bounce', 'soft_bounce', 'delay', 'feedback_report'];

/**
 * Finds what a message in the mailbox of `accountId` is about: by the id of a mail of ours that it answers or returns,
 * else by sender and subject, or for bounces by the recipient they name. Only mails whose answers come to this very
 * mailbox are looked at, so that nothing forged in one mailbox reaches the contacts of another.
 */
export async function matchMessage(
  db: Queryable,
  accountId: number,
  mail: InboundMessage,
  result: Classification,
  now: Date,
): Promise<Match | null> {
  const isAboutDelivery = ABOUT_DELIVERY.includes(result.verdict);
  const answered = await findByIds(db, accountId, result);
  if (answered !== undefined) return toMatch(answered, isAboutDelivery ? 'returned' : standingOf(answered, mail));
  if (isAboutDelivery) {
    const named = result.recipient === null ? undefined : await findByRecipient(db, accountId, result.recipient, now);
    return named === undefined ? null : toMatch(named, 'recipient');
  }
  if (mail.from === null || result.verdict === 'other') return null;
  const written = await findBySender(db, accountId, mail.from.address, mail.subject, result.verdict, now);
  return written === undefined ? null : toMatch(written, 'address');
}

/** Indexes: outbox_message_id_key, outbox_provider_message_id. */
async function findByIds(db: Queryable, accountId: number, result: Classification): Promise<MatchRow | undefined> {
  const ids = result.originalMessageIds.slice(0, MAX_IDS);
  if (ids.length > 0) {
    const [row] = await db.query<MatchRow>(sql`
      ${mailsAnsweredIn(accountId)} and (o.message_id = any(${ids}::text[]) or o.provider_message_id = any(${ids}::text[]))
      order by o.id desc limit 1`);
    if (row !== undefined) return row;
  }
  if (result.references.length === 0) return undefined;
  // Our mark is the local part of our Message-ID, whose domain is that of the mailbox that sent it.
  const [row] = await db.query<MatchRow>(sql`
    ${mailsAnsweredIn(accountId)} and o.message_id = any(
      select '<' || mark || '@' || lower(split_part(m.email, '@', 2)) || '>'
      from unnest(${result.references.slice(0, MAX_IDS)}::text[]) as mark,
        accounts m join accounts w on w.workspace_id = m.workspace_id and w.id = ${accountId})
    order by o.id desc limit 1`);
  return row;
}

/** Index: outbox_recipient, one account after the other of the workspace's few. */
async function findBySender(
  db: Queryable,
  accountId: number,
  sender: string,
  subject: string,
  verdict: Verdict,
  now: Date,
): Promise<MatchRow | undefined> {
  const rows = await db.query<MatchRow & { is_recent: boolean }>(sql`
    ${mailsAnsweredIn(accountId, sql`, o.accepted_at > ${now}::timestamptz - make_interval(days => ${DAYS_OF_NOTICE}) as is_recent`)}
      and o.account_id in (select m.id from accounts m join accounts w on w.workspace_id = m.workspace_id where w.id = ${accountId})
      and lower(o.recipient) = lower(${sender}) and o.state = 'accepted'
      and o.accepted_at > ${now}::timestamptz - make_interval(days => ${DAYS_BY_ADDRESS})
    order by o.accepted_at desc limit 20`);
  // Who asks for no more mail by the address in List-Unsubscribe writes a subject of its own.
  if (verdict === 'unsubscribe_request') return rows[0];
  const thread = threadSubject(subject);
  const sameThread = rows.find((row) => thread !== '' && threadSubject(row.subject ?? '') === thread);
  if (sameThread !== undefined || verdict !== 'auto_reply') return sameThread;
  return rows.find((row) => row.is_recent || (row.subject !== null && thread.includes(threadSubject(row.subject))));
}

/** Index: outbox_recipient. Weak evidence, so nothing where two mails could be meant. */
async function findByRecipient(db: Queryable, accountId: number, recipient: string, now: Date): Promise<MatchRow | undefined> {
  const rows = await db.query<MatchRow>(sql`
    ${mailsAnsweredIn(accountId)}
      and o.account_id in (select m.id from accounts m join accounts w on w.workspace_id = m.workspace_id where w.id = ${accountId})
      and lower(o.recipient) = lower(${recipient}) and o.state = 'accepted'
      and o.accepted_at > ${now}::timestamptz - make_interval(days => ${DAYS_BY_RECIPIENT})
    limit 2`);
  return rows.length === 1 ? rows[0] : undefined;
}

/**
 * The mails whose answers come to a mailbox: it is their reply address, or it sent them and they have a connected one,
 * for servers return bounces to the sender.
 */
const mailsAnsweredIn = (accountId: number, columns: Sql = empty): Sql => sql`
  select o.id, o.enrolment_id, o.workspace_id, o.campaign_id, o.contact_id, o.account_id, o.step_order, o.recipient, o.subject,
    greatest(e.last_sent_step, 1) as last_sent_step, k.name as contact_name, c.timezone${columns}
  from outbox o
  join enrolments e on e.id = o.enrolment_id
  join contacts k on k.id = o.contact_id
  join campaigns c on c.id = o.campaign_id
  join accounts s on s.id = o.account_id
  where ${replyAccountId('c', 's')} is not null and (${replyAccountId('c', 's')} = ${accountId} or s.id = ${accountId})
    and o.transmitting_at is not null`;

function standingOf(row: MatchRow, mail: InboundMessage): Match['by'] {
  const sender = mail.from?.address.toLowerCase() ?? '';
  const recipient = row.recipient.toLowerCase();
  const domain = recipient.slice(recipient.lastIndexOf('@') + 1);
  if (sender === recipient || !sender.endsWith(`@${domain}`) || isPublicDomain(domain)) return 'thread';
  // A second address of the same person.
  const name = mail.from?.name.toLowerCase().trim() ?? '';
  if (name !== '' && name === row.contact_name.toLowerCase().trim()) return 'thread';
  return isSharedMailbox(recipient) ? 'thread' : 'colleague';
}

const toMatch = (row: MatchRow, by: Match['by']): Match => ({
  outboxId: row.id,
  enrolmentId: row.enrolment_id,
  workspaceId: row.workspace_id,
  campaignId: row.campaign_id,
  contactId: row.contact_id,
  senderId: row.account_id,
  mailStep: row.step_order,
  lastStep: row.last_sent_step,
  recipient: row.recipient,
  timezone: row.timezone,
  by,
});
