import { type Caller, daemon, getWorkspace, inNameOf, notHidden } from '../access/index.ts';
import type { App } from '../app.ts';
import { type Queryable, raw, sql } from '../db/statement.ts';
import type { HtmlPage } from '../html/page.ts';
import { isByPerson } from '../replies/index.ts';
import { type CampaignReport, campaignReport, rotationReport } from './campaign-report.ts';
import { type ReportPage, reportPage } from './page/index.ts';
import type { DaysGiven } from './report-days.ts';
import type { ReportCounts } from './report-row.ts';
import type { SharedReport } from './shares.ts';
import { type WorkspaceReportBy, workspaceReport } from './workspace-report.ts';

/** Maximum rows by domain. */
const DOMAINS = 50;
/** Maximum names of people who answered. */
const MAX_NAMES = 200;

/** A page, with its name and its totals. */
interface NamedPage {
  page: HtmlPage;
  name: string;
  total: ReportCounts;
}

/** Renders the page of a shared report. It names no contact that is hidden from the user who made the link. */
export async function sharedReportPage(app: App, report: SharedReport): Promise<HtmlPage> {
  const maker = await inNameOf(app.db, report.workspace_id, report.created_by);
  return (await campaignPage(app, daemon(report.workspace_id), report, maker)).page;
}

/**
 * Renders the page of a campaign, or of its rotation group, with current figures. A group has the name of its first campaign. Throws
 * `not_found` unless the caller can see it. Indexes: campaigns_pkey, campaigns_rotation.
 * @param namer the viewer for the names of contacts: those hidden from them are left out
 */
export async function campaignPage(
  app: App,
  caller: Caller,
  { campaign_id, shows_names, sender }: Pick<SharedReport, 'campaign_id' | 'shows_names' | 'sender'>,
  namer = caller,
): Promise<NamedPage> {
  const [campaign] = await app.db.query<{ id: number; name: string; timezone: string; status: string; group_id: number | null }>(sql`
    select c.id, (select m.name from campaigns m where (m.id = c.id or m.rotation_group_id = c.rotation_group_id) and m.deleted_at is null
      order by m.id limit 1) as name, c.timezone, c.status, c.rotation_group_id as group_id
    from campaigns c where c.id = ${campaign_id}`);
  if (campaign === undefined) throw new Error(`campaign ${campaign_id} is gone`);
  const { group_id: group, name, status, timezone } = campaign;
  const read = (by: CampaignReport['by']) =>
    group === null
      ? campaignReport(app, caller, campaign_id, { by, domains: DOMAINS })
      : rotationReport(app, caller, group, { by, domains: DOMAINS });
  const [step, variant, byDay, account, provider, domain, answerers] = await Promise.all([
    ...[read('step'), read('variant'), read('day'), read('account'), read('provider')],
    // The domains of recipients show who they work for.
    shows_names ? read('domain') : undefined,
    shows_names ? readAnswerers(app.db, namer, campaign_id, group) : [],
  ] as const);
  const reports: ReportPage['reports'] = [step, variant, account, provider, ...(domain === undefined ? [] : [domain])];
  const page = reportPage({ name, about: `The campaign is ${status}`, timezone, madeAt: madeAt(app), sender, answerers, byDay, reports });
  return { page, name, total: step.total };
}

/** Renders the page of all campaigns that the caller can see. */
export async function workspacePage(app: App, caller: Caller, days: DaysGiven): Promise<NamedPage> {
  const { name, timezone } = await getWorkspace(app.db, caller);
  const read = (by: WorkspaceReportBy) => workspaceReport(app, caller, { by, ...days });
  const [byDay, campaign, account] = await Promise.all([read('day'), read('campaign'), read('account')]);
  const about = { name, about: 'All campaigns', timezone: timezone ?? 'UTC', madeAt: madeAt(app) };
  return { page: reportPage({ ...about, byDay, reports: [campaign, account] }), name, total: campaign.total };
}

const madeAt = ({ clock }: App): string => `${clock.now().toISOString().slice(0, 16).replace('T', ' ')} UTC`;

/** Reads the people whose replies have a positive label, newest first. Index: replies_campaign. */
const readAnswerers = (
  db: Queryable,
  caller: Caller,
  campaignId: number,
  groupId: number | null,
): Promise<NonNullable<ReportPage['answerers']>> =>
  db.query(sql`
    select coalesce(nullif(r.sender_name, ''), r.sender) as name, k.company, r.label,
      day_in_zone(r.received_at, c.timezone)::text as day
    from replies r join campaigns c on c.id = r.campaign_id join workspaces w on w.id = r.workspace_id join contacts k on k.id = r.contact_id
    where (c.id = ${campaignId} or c.rotation_group_id = ${groupId}) and ${isByPerson('r')} and r.label = any(w.positive_labels)
      and ${notHidden(caller, 'contacts', raw('r.contact_id'), MAX_NAMES)}
    order by r.received_at desc, r.id desc limit ${MAX_NAMES}`);
