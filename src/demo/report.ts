import type { Deeds } from './crowd.ts';

/** `GET /campaigns/{id}/stats`. */
export interface Stats {
  contacts: number;
  sent: number;
  opened: number;
  clicked: number;
  replied: number;
  bounced: number;
  failed: number;
}

/** One thing that happened, as the people did it and as Outreach counted it. */
export interface ReportLine {
  what: string;
  did: number;
  counted: number;
}

/** What the people did beside what the API counts. */
export function compare(deeds: Deeds, stats: Stats, suppressions: number): ReportLine[] {
  return [
    { what: 'mails taken by their servers', did: deeds.mails, counted: stats.sent },
    { what: 'people who opened one', did: deeds.opened.size, counted: stats.opened },
    { what: 'people who clicked', did: deeds.clicked.size, counted: stats.clicked },
    { what: 'people who replied', did: deeds.replied.size, counted: stats.replied },
    { what: 'addresses that bounced', did: deeds.bounced.size, counted: stats.bounced },
    { what: 'addresses never to be written to again', did: deeds.unsubscribed.size + deeds.bounced.size, counted: suppressions },
  ];
}

export const addsUp = (lines: readonly ReportLine[]): boolean => lines.every(({ did, counted }) => did === counted);
