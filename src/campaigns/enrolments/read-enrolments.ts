import { type Caller, isHidden, notHidden, requireVisible, visible } from '../../access/index.ts';
import type { App } from '../../app.ts';
import { notFound } from '../../core/errors.ts';
import { formatTimestamp } from '../../core/timestamp-text.ts';
import type { Page, PageRequest } from '../../db/page.ts';
import { type Sql, sql } from '../../db/statement.ts';
import { campaignCounts } from '../../events/index.ts';
import { contactZone } from '../schedule/contact-zone.ts';
import { type NextSendInput, nextSendAt, windowColumns } from '../schedule/next-send.ts';
import { type EnrolmentStatus, enrolmentIs, sendsFrom } from '../states/enrolment.ts';

/** A contact of a campaign, as the API shows it. */
export interface EnrolmentRow {
  contact_id: number;
  name: string;
  email: string;
  status: EnrolmentStatus;
  current_step: number;
  next_send_at: string | null;
}

/** A campaign of one contact, as the API shows it. */
export interface ContactCampaignRow {
  campaign_id: number;
  campaign_name: string;
  status: EnrolmentStatus;
  current_step: number;
  next_send_at: string | null;
}

/** Columns of `NextSendInput` for an enrolment `e` and its campaign `c`, with the joins of its step `s` and account `a`. */
const SCHEDULE = sql`e.status, e.due_at, e.held_until, e.variant, s.kind as step_kind, c.status as campaign_status, c.starts_at,
  ${windowColumns('c')}, ${contactZone('e', 'c')} as contact_timezone,
  a.timezone as account_timezone, a.send_window_start_hour, a.send_window_end_hour`;
const SCHEDULE_JOINS = sql`
  left join steps s on s.campaign_id = e.campaign_id and s.step_order = e.current_step and s.deleted_at is null
  join accounts a on a.id = ${sendsFrom('e', 'c')}`;

/** Lists the contacts of a campaign in order of enrolment. Throws `not_found`. Indexes: enrolments_page, contacts_hidden. */
export async function listEnrolments(
  app: App,
  caller: Caller,
  campaignId: number,
  { status, ...page }: PageRequest & { status?: EnrolmentStatus | undefined },
): Promise<Page<EnrolmentRow>> {
  await requireVisible(app.db, caller, 'campaigns', campaignId);
  const hasStatus = status === undefined ? sql`true` : enrolmentIs('e', status);
  const seen = (most?: number) =>
    sql`e.campaign_id = ${campaignId} and ${hasStatus} and ${notHidden(caller, 'contacts', sql`e.contact_id`, most)}`;
  const chosen = sql`
    select e.id from enrolments e where ${seen(page.offset + page.limit)} order by e.id limit ${page.limit} offset ${page.offset}`;
  const total = status === undefined ? totalOf(caller, campaignId) : sql`select count(*)::int as total from enrolments e where ${seen()}`;
  const [data, [count]] = await Promise.all([readEnrolments(app, chosen), app.db.query<{ total: number }>(total)]);
  return { data, pagination: { total: count?.total ?? 0, ...page } };
}

/** Selects the `total` of a campaign's contacts, less those who are hidden from the caller. Indexes: contacts_hidden, enrolments_campaign_id_contact_id_key. */
const totalOf = (caller: Caller, campaignId: number): Sql => sql`
  select coalesce((select n.contacts from (${campaignCounts(sql`select ${campaignId}::int`)}) n), 0) - (
    select count(*)::int from contacts k join enrolments e on e.campaign_id = ${campaignId} and e.contact_id = k.id
    where ${isHidden(caller, 'contacts', 'k')}
  ) as total`;

/** Reads one contact of a campaign by the id of the enrolment. Throws `not_found`. */
export async function getEnrolment(app: App, caller: Caller, id: number): Promise<EnrolmentRow> {
  const [row] = await readEnrolments(
    app,
    sql`select e.id from enrolments e join campaigns c on c.id = e.campaign_id and ${visible(caller, 'campaigns', 'c')}
      where e.id = ${id} and ${notHidden(caller, 'contacts', sql`e.contact_id`, 1)}`,
  );
  if (row === undefined) throw notFound('enrolment');
  return row;
}

/**
 * Finds the id of a contact's enrolment in a campaign. Throws `not_found` unless the caller may see both.
 * Index: enrolments_campaign_id_contact_id_key.
 */
export async function findEnrolment(app: App, caller: Caller, campaignId: number, contactId: number): Promise<number> {
  await requireVisible(app.db, caller, 'campaigns', campaignId);
  await requireVisible(app.db, caller, 'contacts', contactId);
  const [row] = await app.db.query<{ id: number }>(
    sql`select id from enrolments where campaign_id = ${campaignId} and contact_id = ${contactId}`,
  );
  if (row === undefined) throw notFound('enrolment');
  return row.id;
}

/** Lists the campaigns of a contact that the caller can see. Throws `not_found`. Index: enrolments_contact. */
export async function listCampaignsOfContact(app: App, caller: Caller, contactId: number): Promise<{ data: ContactCampaignRow[] }> {
  await requireVisible(app.db, caller, 'contacts', contactId);
  const rows = await app.db.query<NextSendInput & ContactCampaignRow>(sql`
    select e.campaign_id, c.name as campaign_name, e.current_step, ${SCHEDULE}
    from enrolments e join campaigns c on c.id = e.campaign_id and ${visible(caller, 'campaigns', 'c')} ${SCHEDULE_JOINS}
    where e.contact_id = ${contactId} order by e.campaign_id`);
  const now = app.clock.now();
  return {
    data: rows.map((row) => ({
      campaign_id: row.campaign_id,
      campaign_name: row.campaign_name,
      status: row.status,
      current_step: row.current_step,
      next_send_at: formatOrNull(nextSendAt(row, now)),
    })),
  };
}

/** @param chosen selects the ids of the enrolments to read */
async function readEnrolments(app: App, chosen: Sql): Promise<EnrolmentRow[]> {
  const rows = await app.db.query<NextSendInput & EnrolmentRow>(sql`
    select e.contact_id, k.name, k.email, e.current_step, ${SCHEDULE}
    from (${chosen}) chosen join enrolments e on e.id = chosen.id
    join contacts k on k.id = e.contact_id join campaigns c on c.id = e.campaign_id ${SCHEDULE_JOINS}
    order by e.id`);
  const now = app.clock.now();
  return rows.map((row) => ({
    contact_id: row.contact_id,
    name: row.name,
    email: row.email,
    status: row.status,
    current_step: row.current_step,
    next_send_at: formatOrNull(nextSendAt(row, now)),
  }));
}

const formatOrNull = (instant: Date | null) => (instant === null ? null : formatTimestamp(instant));
