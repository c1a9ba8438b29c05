import { declarationOf, EVENTS, type EventType } from '../core/event-types.ts';
import { join, raw, type Sql } from '../db/statement.ts';
import type { Sum } from './sums.ts';

/**
 * The measures of statistics and reports: for each, the sum of the totals that it is, and the values of `counts_as` that it covers.
 * `events` counts all events, `emails` each email once, `contacts` each contact once per campaign, with the first email concerned. So the
 * sums over the rows of a report equal the statistics of the campaign.
 */
const SUM_OF = {
  /** Contacts of the campaign, whether or not they were sent an email. */
  enrolled: ['contacts', 'enrolled'],
  /** Emails. */
  sent: ['events', 'sent'],
  /** Emails that came back after the server had accepted them. All other accepted emails count as delivered. */
  returned: ['emails', 'returned'],
  /** Contacts who were sent an email, and those whose first email came back. */
  contacts: ['contacts', 'sent'],
  contacts_returned: ['first_emails', 'returned'],
  opened: ['contacts', 'opened'],
  clicked: ['contacts', 'clicked'],
  replied: ['contacts', 'replied'],
  auto_replied: ['contacts', 'auto_replied'],
  bounced: ['contacts', ...EVENTS.bounced.countsAs],
  /** Contacts who bounced because the server refused their email: it was not sent. */
  refused: ['contacts', 'refused'],
  failed: ['contacts', 'failed'],
  unsubscribed: ['contacts', 'unsubscribed'],
  /** Emails that a person opened, or in which one followed a link. */
  emails_opened: ['emails', 'opened'],
  emails_clicked: ['emails', 'clicked'],
  /** Emails that a machine fetched. */
  machine_opened: ['events', 'machine_opened'],
  machine_clicked: ['events', 'machine_clicked'],
} as const satisfies Record<string, readonly [Sum, ...string[]]>;

type AnyMeasure = keyof typeof SUM_OF;

/** The measures of a report. */
export type Measure = Exclude<AnyMeasure, 'enrolled'>;
export const MEASURES = Object.keys(SUM_OF).filter((name) => name !== 'enrolled') as readonly Measure[];

/** Selects the sums of the measures from a table expression with totals, each under its name. */
export const measureSums = (alias: string, measures: readonly AnyMeasure[] = MEASURES): Sql =>
  join(
    measures.map((name) => {
      const [sum, ...kinds] = SUM_OF[name];
      const isOfKind = kinds.map((kind) => `${alias}.counts_as = '${kind}'`).join(' or ');
      return raw(`coalesce(sum(${alias}.${sum}) filter (where ${isOfKind}), 0)::int as ${name}`);
    }),
  );

/** The values of `counts_as` of an event type. */
export const kindsOf = (type: EventType): readonly string[] => declarationOf(type).countsAs ?? [type];
