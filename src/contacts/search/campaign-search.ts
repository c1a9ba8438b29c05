import type { Caller } from '../../access/index.ts';
import type { EventType } from '../../core/event-types.ts';
import type { Queryable, Sql } from '../../db/statement.ts';
import type { Span } from './spans.ts';

/**
 * The conditions of queries that concern campaigns. Passed in, because this folder lies below campaigns. Conditions are on the contact `c`
 * and consider only campaigns that the caller can see.
 */
export interface CampaignSearch {
  /** Statuses of enrolments, as a query names them. */
  readonly statuses: readonly string[];
  /** Condition: the contact has an enrolment, as `alias`, with its campaign as `<alias>_campaign`, that meets `condition`. */
  hasEnrolment(caller: Caller, alias: string, condition: Sql): Sql;
  /** Condition: the contact has an event of that type whose instant, a column, meets `condition`. */
  hasEvent(caller: Caller, type: EventType, condition: (at: string) => Sql): Sql;
  /** Condition: the contact was called at an instant, a column, that meets `condition`. */
  wasCalled(caller: Caller, condition: (at: string) => Sql): Sql;
  /** Prepares the condition that the contact's next email is in a span. */
  nextSend(db: Queryable, caller: Caller, now: Date): Promise<(span: Span) => Sql>;
}
