import { MEASURES, type Measure } from '../events/index.ts';
import { type Proportion, proportion } from './proportion.ts';

/** Counters of some emails, summed. */
export type Counts = Record<Measure, number>;

/**
 * Shares of persons, or of emails: see `rates_of`. That of `bounced` is always of the emails that a server was to take. Null where there is
 * nothing to take a share of.
 */
export type Rates = Record<'opened' | 'clicked' | 'replied' | 'bounced' | 'unsubscribed', Proportion | null>;

/** True for opens and clicks that were looked for: where they were not, a count of 0 says nothing. */
export type Tracked = Record<'opened' | 'clicked', boolean>;

/**
 * The counts of some emails and what has come of them. `sent`, `delivered` and those that machines fetched are emails. The others are
 * contacts, each counted once in a campaign, with the email that it happened to first.
 */
export interface ReportCounts {
  contacts: number;
  sent: number;
  /** Accepted by the server, and not returned since. */
  delivered: number;
  opened: number;
  clicked: number;
  replied: number;
  auto_replied: number;
  bounced: number;
  failed: number;
  unsubscribed: number;
  machine_opened: number;
  machine_clicked: number;
  tracked: Tracked;
  /** Persons, who are contacts with an email delivered; emails where the row does not hold all emails of its contacts. */
  rates_of: 'persons' | 'emails';
  rates: Rates;
}

/**
 * A row of a report. A contact gets a step once, so by step the emails that were opened are persons too.
 * @param holds `contacts` where the row holds all emails of its contacts, `step` where one of each, otherwise `emails`
 */
export function reportRow(counts: Counts, holds: 'contacts' | 'step' | 'emails', tracked: Tracked): ReportCounts {
  const { contacts, sent, opened, clicked, replied, auto_replied, bounced, failed, unsubscribed, machine_opened, machine_clicked } = counts;
  const delivered = sent - counts.returned;
  const isWhole = holds === 'contacts';
  const of = isWhole ? contacts - counts.contacts_returned : delivered;
  return {
    contacts,
    sent,
    delivered,
    opened,
    clicked,
    replied,
    auto_replied,
    bounced,
    failed,
    unsubscribed,
    machine_opened,
    machine_clicked,
    tracked,
    rates_of: holds === 'emails' ? 'emails' : 'persons',
    rates: {
      opened: proportion(isWhole ? opened : counts.emails_opened, of),
      clicked: proportion(isWhole ? clicked : counts.emails_clicked, of),
      replied: proportion(replied, of),
      bounced: proportion(bounced, sent + counts.refused),
      unsubscribed: proportion(unsubscribed, of),
    },
  };
}

/** True for a row with something in it: of an enrolment alone, no report has a row. */
export const hasCounted = (counts: Counts): boolean => MEASURES.some((name) => counts[name] !== 0);

/** The sum of rows of counters. */
export const sumOf = (rows: readonly Counts[]): Counts =>
  Object.fromEntries(MEASURES.map((name) => [name, rows.reduce((sum, row) => sum + row[name], 0)])) as Counts;

/** Counters without some of what they count. */
export const subtract = (counts: Counts, part: Counts): Counts =>
  Object.fromEntries(MEASURES.map((name) => [name, counts[name] - part[name]])) as Counts;
