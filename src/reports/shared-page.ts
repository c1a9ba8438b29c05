import { daemon } from '../access/index.ts';
import type { App } from '../app.ts';
import { sql } from '../db/statement.ts';
import type { HtmlPage } from '../html/page.ts';
import { type CampaignReport, campaignReport, rotationReport } from './campaign-report.ts';
import { type ReportPage, reportPage } from './page/index.ts';
import type { SharedReport } from './shares.ts';

/** Rows by domain. */
const DOMAINS = 50;
const SHOWN = ['step', 'variant', 'day', 'account', 'provider'] as const;

/**
 * Writes the page of a shared report, of a campaign or of the rotation group that it is in, with its figures of now. A group has the name
 * of its first campaign. Indexes: campaigns_pkey, campaigns_rotation.
 */
export async function sharedReportPage(app: App, { workspace_id, campaign_id, shows_names, sender }: SharedReport): Promise<HtmlPage> {
  const caller = daemon(workspace_id);
  const [campaign] = await app.db.query<ReportPage['campaign'] & { group_id: number | null }>(sql`
    select c.id, (select m.name from campaigns m where (m.id = c.id or m.rotation_group_id = c.rotation_group_id) and m.deleted_at is null
      order by m.id limit 1) as name, c.timezone, c.status, c.rotation_group_id as group_id
    from campaigns c where c.id = ${campaign_id}`);
  if (campaign === undefined) throw new Error(`campaign ${campaign_id} is gone`);
  const { group_id: group, ...shown } = campaign;
  const read = (by: CampaignReport['by']) =>
    group === null
      ? campaignReport(app.db, caller, campaign_id, { by, domains: DOMAINS })
      : rotationReport(app.db, caller, group, { by, domains: DOMAINS });
  // The domains of recipients name whom they work for.
  const wanted = shows_names ? ([...SHOWN, 'domain'] as const) : SHOWN;
  const reports = Object.fromEntries(await Promise.all(wanted.map(async (by) => [by, await read(by)] as const))) as ReportPage['reports'];
  const madeAt = `${app.clock.now().toISOString().slice(0, 16).replace('T', ' ')} UTC`;
  return reportPage({ campaign: shown, madeAt, reports, sender });
}
