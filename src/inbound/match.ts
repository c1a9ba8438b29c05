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

/** The email that a message is about, by which proof, and who wrote the message. */
export type Match = Evidence & Recognised;

/** A message with its classification and its email; null where it is about none of ours. */
export interface Reading {
  mail: InboundHead;
  messageId: string;
  identity: string;
  result: Classification;
  content: MessageContent;
  report: ReadMessage['report'];
  match: Match | null;
}

/** A message about an email of ours, as its effect is applied. */
export interface Arrival {
  reading: Omit<Reading, 'match' | 'messageId' | 'identity' | 'content' | 'report'>;
  match: Match;
  /** The reply that it is; null for a bounce or complaint. */
  replyId: number | null;
  /** The enrolments that messages of the same poll have ended so far. */
  ends: PollEnds;
}

const MAX_IDS = 100;
const MAX_CANDIDATES = 20;
/** No proof by address holds for longer, in days. */
const DAYS_BY_ADDRESS = 60;

/**
 * Finds the email that a message in the mailbox of `accountId` is about. An email that is named or returned may be any of the
 * workspace; one that is only guessed by an address must be expected in this very mailbox, so that nothing forged in one mailbox
 * reaches the contacts of another.
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
    (await continued(db, accountId, result)) ??
    strongestEvidence(mail, result, await emailsTo(db, accountId, mail, result, now), now);
  if (evidence === null) return null;
  return { ...evidence, ...recognise(sealer, mail, result, evidence, await ownOf(db, evidence.email.workspaceId, mail)) };
}

/** Looks up the address of the author of a message among our own. */
export async function ownOf(db: Queryable, workspaceId: number, { from }: Pick<InboundHead, 'from'>): Promise<Own> {
  const address = from?.address ?? '';
  return { isAccount: await hasAccountAddress(db, workspaceId, address), isMember: await hasMemberAddress(db, workspaceId, address) };
}

/** Emails whose token, id, reference or conversation the message names. Indexes: outbox_message_id_key, outbox_provider_message_id. */
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

/** Emails by their X-Entity-Ref-ID. */
async function emailsWithRef(db: Queryable, accountId: number, refs: readonly string[]): Promise<Candidate[]> {
  const ids = await idsOf(db, accountId, refs.map(emailKeyIn));
  return candidates(db, accountId, sql`o.message_id = any(${ids}::text[]) order by o.id desc limit ${MAX_CANDIDATES}`);
}

/** Emails of the conversations that begin with these. Indexes: outbox_message_id_key, outbox_enrolment_id_step_id_key. */
async function emailsOfThreads(db: Queryable, accountId: number, refs: readonly string[]): Promise<Candidate[]> {
  const ids = await idsOf(db, accountId, refs);
  const threads = sql`select f.enrolment_id from outbox f where f.message_id = any(${ids}::text[])`;
  return candidates(db, accountId, sql`o.enrolment_id in (${threads}) order by o.id desc limit ${MAX_CANDIDATES}`);
}

/**
 * The evidence of a message that answers another one in a mailbox of the workspace which was proved to be of a conversation: an answer to an answer,
 * whose program left our id out. Only who took part knows the other's Message-ID. Index: inbound_messages_message_id.
 */
async function continued(db: Queryable, accountId: number, { verdict, originalMessageIds }: Classification): Promise<Evidence | null> {
  if (isAboutDelivery(verdict) || originalMessageIds.length === 0) return null;
  const answered = sql`select im.outbox_id from inbound_messages im
    where im.workspace_id = (select r.workspace_id from accounts r where r.id = ${accountId})
    and im.message_id = any(${originalMessageIds.slice(0, MAX_IDS)}::text[]) and im.proof in ('id', 'ref', 'thread')`;
  const [email] = await candidates(db, accountId, sql`o.id in (${answered}) order by o.id desc limit 1`);
  return email === undefined ? null : { email, proof: 'thread', copyKey: null };
}

/** The Message-IDs that references may mean: a reference is the local part of one, and the domain is that of an account. */
async function idsOf(db: Queryable, accountId: number, refs: readonly string[]): Promise<string[]> {
  const accounts = await db.query<{ email: string }>(sql`
    select distinct on (address_domain(m.email)) m.email
    from accounts m join accounts r on r.workspace_id = m.workspace_id where r.id = ${accountId}`);
  return refs.flatMap((ref) => accounts.map(({ email }) => messageIdOf(ref, email)));
}

/** The last emails to the address that wrote, or that a bounce names. Index: outbox_recipient. */
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

/** Reads one email as evidence for a message in the mailbox of `accountId`. Index: outbox_pkey. */
export async function candidateOf(db: Queryable, accountId: number, outboxId: number): Promise<Candidate> {
  const [email] = await candidates(db, accountId, sql`o.id = ${outboxId}`);
  if (email === undefined) throw new Error(`email ${outboxId} is not one of the workspace of account ${accountId}`);
  return email;
}

/** The address that email `o` was written to; of an answer, that of the sequence, whose colleague may have been answered. */
const WRITTEN_TO = sql`coalesce(case when o.reply_id is not null then (
  select p.recipient from outbox p where p.enrolment_id = o.enrolment_id and p.reply_id is null order by p.id desc limit 1) end, o.recipient)`;

/**
 * Condition: the mailbox is that of the account that sent the email, or the one that the email named for replies, whatever the campaign names now.
 * Where it named none that was connected, the present one counts.
 */
const IS_EXPECTED = sql`(${isSameMailbox('s', 'w')} or coalesce(
  (select ${isSameMailbox('p', 'w')} from accounts p where p.id = o.reply_account_id), ${replyAccountId('c', 's')} = w.id, false))`;

/** Condition: replies and bounces of the email are events. */
const IS_TRACKED = sql`(exists (select from accounts p where p.id = o.reply_account_id and ${canBePolled('p')}) or ${replyAccountId('c', 's')} is not null)`;

/**
 * Emails of the workspace of `accountId` that were handed to a server, in the order of the condition. Most messages are about none, and
 * a statement that only finds ids is planned in a fraction of the time.
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

/** The emails with these ids, as a proof asks about them. Indexes: outbox_pkey, and the primary keys of what it joins. */
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
