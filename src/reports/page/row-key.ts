import type { CampaignReport } from '../campaign-report.ts';
import type { WorkspaceReport } from '../workspace-report.ts';

/** A report of one campaign, a rotation group or all campaigns. */
export type AnyReport = CampaignReport | WorkspaceReport;
export type AnyRow = AnyReport['rows'][number];

/** The names of the providers. */
const PROVIDERS = { google: 'Google', microsoft: 'Microsoft', other: 'other', unknown: 'not known yet' } as const;

/** Returns the value that the emails of a row have in common, as text. */
export function keyOfRow(by: AnyReport['by'], row: AnyRow): string {
  const given = row as CampaignReport['rows'][number] & WorkspaceReport['rows'][number];
  switch (by) {
    case 'step':
      return given.is_deleted ? `${given.step_order} (deleted)` : String(given.step_order);
    case 'variant':
      return given.variant ?? 'none';
    case 'day':
      return given.day ?? '';
    case 'week':
      return `from ${given.week}`;
    case 'account':
      return given.account_email ?? String(given.account_id);
    case 'provider':
      return PROVIDERS[given.provider ?? 'unknown'];
    case 'domain':
      return given.domain ?? 'all others';
    case 'campaign':
      return `${given.campaign_id} ${given.campaign_name}`;
  }
}
