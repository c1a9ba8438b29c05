import { createHash, randomBytes } from 'node:crypto';
import { audit, type Caller, requireVisible, visible } from '../access/index.ts';
import type { App } from '../app.ts';
import { invalid, notFound } from '../core/errors.ts';
import { type Queryable, sql } from '../db/statement.ts';
import { timestamp } from '../db/timestamp.ts';

/** A link that shows the report on a campaign to anyone who has it. */
export interface ReportLink {
  id: number;
  campaign_id: number;
  campaign_name: string;
  /** The page has the names of the people who answered, and the domains of the recipients. */
  shows_names: boolean;
  /** The maker of the report that the page names; null for the name of the workspace. */
  sender: string | null;
  created_by: number | null;
  created_at: string;
  expires_at: string | null;
  revoked_at: string | null;
}

/** The data of a new link. */
export interface NewReportLink {
  expiresAt: Date | null;
  showsNames: boolean;
  sender: string | null;
}

/**
 * Creates a link that shows the live report on a campaign until it expires or is revoked. Throws `not_found`, and `invalid_request` for an
 * expiry that is not in the future.
 * @returns the link, and its address, which is never stored
 */
export async function createReportLink(
  app: App,
  caller: Caller,
  campaignId: number,
  { expiresAt, showsNames, sender }: NewReportLink,
): Promise<ReportLink & { url: string }> {
  const now = app.clock.now();
  if (expiresAt !== null && expiresAt <= now) throw invalid('expires_at: must be in the future');
  const token = randomBytes(32).toString('base64url');
  const id = await app.db.tx(async (tx) => {
    await requireVisible(tx, caller, 'campaigns', campaignId);
    const [row] = await tx.query<{ id: number }>(sql`
      insert into report_shares (workspace_id, campaign_id, token_hash, shows_names, sender, created_by, created_at, expires_at)
      values (${caller.workspaceId}, ${campaignId}, ${hashOf(token)}, ${showsNames}, ${sender}, ${caller.userId}, ${now}, ${expiresAt})
      returning id`);
    const changes = { link: row?.id, shows_names: showsNames, expires_at: expiresAt };
    await audit(tx, caller, now, { action: 'campaign.share_report', resourceType: 'campaign', resourceId: campaignId, changes });
    return row?.id;
  });
  const link = (await listReportLinks(app.db, caller)).find((one) => one.id === id);
  if (link === undefined) throw new Error('the link was not made');
  return { ...link, url: `${app.config.baseUrl}/r/${token}` };
}

/** Lists the links of the campaigns that the caller can see, including revoked and expired ones. Index: report_shares_workspace. */
export const listReportLinks = (db: Queryable, caller: Caller): Promise<ReportLink[]> =>
  db.query<ReportLink>(sql`
    select s.id, s.campaign_id, c.name as campaign_name, s.shows_names, s.sender, s.created_by, ${timestamp('s.created_at')} as created_at,
      ${timestamp('s.expires_at')} as expires_at, ${timestamp('s.revoked_at')} as revoked_at
    from report_shares s join campaigns c on c.id = s.campaign_id
    where s.workspace_id = ${caller.workspaceId} and ${visible(caller, 'campaigns', 'c')} order by s.id`);

/** Throws `not_found` unless the caller can see the campaign of a link. */
export async function requireReportLink(db: Queryable, caller: Caller, id: number): Promise<ReportLink> {
  const link = (await listReportLinks(db, caller)).find((one) => one.id === id);
  if (link === undefined) throw notFound('report link');
  return link;
}

/** Revokes a link, which shows nothing from the next request on. A link that is already revoked stays unchanged. Throws `not_found`. */
export async function revokeReportLink(app: App, caller: Caller, id: number): Promise<void> {
  const now = app.clock.now();
  await app.db.tx(async (tx) => {
    const link = await requireReportLink(tx, caller, id);
    const revoked = await tx.query(sql`update report_shares set revoked_at = ${now} where id = ${id} and revoked_at is null returning id`);
    if (revoked.length === 0) return;
    const entry = { action: 'campaign.unshare_report', resourceType: 'campaign', resourceId: link.campaign_id, changes: { link: id } };
    await audit(tx, caller, now, entry);
  });
}

/** The report that a link shows. */
export interface SharedReport {
  id: number;
  workspace_id: number;
  campaign_id: number;
  shows_names: boolean;
  /** The maker of the report that the page names. */
  sender: string;
  /** The user who made the link; null for the operator. */
  created_by: number | null;
}

/**
 * Finds the report of a token; undefined if the token does not exist, is revoked or expired, or its campaign or workspace no longer exists.
 * Index: report_shares_token_hash_key.
 */
export async function findSharedReport(app: App, token: string): Promise<SharedReport | undefined> {
  const [row] = await app.db.query<SharedReport>(sql`
    select s.id, s.workspace_id, s.campaign_id, s.shows_names, coalesce(s.sender, w.name) as sender, s.created_by
    from report_shares s join campaigns c on c.id = s.campaign_id and c.deleted_at is null
    join workspaces w on w.id = s.workspace_id and w.archived_at is null
    where s.token_hash = ${hashOf(token)} and s.revoked_at is null and (s.expires_at is null or s.expires_at > ${app.clock.now()})`);
  return row;
}

/** Only this hash is stored. The token has 256 random bits, so a single round of SHA-256 is enough. */
const hashOf = (token: string): Buffer => createHash('sha256').update(token).digest();
