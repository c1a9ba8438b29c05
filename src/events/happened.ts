import { type Sql, sql } from '../db/statement.ts';
import type { NewEvent } from './event.ts';

/** Selects events that are to be logged, with their `position`. As arrays, so that a prepared statement takes any number. */
export function happened(events: readonly NewEvent[]): Sql {
  const column = <Value>(pick: (event: NewEvent) => Value) => events.map(pick);
  return sql`
    select * from unnest(
      ${column((event) => event.workspaceId)}::int[], ${column((event) => event.campaignId)}::int[],
      ${column((event) => event.contactId)}::int[], ${column((event) => event.enrolmentId)}::int[],
      ${column((event) => event.type)}::text[], ${column((event) => event.stepOrder)}::int[],
      ${column((event) => event.url ?? null)}::text[],
      ${column((event) => (event.details ? JSON.stringify(event.details) : null))}::text[],
      ${column((event) => event.at.toISOString())}::timestamptz[]
    ) with ordinality as t (workspace_id, campaign_id, contact_id, enrolment_id, type, step_order, url, details, at, position)`;
}
