import { hasMemberAddress, visible } from '../access/index.ts';
import { canBePolled, hasAccountAddress, isSameMailbox } from '../accounts/index.ts';
import type { App } from '../app.ts';
import { type PollEnds, replyAccountId } from '../campaigns/index.ts';
import { mailboxKey } from '../core/email-address.ts';
import { prepared, type Queryable, type Sql, sql } from '../db/statement.ts';
import type { Classification, InboundHead, MessageContent, ReadMessage } from '../mail/classify/index.ts';
import { emailIdIn, emailKeyIn, messageIdOf } from '../mail/message-id.ts';
import { copiedAddresses } from '../outbox/index.ts';
import { type Candidate, type Evidence, isAboutDelivery, strongestEvidence, threadRefs } from './evidence.ts';
import { type Own, type Recognised, recognise } from './writer.ts';

/** The email that a message is about, the proof for it, and the writer of the message. */
export type Match = Evidence & Recognised;

/** A message with its classification and its match, which is null if the message is not about our emails. */
export interface Reading {
  mail: InboundHead;
  messageId: string;
  identity: string;
  result: Classification;
  content: MessageContent;
  report: ReadMessage['report'];
  match: Match | null;
}

/** A message about one of our emails: the input for applying its effect. */
export interface Arrival {
  reading: Omit<Reading, 'match' | 'messageId' | 'identity' | 'content' | 'report'>;
  match: Match;
  /** The reply as which it is stored; null for a bounce or complaint. */
  replyId: number | null;
  /** The enrolments ended so far by messages of the same poll. */
  ends: PollEnds;
}

const MAX_IDS = 100;
const MAX_CANDIDATES = 20;
/** Number of days after which an address no longer proves anything. */
const DAYS_BY_ADDRESS = 60;

/**
 * Finds the email that a message in the mailbox of `accountId` is about. A referenced or returned email may be any of the workspace. An
 * email that is only guessed from an address must expect its replies in this mailbox, so that forged messages in one mailbox do not affect
 * the contacts of another.
 */
export async function matchMessage(
  { db, sealer }: Pick<App, 'db' | 'sealer'>,
  accountId: number,
  mail: InboundHead,
  result: Classification,
  now: Date,
): Promise<Match | null> {
  const evidence =
    strongestEvidence(mail, result, await namedEmails(db, accountId, result), now) ??
    (await evidenceByConversation(db, accountId, result)) ??
    strongestEvidence(mail, result, await emailsTo(db, accountId, mail, result, now), now);
  if (evidence === null) return null;
  return { ...evidence, ...recognise(sealer, mail, result, evidence, await ownOf(db, evidence.email.workspaceId, mail)) };
}

/** Looks up the author's address among our accounts and members. */
export async function ownOf(db: Queryable, workspaceId: number, { from }: Pick<InboundHead, 'from'>): Promise<Own> {
  const address = from?.address ?? '';
  return { isAccount: await hasAccountAddress(db, workspaceId, address), isMember: await hasMemberAddress(db, workspaceId, address) };
}

/**
 * Finds emails whose token, id, reference or conversation is in the message. Indexes: outbox_message_id_key, outbox_provider_message_id.
 */
async function namedEmails(db: Queryable, accountId: number, result: Classification): Promise<Candidate[]> {
  const { token, originalMessageIds, references } = result;
  if (token !== null) {
    const found = await emailsWithRef(db, accountId, [token]);
    if (found.length > 0) return found;
  }
  const ids = [...new Set(originalMessageIds.slice(0, MAX_IDS).map(emailIdIn))];
  if (ids.length > 0) {
    const found = await candidates(
      db,
      accountId,
      sql`(o.message_id = any(${ids}::text[]) or o.provider_message_id = any(${ids}::text[])) order by o.id desc limit ${MAX_CANDIDATES}`,
    );
    if (found.length > 0) return found;
  }
  const returned = references.length === 0 ? [] : await emailsWithRef(db, accountId, references.slice(0, MAX_IDS));
  const threads = threadRefs(result).slice(0, MAX_IDS);
  return returned.length > 0 || threads.length === 0 ? returned : emailsOfThreads(db, accountId, threads);
}

/** Finds emails by their X-Entity-Ref-ID. */
async function emailsWithRef(db: Queryable, accountId: number, refs: readonly string[]): Promise<Candidate[]> {
  const ids = await idsOf(db, accountId, refs.map(emailKeyIn));
  return candidates(db, accountId, sql`o.message_id = any(${ids}::text[]) order by o.id desc limit ${MAX_CANDIDATES}`);
}

/** Finds the emails of conversations that begin with these references. Indexes: outbox_message_id_key, outbox_enrolment_id_step_id_key. */
async function emailsOfThreads(db: Queryable, accountId: number, refs: readonly string[]): Promise<Candidate[]> {
  const ids = await idsOf(db, accountId, refs);
  const threads = sql`select f.enrolment_id from outbox f where f.message_id = any(${ids}::text[])`;
  return candidates(db, accountId, sql`o.enrolment_id in (${threads}) order by o.id desc limit ${MAX_CANDIDATES}`);
}

/**
 * Returns the evidence of a message that replies to another inbound message of the workspace, which was proved to belong to a conversation:
 * a reply to a reply, whose email client left our id out. Only participants know the other message's Message-ID. Index:
 * inbound_messages_message_id.
 */
async function evidenceByConversation(
  db: Queryable,
  accountId: number,
  { verdict, originalMessageIds }: Classification,
): Promise<Evidence | null> {
  if (isAboutDelivery(verdict) || originalMessageIds.length === 0) return null;
  const answered = sql`select im.outbox_id from inbound_messages im
    where im.workspace_id = (select r.workspace_id from accounts r where r.id = ${accountId})
    and im.message_id = any(${originalMessageIds.slice(0, MAX_IDS)}::text[]) and im.proof in ('id', 'ref', 'thread')`;
  const [email] = await candidates(db, accountId, sql`o.id in (${answered}) order by o.id desc limit 1`);
  return email === undefined ? null : { email, proof: 'thread', copyKey: null };
}

/** Returns the Message-IDs that references may mean: a reference is the local part, and the domain is the domain of an account. */
async function idsOf(db: Queryable, accountId: number, refs: readonly string[]): Promise<string[]> {
  const accounts = await db.query<{ email: string }>(sql`
    select distinct on (address_domain(m.email)) m.email
    from accounts m join accounts r on r.workspace_id = m.workspace_id where r.id = ${accountId}`);
  return refs.flatMap((ref) => accounts.map(({ email }) => messageIdOf(ref, email)));
}

/** Finds the latest emails to the author's address or, for a bounce, to the recipient that it names. Index: outbox_recipient. */
async function emailsTo(db: Queryable, accountId: number, mail: InboundHead, result: Classification, now: Date): Promise<Candidate[]> {
  const { recipient, returnedHeader, verdict } = result;
  if (verdict === 'other') return [];
  const addresses = isAboutDelivery(verdict) ? [recipient, returnedHeader?.to] : [mail.from?.address];
  const known = addresses.flatMap((address) => (address === undefined || address === null ? [] : mailboxKey(address)));
  if (known.length === 0) return [];
  return candidates(
    db,
    accountId,
    sql`mailbox_key(o.recipient) = any(${known}::text[]) and o.transmitting_at > ${now}::timestamptz - make_interval(days => ${DAYS_BY_ADDRESS})
    order by o.transmitting_at desc limit ${MAX_CANDIDATES}`,
  );
}

/** Reads one email as a candidate for a message in the mailbox of `accountId`. Index: outbox_pkey. */
export async function candidateOf(db: Queryable, accountId: number, outboxId: number): Promise<Candidate> {
  const [email] = await candidates(db, accountId, sql`o.id = ${outboxId}`);
  if (email === undefined) throw new Error(`email ${outboxId} is not one of the workspace of account ${accountId}`);
  return email;
}

/** The recipient of email `o`; for an answer, which may go to a colleague, the recipient of the sequence. */
const WRITTEN_TO = sql`coalesce(case when o.reply_id is not null then (
  select p.recipient from outbox p where p.enrolment_id = o.enrolment_id and p.reply_id is null order by p.id desc limit 1) end, o.recipient)`;

/**
 * Condition: the mailbox belongs to the account that sent the email, or to the reply address of the email, even if the campaign's reply
 * address has changed since. If the email's reply address was no connected account, the campaign's current one counts.
 */
const IS_EXPECTED = sql`(${isSameMailbox('s', 'w')} or coalesce(
  (select ${isSameMailbox('p', 'w')} from accounts p where p.id = o.reply_account_id), ${replyAccountId('c', 's')} = w.id, false))`;

/** Condition: replies and bounces of the email are recorded as events. */
const IS_TRACKED = sql`(exists (select from accounts p where p.id = o.reply_account_id and ${canBePolled('p')}) or ${replyAccountId('c', 's')} is not null)`;

/**
 * Reads transmitted emails of the workspace of `accountId`, in the order of the condition. It queries the ids first, because most messages
 * match no email and PostgreSQL plans a query for ids in a fraction of the time.
 */
async function candidates(db: Queryable, accountId: number, condition: Sql): Promise<Candidate[]> {
  const found = await db.query<{ id: number }>(sql`
    select o.id from outbox o where o.transmitting_at is not null
      and o.workspace_id = (select w.workspace_id from accounts w where w.id = ${accountId}) and ${condition}`);
  if (found.length === 0) return [];
  const ids = found.map(({ id }) => id);
  const emails = await db.query<Candidate>(prepared('emails-for-message', emailsById(accountId, ids)));
  return emails.sort((a, b) => ids.indexOf(a.outboxId) - ids.indexOf(b.outboxId));
}

/** Selects the emails with these ids as candidates. Indexes: outbox_pkey, and the primary keys of the joined tables. */
const emailsById = (accountId: number, ids: readonly number[]): Sql => sql`
    select o.id as "outboxId", o.enrolment_id as "enrolmentId", o.workspace_id as "workspaceId", o.campaign_id as "campaignId",
      o.contact_id as "contactId", k.name as "contactName", k.email as "contactEmail", o.recipient, ${copiedAddresses('o')} as copies, o.reply_id is not null as "isAnswer",
      ${WRITTEN_TO} as "writtenTo", s.id as "senderId",
      s.email as "senderEmail", c.reply_to as "replyTo", ${IS_TRACKED} as "isTracked",
      ${IS_EXPECTED} as "isExpectedHere", ${IS_EXPECTED} or (${visible({ userIn: 'c.created_by', mayHaveLeft: true }, 'accounts', 'w')}) as "isQuotable", o.accepted_at is not null as "isAccepted",
      o.step_order as step, greatest(e.last_sent_step, 1) as "lastStep", o.subject, c.timezone, c.when_colleague_replies as "whenColleagueReplies", o.message_id as "messageId",
      o.provider_message_id as "providerMessageId", coalesce(o.accepted_at, o.transmitting_at) as "sentAt"
    from outbox o
    join enrolments e on e.id = o.enrolment_id
    join contacts k on k.id = o.contact_id
    join campaigns c on c.id = o.campaign_id
    join accounts s on s.id = o.account_id
    join accounts w on w.id = ${accountId} and w.workspace_id = s.workspace_id
    where o.id = any(${ids}::bigint[])`;
