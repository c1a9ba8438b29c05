import type { CampaignStats } from '../events/index.ts';
import type { Deeds } from './crowd.ts';

/** `GET /campaigns/{id}/stats`. */
export type Stats = Omit<CampaignStats, 'steps'>;

/** One thing that happened, as the people did it and as Outreach counted it. */
export interface ReportLine {
  what: string;
  did: number;
  counted: number;
}

/** What is counted besides the statistics. */
export interface Totals {
  unsubscribed: number;
  suppressions: number;
  /** Automatic answers that were read and taken for such. */
  automatic: number;
}

/** What the people did beside what was counted. */
export function compare(deeds: Deeds, stats: Stats, totals: Totals): ReportLine[] {
  return [
    { what: 'mails taken by their servers', did: deeds.mails, counted: stats.sent },
    { what: 'people who opened one', did: deeds.opened.size, counted: stats.opened },
    { what: 'people who clicked', did: deeds.clicked.size, counted: stats.clicked },
    { what: 'people who replied', did: deeds.replied.size, counted: stats.replied },
    { what: 'people who were out of office', did: deeds.away.size, counted: totals.automatic },
    { what: 'people who unsubscribed', did: deeds.unsubscribed.size, counted: totals.unsubscribed },
    { what: 'addresses that bounced', did: deeds.bounced.size, counted: stats.bounced },
    { what: 'addresses never to be written to again', did: deeds.unsubscribed.size + deeds.bounced.size, counted: totals.suppressions },
  ];
}

export const addsUp = (lines: readonly ReportLine[]): boolean => lines.every(({ did, counted }) => did === counted);
