import type { Caller } from '../../access/index.ts';
import type { EventType } from '../../core/event-types.ts';
import type { Queryable, Sql } from '../../db/statement.ts';
import type { Span } from './spans.ts';

/**
 * Implements what queries ask about campaigns; passed in, since this folder lies below them. Conditions are on the contact
 * `c` and take only campaigns into account that the caller can see.
 */
export interface CampaignSearch {
  /** Statuses of enrolments, as a query names them. */
  readonly statuses: readonly string[];
  /** The contact has an enrolment, as `alias`, with its campaign as `<alias>_campaign`, for which the condition holds. */
  hasEnrolment(caller: Caller, alias: string, condition: Sql): Sql;
  /** The contact has an event of that type for whose instant, a column, the condition holds. */
  hasEvent(caller: Caller, type: EventType, condition: (at: string) => Sql): Sql;
  /** The contact was called at an instant, a column, for which the condition holds. */
  wasCalled(caller: Caller, condition: (at: string) => Sql): Sql;
  /** Prepares the condition that the contact's next email is in a span. */
  nextSend(db: Queryable, caller: Caller, now: Date): Promise<(span: Span) => Sql>;
}
