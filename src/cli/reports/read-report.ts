import type { CampaignReport } from '../../reports/index.ts';
import type { Api } from '../client/api.ts';
import type { RotationLine } from '../client/rotation.ts';

/** A request for a report, as both procedures take it. */
export type ReportQuery = Omit<Parameters<Api['reports']['campaign']['query']>[0], 'id'>;

/** Reads the report on a campaign, or on its whole rotation group: users see a group as one campaign. */
export const readReport = (api: Api, id: number, group: RotationLine | undefined, query: ReportQuery): Promise<CampaignReport> =>
  group === undefined ? api.reports.campaign.query({ id, ...query }) : api.reports.rotation.query({ id: group.id, ...query });
