import { MEASURES, type Measure } from '../events/index.ts';
import { type Proportion, proportion } from './proportion.ts';

/** Counters of some emails, summed. */
export type Counts = Record<Measure, number>;

/**
 * Shares of persons, or of emails: see `rates_of`. The base of `bounced` is always the emails that were offered to a server. Null if the
 * base is 0.
 */
export type Rates = Record<'opened' | 'clicked' | 'replied' | 'bounced' | 'unsubscribed', Proportion | null>;

/** True for opens and clicks that are tracked: without tracking, a count of 0 says nothing. */
export type Tracked = Record<'opened' | 'clicked', boolean>;

/**
 * The counts of some emails and their outcomes. `sent`, `delivered` and the counts of machines are emails. The others are contacts, each
 * counted once per campaign, with the first email concerned.
 */
export interface ReportCounts {
  contacts: number;
  sent: number;
  /** Accepted by the server, and not returned later. */
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
  /** `persons` are contacts with a delivered email. `emails` if the row does not have all emails of its contacts. */
  rates_of: 'persons' | 'emails';
  rates: Rates;
}

/**
 * Returns a row of a report. A contact gets each step once, so by step, opened emails are persons too.
 * @param holds `contacts` if the row has all emails of its contacts, `step` if it has one email of each, otherwise `emails`
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

/** True for a row with a count other than 0. Enrolments alone get no row in a report. */
export const hasCounted = (counts: Counts): boolean => MEASURES.some((name) => counts[name] !== 0);

/** Adds up rows of counters. */
export const sumOf = (rows: readonly Counts[]): Counts =>
  Object.fromEntries(MEASURES.map((name) => [name, rows.reduce((sum, row) => sum + row[name], 0)])) as Counts;

/** Subtracts a part from counters. */
export const subtract = (counts: Counts, part: Counts): Counts =>
  Object.fromEntries(MEASURES.map((name) => [name, counts[name] - part[name]])) as Counts;
