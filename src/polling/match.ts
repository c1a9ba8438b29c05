import { type Queryable, sql } from '../db.ts';
import { type Classification, type Mail, threadSubject } from './classify/index.ts';

/** The enrolment that a message is about, and how sure that is. */
export interface Match {
  enrolmentId: number;
  workspaceId: number;
  campaignId: number;
  contactId: number;
  /** The last step that was sent to the contact; 1 before any. */
  stepOrder: number;
  recipient: string;
  /** `thread` and `returned`: by the id of a mail of ours. `address`: by sender and subject. `colleague`: the thread, but somebody else of the same domain. */
  by: 'thread' | 'returned' | 'address' | 'colleague';
}

interface MatchRow {
  enrolment_id: number;
  workspace_id: number;
  campaign_id: number;
  contact_id: number;
  last_sent_step: number;
  recipient: string;
  reply_address: string;
}

const DAYS_BY_ADDRESS = 60;
/**
 * Finds what a message in the mailbox of `accountId` is about: by the Message-ID of a mail of ours that it answers or
 * returns, else, for what people write, by sender and subject within 60 days. Only mails of campaigns whose replies come
 * to this very mailbox are looked at, so that nothing forged in one mailbox reaches the contacts of another.
 */
export async function matchMessage(
  db: Queryable,
  accountId: number,
  message: Mail,
  classification: Classification,
  now: Date,
): Promise<Match | null> {
  const byId = await findByMessageId(db, accountId, classification.originalMessageIds, classification.references);
  if (byId !== undefined) return byIdMatch(byId, message, classification);
  if (classification.verdict !== 'reply' && classification.verdict !== 'auto_reply' && classification.verdict !== 'unsubscribe_request')
    return null;
  const byAddress = message.from === null ? undefined : await findByAddress(db, accountId, message, now);
  return byAddress === undefined ? null : { ...toMatch(byAddress), by: 'address' };
}

function byIdMatch(row: MatchRow, message: Mail, classification: Classification): Match {
  const isAboutDelivery = ['hard_bounce', 'soft_bounce', 'delay', 'feedback_report'].includes(classification.verdict);
  if (isAboutDelivery) return { ...toMatch(row), by: 'returned' };
  const isContact = senderOf(message) === row.recipient.toLowerCase();
  return { ...toMatch(row), by: isContact || !isSameDomain(senderOf(message), row.recipient) ? 'thread' : 'colleague' };
}

const senderOf = (message: Mail) => message.from?.address.toLowerCase() ?? null;
const domainOf = (address: string | null) => address?.slice(address.lastIndexOf('@') + 1).toLowerCase() ?? '';
/** Domains that many strangers share: an answer from another address there is the contact's other address. */
const PUBLIC_DOMAINS = /^(gmail|googlemail|outlook|hotmail|live|yahoo|icloud|me|aol|gmx|web|proton|protonmail|mail|qq|163)\./;
const isSameDomain = (a: string | null, b: string) => domainOf(a) === domainOf(b) && !PUBLIC_DOMAINS.test(domainOf(b));

/** Indexes: outbox_message_id_key, outbox_provider_message_id. */
async function findByMessageId(
  db: Queryable,
  accountId: number,
  ids: readonly string[],
  marks: readonly string[],
): Promise<MatchRow | undefined> {
  if (ids.length === 0 && marks.length === 0) return undefined;
  const wanted = ids.slice(0, 100);
  const prefixes = marks.slice(0, 10).map((mark) => `<${mark}@%`);
  const [row] = await db.query<MatchRow>(sql`
    ${matchSelect(accountId)}
    and (o.message_id = any(${wanted}::text[]) or o.provider_message_id = any(${wanted}::text[]) or o.message_id like any(${prefixes}::text[]))
    order by o.id desc limit 1`);
  return row;
}

/** Index: outbox_recipient. */
async function findByAddress(db: Queryable, accountId: number, message: Mail, now: Date): Promise<MatchRow | undefined> {
  const subject = threadSubject(message.subject);
  const rows = await db.query<MatchRow & { subject: string | null }>(sql`
    ${matchSelect(accountId)} and lower(o.recipient) = ${senderOf(message)} and o.state = 'accepted'
      and o.accepted_at > ${now}::timestamptz - make_interval(days => ${DAYS_BY_ADDRESS})
    order by o.accepted_at desc limit 20`);
  return rows.find((row) => subject !== '' && threadSubject(row.subject ?? '') === subject);
}

const matchSelect = (accountId: number) => sql`
  select o.enrolment_id, o.workspace_id, o.campaign_id, o.contact_id, o.recipient, o.subject, greatest(e.last_sent_step, 1) as last_sent_step
  from outbox o
  join enrolments e on e.id = o.enrolment_id
  join campaigns c on c.id = o.campaign_id
  join accounts s on s.id = o.account_id
  join accounts r on r.id = ${accountId} and r.workspace_id = o.workspace_id and lower(r.email) = lower(coalesce(c.reply_to, s.email))
  where o.transmitting_at is not null`;

const toMatch = (row: MatchRow) => ({
  enrolmentId: row.enrolment_id,
  workspaceId: row.workspace_id,
  campaignId: row.campaign_id,
  contactId: row.contact_id,
  stepOrder: row.last_sent_step,
  recipient: row.recipient,
});
