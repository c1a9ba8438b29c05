import type { Scope } from '../../access/index.ts';
import { type Queryable, raw, type Sql, sql } from '../../db/statement.ts';
import { isDue } from './claim.ts';

/** Row `alias` of the outbox is an email that a worker has claimed or is transmitting. */
export const isInFlight = (alias: string): Sql =>
  sql`${raw(alias)}.closed_at is null and ${raw(alias)}.state in ('claimed', 'transmitting')`;

/** Row `alias` of the outbox is an email that the server may or may not have: being looked up, or left to a person. */
export const isUnresolved = (alias: string): Sql =>
  sql`${raw(alias)}.closed_at is null and ${raw(alias)}.state in ('uncertain', 'unknown')`;

export interface OpenEmails {
  in_flight: number;
  /** Uncertain and unknown alike. */
  unknown: number;
}

/** Counts emails in flight and unresolved, of the campaigns in scope. Indexes: outbox_open, outbox_campaign_open. */
export async function countOpenEmails(db: Queryable, scope: Scope): Promise<OpenEmails> {
  const [row] = await db.query<OpenEmails>(sql`
    select count(*) filter (where ${isInFlight('o')})::int as in_flight, count(*) filter (where ${isUnresolved('o')})::int as unknown
    from outbox o join campaigns c on c.id = o.campaign_id where o.closed_at is null and ${scope('campaigns', 'c')}`);
  return row ?? { in_flight: 0, unknown: 0 };
}

/** Counts emails of active campaigns whose time has come, up to `atMost`. Indexes: campaigns_active, enrolments_due. */
export async function countDueEmails(db: Queryable, now: Date, atMost: number): Promise<number> {
  const [row] = await db.query<{ count: number }>(sql`
    select count(*)::int as count from (
      select from campaigns c join enrolments e on e.campaign_id = c.id
      where c.status = 'active' and c.deleted_at is null and ${isDue('e', now)} limit ${atMost}) due`);
  return row?.count ?? 0;
}

/** True while a worker whose lease has not run out may send an email to one of the contacts. Indexes: outbox_open, outbox_campaign_open. */
export async function isEmailInFlightTo(db: Queryable, contactIds: readonly number[]): Promise<boolean> {
  const rows = await db.query(sql`
    select 1 from outbox o
    where ${isInFlight('o')} and o.contact_id = any(${contactIds}::int[]) and o.lease_until > clock_timestamp() limit 1`);
  return rows.length > 0;
}
