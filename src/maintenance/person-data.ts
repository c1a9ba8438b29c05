import { type Queryable, raw, type Sql, sql } from '../db/database.ts';

/** One person: every address is theirs that is equal but for its case, in every workspace. */
export interface Person {
  email: string;
  /** Their contacts, deleted and archived ones among them. */
  contactIds: number[];
}

/** Where something of a person is stored, and what an erasure makes of it. */
export interface PersonSource {
  table: string;
  /** The condition on the table's alias `t`. */
  of(person: Person): Sql;
  /** Rows are deleted, or these columns set: what statistics count stays. */
  erase: 'delete' | ((person: Person) => Sql);
  /** Columns that say nothing about the person. */
  internal?: readonly string[];
}

export async function findPerson(db: Queryable, email: string): Promise<Person> {
  const rows = await db.query<{ id: number }>(sql`select id from contacts where lower(email) = lower(${email}) order by id`);
  return { email, contactIds: rows.map(({ id }) => id) };
}

const ids = ({ contactIds }: Person): Sql => sql`${contactIds}::int[]`;
const enrolments = (person: Person): Sql => sql`(select e.id from enrolments e where e.contact_id = any(${ids(person)}))`;
const mails = (person: Person): Sql => sql`(select o.id from outbox o where o.contact_id = any(${ids(person)}))`;
const events = (person: Person): Sql => sql`(select v.id from events v where v.contact_id = any(${ids(person)}))`;

/** The address wherever it stands in a text, whole: `a@b.example` is not found in `aa@b.example`. Case does not matter. */
export function addressPattern(email: string): string {
  const written = [...new Set([email, encodeURIComponent(email)])].map((text) => text.replaceAll(/[^\p{L}\p{N}]/gu, '\\$&'));
  // In a URL it may stand behind an encoded character, such as %3D.
  return `(?:(?<![[:alnum:]._%+-])|(?<=%[0-9A-Fa-f]{2}))(?:${written.join('|')})(?![[:alnum:]-]|\\.[[:alnum:]])`;
}

const mentions = (column: string, { email }: Person): Sql => sql`t.${raw(column)}::text ~* ${addressPattern(email)}`;

/** What an erased address becomes (RFC 2606 §2: `.invalid` never exists). */
export const ERASED = 'erased@erased.invalid';

/**
 * Everything that is kept of a person, what depends on other rows before those. Every table that refers to contacts,
 * enrolments or mails is here; a test follows the foreign keys. Beside it, an erasure looks through all texts of the
 * database for the address.
 */
export const PERSON_SOURCES: readonly PersonSource[] = [
  { table: 'list_members', of: (person) => sql`t.contact_id = any(${ids(person)})`, erase: 'delete' },
  { table: 'shares', of: (person) => sql`t.resource_type = 'contacts' and t.resource_id = any(${ids(person)})`, erase: 'delete' },
  { table: 'tracking_hits', of: (person) => sql`t.outbox_id in ${mails(person)}`, erase: 'delete' },
  {
    table: 'webhook_deliveries',
    of: (person) => sql`(t.event_id in ${events(person)} or ${mentions('data', person)})`,
    erase: 'delete',
  },
  {
    table: 'inbound_messages',
    of: (person) => sql`(t.enrolment_id in ${enrolments(person)} or ${mentions('sender', person)})`,
    // The id stays where it tells nothing: by it the mail is known again when it is moved to another folder.
    erase: ({ email }) => sql`sender = null, subject = null, snippet = null, reasons = '[]',
      message_id = case when position(lower(${email}) in lower(message_id)) = 0 then message_id end`,
  },
  { table: 'call_tasks', of: (person) => sql`t.enrolment_id in ${enrolments(person)}`, erase: () => sql`note = null` },
  { table: 'events', of: (person) => sql`t.contact_id = any(${ids(person)})`, erase: () => sql`url = null, details = null` },
  {
    table: 'outbox',
    of: (person) => sql`(t.contact_id = any(${ids(person)}) or lower(t.recipient) = lower(${person.email}))`,
    erase: () => sql`recipient = ${ERASED}, subject = null, response = null`,
    internal: ['worker', 'lease_until'],
  },
  {
    table: 'enrolments',
    of: (person) => sql`t.contact_id = any(${ids(person)})`,
    erase: () => sql`hold_reason = null, timezone = null`,
  },
  {
    table: 'audit_log',
    of: (person) => sql`((t.resource_type = 'contact' and t.resource_id = any(${ids(person)}))
      or (t.resource_type = 'enrolment' and t.resource_id in ${enrolments(person)})
      or (t.resource_type = 'suppression' and t.resource_id in (select s.id from suppressions s where lower(s.email) = lower(${person.email}))))`,
    erase: () => sql`changes = '{}', ip = case when actor = 'recipient' then null else ip end`,
  },
  { table: 'suppressions', of: (person) => sql`lower(t.email) = lower(${person.email})`, erase: 'delete' },
  {
    table: 'contacts',
    of: (person) => sql`t.id = any(${ids(person)})`,
    erase: () => sql`name = '', email = 'erased-' || t.id || '@erased.invalid', company = null, custom_fields = '{}'`,
  },
];
