import { type Caller, requireVisible, visible } from '../access/index.ts';
import { callIs, type SentRow, sentColumns, sentWords } from '../campaigns/index.ts';
import { EVENT_TYPES, type EventType } from '../core/event-types.ts';
import type { Page, PageRequest } from '../db/page.ts';
import { type Queryable, sql } from '../db/statement.ts';
import { timestamp } from '../db/timestamp.ts';
import { answerState } from '../outbox/index.ts';
import type { ReplyKind } from './reply-kind.ts';

/** An entry of a contact's history: an email to them, a reply, a call, or an event. */
export interface TimelineEntry {
  at: string;
  /**
   * `email`: a step; `answer`: a user's answer to a reply; `call`: a made or skipped call; for a reply its kind; else the type of an event.
   */
  type: 'email' | 'answer' | 'call' | ReplyKind | EventType;
  campaign_id: number;
  campaign_name: string;
  step_order: number;
  /** Address of the account that sent or received it; null for events and calls. */
  account_email: string | null;
  reply_id: number | null;
  subject: string | null;
  /** The text as sent or received, or the note on a call; null for an event, and if it was erased. */
  text: string | null;
  /** The link that was clicked. */
  url: string | null;
  /** Of an email or answer: `sent`, `queued`, `unknown` or `failed`; of a call: `done` or `skipped`. */
  state: 'queued' | 'sent' | 'unknown' | 'failed' | 'done' | 'skipped' | null;
  /** The server's words about an email that was not sent, or the reason for a bounce. */
  error: string | null;
  /** Of a reply: why it is attributed to the contact, a colleague or somebody else. */
  because: string | null;
}

/** Events left out because the emails and replies themselves are entries. */
const SEPARATE_TYPES: readonly EventType[] = ['sent', 'replied'];
const SHOWN_TYPES = EVENT_TYPES.filter((type) => !SEPARATE_TYPES.includes(type));

/**
 * Lists a contact's history in the campaigns that the caller can see, newest first, with the text of every sent email and the calls that
 * were made. Throws `not_found`. Indexes: enrolments_contact, outbox_enrolment_id_step_id_key, replies_enrolment, events_enrolment,
 * call_tasks_enrolment_id_step_id_key.
 */
export async function readTimeline(db: Queryable, caller: Caller, contactId: number, page: PageRequest): Promise<Page<TimelineEntry>> {
  await requireVisible(db, caller, 'contacts', contactId);
  const entries = sql`
    select 'outbox' as source, o.id, coalesce(o.accepted_at, o.transmitting_at, o.claimed_at) as moment
      from mine join outbox o on o.enrolment_id = mine.id where o.transmitting_at is not null or o.reply_id is not null
    union all select 'call', k.id, k.closed_at from mine join call_tasks k on k.enrolment_id = mine.id where ${callIs('k', 'done', 'skipped')}
    union all select 'reply', r.id, r.received_at from mine join replies r on r.enrolment_id = mine.id
    union all select 'event', v.id, v.at from mine join events v on v.enrolment_id = mine.id where v.type = any(${SHOWN_TYPES}::text[])`;
  const mine = sql`mine as (
    select e.id, c.name from enrolments e join campaigns c on c.id = e.campaign_id and ${visible(caller, 'campaigns', 'c')}
    where e.contact_id = ${contactId})`;
  const rows = await db.query<TimelineEntry & Omit<SentRow, 'step_order'>>(sql`
    with ${mine}, entries as (${entries}), page as (
      select * from entries order by moment desc, source, id desc limit ${page.limit} offset ${page.offset})
    select ${timestamp('p.moment')} as at, d.* from page p cross join lateral (
      select case when o.reply_id is null then 'email' else 'answer' end as type, o.campaign_id, mine.name as campaign_name,
        a.email as account_email, o.reply_id, o.subject, null as text, null as url, ${answerState('o')} as state,
        case when o.accepted_at is null then o.response end as error, null as because, ${sentColumns('o')}
      from outbox o join mine on mine.id = o.enrolment_id join accounts a on a.id = o.account_id where p.source = 'outbox' and o.id = p.id
      union all
      select r.kind, r.campaign_id, mine.name, a.email, r.id, r.subject, r.full_text, null, null, null, im.because, r.contact_id, r.step_order, null, null, null
      from replies r join mine on mine.id = r.enrolment_id join accounts a on a.id = r.mailbox_id
      left join inbound_messages im on im.id = r.inbound_id where p.source = 'reply' and r.id = p.id
      union all
      select 'call', k.campaign_id, mine.name, null, null, null, k.note, null, k.status, null, null, null, s.step_order, null, null, null
      from call_tasks k join mine on mine.id = k.enrolment_id join steps s on s.id = k.step_id where p.source = 'call' and k.id = p.id
      union all
      select v.type, v.campaign_id, mine.name, null, null, null, null, v.url, null, v.details ->> 'reason', null, v.contact_id, v.step_order, null, null, null
      from events v join mine on mine.id = v.enrolment_id where p.source = 'event' and v.id = p.id) d
    order by p.moment desc, p.source, p.id desc`);
  const [count] = await db.query<{ total: number }>(sql`with ${mine} select count(*)::int as total from (${entries}) e`);
  const data = await Promise.all(
    rows.map(async ({ contact_id, content, content_values, answer, ...entry }) => {
      const text = await sentWords({ contact_id, content, content_values, answer, step_order: entry.step_order });
      return text === null ? entry : { ...entry, text };
    }),
  );
  return { data, pagination: { total: count?.total ?? 0, ...page } };
}
