import type { CampaignStats } from '../campaigns/index.ts';
import type { Deeds } from './crowd.ts';

/** The response of `GET /campaigns/{id}/stats`. */
export type Stats = Omit<CampaignStats, 'steps'>;

/** One line of the report: what the contacts did, and what Outreach counted. */
export interface ReportLine {
  what: string;
  did: number;
  counted: number;
}

/** Counts that are not part of the statistics. */
export interface Totals {
  unsubscribed: number;
  suppressions: number;
  /** Messages classified as auto-replies. */
  automatic: number;
}

/** Compares what the contacts did with what Outreach counted. */
export function compare(deeds: Deeds, stats: Stats, totals: Totals): ReportLine[] {
  return [
    { what: 'emails accepted by their servers', did: deeds.emails, counted: stats.sent },
    { what: 'contacts who opened an email', did: deeds.opened.size, counted: stats.opened },
    { what: 'contacts who clicked a link', did: deeds.clicked.size, counted: stats.clicked },
    { what: 'contacts who replied', did: deeds.replied.size, counted: stats.replied },
    { what: 'contacts who were out of office', did: deeds.away.size, counted: totals.automatic },
    { what: 'contacts who unsubscribed', did: deeds.unsubscribed.size, counted: totals.unsubscribed },
    { what: 'addresses that bounced', did: deeds.bounced.size, counted: stats.bounced },
    { what: 'addresses suppressed', did: deeds.unsubscribed.size + deeds.bounced.size, counted: totals.suppressions },
  ];
}

/** True if every count is right. */
export const addsUp = (lines: readonly ReportLine[]): boolean => lines.every(({ did, counted }) => did === counted);
