import { erasedAddress } from '../contacts/index.ts';
import { type Queryable, raw, type Sql, sql } from '../db/statement.ts';

/** A person: the contacts in all workspaces whose address is the same, ignoring case. */
export interface Person {
  email: string;
  /** Their contacts, including deleted and archived ones. */
  contactIds: number[];
}

/** A table with personal data, and how an erasure treats its rows. */
export interface PersonSource {
  table: string;
  /** Condition for the person's rows of the table `t`. */
  of(person: Person): Sql;
  /** Deletes the rows, or sets columns if statistics count the rows. */
  erase: 'delete' | ((person: Person) => Sql);
  /** Columns without personal data, left out of an export. */
  internal?: readonly string[];
}

export async function findPerson(db: Queryable, email: string): Promise<Person> {
  const rows = await db.query<{ id: number }>(sql`select id from contacts where mailbox_key(email) = mailbox_key(${email}) order by id`);
  return { email, contactIds: rows.map(({ id }) => id) };
}

const ids = ({ contactIds }: Person): Sql => sql`${contactIds}::int[]`;
const enrolments = (person: Person): Sql => sql`(select e.id from enrolments e where e.contact_id = any(${ids(person)}))`;
const emails = (person: Person): Sql =>
  sql`(select o.id from outbox o where o.contact_id = any(${ids(person)}) or mailbox_key(o.recipient) = mailbox_key(${person.email}))`;
const replies = (person: Person): Sql =>
  sql`(select r.id from replies r where r.contact_id = any(${ids(person)}) or mailbox_key(r.sender) = mailbox_key(${person.email}))`;
const events = (person: Person): Sql => sql`(select v.id from events v where v.contact_id = any(${ids(person)}))`;

/**
 * Returns a POSIX regular expression for the whole address in any text, plain or percent-encoded: `a@b.example` does not match in
 * `aa@b.example`. Use it case-insensitively.
 */
export function addressPattern(email: string): string {
  const written = [...new Set([email, encodeURIComponent(email)])].map((text) => text.replaceAll(/[^\p{L}\p{N}]/gu, '\\$&'));
  // In a URL it may follow a percent-encoded character such as %3D.
  return `(?:(?<![[:alnum:]._%+-])|(?<=%[0-9A-Fa-f]{2}))(?:${written.join('|')})(?![[:alnum:]-]|\\.[[:alnum:]])`;
}

const mentions = (column: string, { email }: Person): Sql => sql`t.${raw(column)}::text ~* ${addressPattern(email)}`;

/** The domain of the address that replaces an erased one (RFC 2606 §2: `.invalid` never exists). */
export const ERASED_DOMAIN = 'erased.invalid';
export const ERASED = `erased@${ERASED_DOMAIN}`;

/**
 * Every table that refers to contacts, enrolments or emails, dependent rows first. A test checks the list against the foreign keys. An
 * erasure also searches all text columns of the database for the address.
 */
export const PERSON_SOURCES: readonly PersonSource[] = [
  { table: 'list_members', of: (person) => sql`t.contact_id = any(${ids(person)})`, erase: 'delete' },
  { table: 'pending_enrolments', of: (person) => sql`t.contact_id = any(${ids(person)})`, erase: 'delete' },
  { table: 'shares', of: (person) => sql`t.resource_type = 'contacts' and t.resource_id = any(${ids(person)})`, erase: 'delete' },
  { table: 'tracking_hits', of: (person) => sql`t.outbox_id in ${emails(person)}`, erase: 'delete' },
  {
    table: 'webhook_deliveries',
    of: (person) => sql`(t.event_id in ${events(person)} or ${mentions('data', person)})`,
    erase: 'delete',
  },
  { table: 'sent_copies', of: (person) => sql`t.outbox_id in ${emails(person)}`, erase: 'delete', internal: ['message'] },
  { table: 'answers', of: (person) => sql`(t.outbox_id in ${emails(person)} or t.reply_id in ${replies(person)})`, erase: 'delete' },
  {
    table: 'replies',
    of: (person) => sql`(t.contact_id = any(${ids(person)}) or mailbox_key(t.sender) = mailbox_key(${person.email}))`,
    erase: () => sql`sender = '', sender_name = '', subject = '', own_text = '', full_text = '', files = '[]', label = null`,
    internal: ['words'],
  },
  {
    table: 'inbound_messages',
    of: (person) => sql`(t.enrolment_id in ${enrolments(person)} or ${mentions('sender', person)})`,
    // A Message-ID without the address stays: a message that is moved to another folder is recognised by it.
    erase: ({ email }) => sql`sender = null, subject = null, snippet = null, reasons = '[]',
      message_id = case when position(lower(${email}) in lower(message_id)) = 0 then message_id end`,
  },
  { table: 'call_tasks', of: (person) => sql`t.enrolment_id in ${enrolments(person)}`, erase: () => sql`note = null` },
  // Their domain is removed from the counters, too: see `forgetDomains`.
  { table: 'events', of: (person) => sql`t.contact_id = any(${ids(person)})`, erase: () => sql`url = null, details = null` },
  {
    table: 'outbox',
    of: (person) => sql`(t.contact_id = any(${ids(person)}) or mailbox_key(t.recipient) = mailbox_key(${person.email}))`,
    erase: () => sql`recipient = ${ERASED}, subject = null, response = null, content_key = null, content_values = null`,
    internal: ['worker', 'lease_until'],
  },
  {
    table: 'enrolments',
    of: (person) => sql`t.contact_id = any(${ids(person)})`,
    erase: () => sql`hold_reason = null, timezone = null`,
    internal: ['content_version'],
  },
  {
    table: 'audit_log',
    of: (person) => sql`((t.resource_type = 'contact' and t.resource_id = any(${ids(person)}))
      or (t.resource_type = 'enrolment' and t.resource_id in ${enrolments(person)})
      or (t.resource_type = 'suppression' and t.resource_id in (select s.id from suppressions s where mailbox_key(s.email) = mailbox_key(${person.email}))))`,
    erase: () => sql`changes = '{}', ip = case when actor = 'recipient' then null else ip end`,
  },
  { table: 'suppressions', of: (person) => sql`mailbox_key(t.email) = mailbox_key(${person.email})`, erase: 'delete' },
  {
    table: 'contacts',
    of: (person) => sql`t.id = any(${ids(person)})`,
    erase: () => sql`name = '', email = ${erasedAddress('t')}, company = null, custom_fields = '{}', verification = null`,
  },
];
