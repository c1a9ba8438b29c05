import { type Caller, footerHtml, notHidden, postalAddress, visible } from '../../access/index.ts';
import { type AccountStatus, canBePolled, isLiveAccount, mailProviderOf } from '../../accounts/index.ts';
import type { App } from '../../app.ts';
import { suppressedCondition } from '../../contacts/index.ts';
import { notFound } from '../../core/errors.ts';
import { raw, sql } from '../../db/statement.ts';
import type { MailProvider } from '../../mail-domains/index.ts';
import { signatureHtml } from '../../templates/index.ts';
import { replyAccountId } from '../campaign/read-campaign.ts';
import type { ProviderMatch } from '../options/campaign-options.ts';
import type { Subsequence } from '../options/subsequence.ts';
import { type CampaignSchedule, windowColumns } from '../schedule/next-send.ts';
import { enrolmentIs } from '../states/enrolment.ts';
import { listSteps, type StepRow } from '../steps/read-steps.ts';

/** Facts about a campaign, its account and its workspace that warnings depend on. */
export interface CampaignFacts extends Omit<CampaignSchedule, 'contact_timezone' | 'variant'> {
  id: number;
  use_contact_timezone: boolean;
  reply_to: string | null;
  is_reply_polled: boolean;
  account_email: string;
  is_account_live: boolean;
  account_status: AccountStatus;
  /** True if the account's own mailbox, which receives unsubscribe requests by email, can be polled. */
  is_account_polled: boolean;
  poll_error: string | null;
  poll_warning: string | null;
  account_timezone: string;
  send_window_start_hour: number;
  send_window_end_hour: number;
  daily_send_limit: number;
  send_batch_min: number;
  send_batch_max: number;
  send_batch_interval_minutes: number;
  tracking_host: string | null;
  new_contacts_per_day: number | null;
  max_per_company_per_day: number | null;
  provider_match: ProviderMatch;
  /** Provider of its account; null until it has been looked up. */
  mail_provider: MailProvider | null;
  signature: string | null;
  /** Addresses in cc and bcc that are suppressed. */
  suppressed_copies: string[];
  auto_reopen: boolean;
  track_opens: boolean;
  track_clicks: boolean;
  subsequences: Subsequence[];
  /** The list whose new members are enrolled. */
  list: { name: string; is_deleted: boolean } | null;
  /** Null if the workspace has no footer or the campaign does not use it. */
  footer: string | null;
  /** True if one text of each choice is sent. */
  spintax: boolean;
  postal_address: string | null;
  steps: StepRow[];
  /** Number of active contacts that the caller can see, by the step they wait for. */
  waiting: Map<number, number>;
}

/** Loads the facts about a campaign. Throws `not_found`. Indexes: campaigns_pkey, steps_live_order, enrolments_active. */
export async function loadFacts(app: App, caller: Caller, campaignId: number): Promise<CampaignFacts> {
  const { db } = app;
  const [row] = await db.query<Omit<CampaignFacts, 'steps' | 'waiting'>>(sql`
    select c.id, ${windowColumns('c')}, c.use_contact_timezone, c.reply_to,
      ${replyAccountId('c', 'a')} is not null as is_reply_polled, a.email as account_email, ${isLiveAccount('a')} as is_account_live,
      a.status as account_status, ${canBePolled('a')} as is_account_polled, a.poll_error, a.poll_warning, a.timezone as account_timezone,
      a.send_window_start_hour, a.send_window_end_hour, a.daily_send_limit, a.send_batch_min, a.send_batch_max,
      array(select copy.address from unnest(c.cc || c.bcc) copy (address)
        where ${suppressedCondition(app, raw('c.workspace_id'), raw('copy.address'))}) as suppressed_copies,
      c.new_contacts_per_day, c.max_per_company_per_day, c.provider_match, ${mailProviderOf('a')} as mail_provider,
      c.auto_reopen, c.track_opens, c.track_clicks, c.subsequences,
      (select json_build_object('name', l.name, 'is_deleted', l.deleted_at is not null) from lists l where l.id = c.list_id) as list,
      a.send_batch_interval_minutes, a.tracking_host, ${signatureHtml('a')} as signature,
      c.spintax, case when c.footer then ${footerHtml('c.workspace_id')} end as footer, ${postalAddress('c.workspace_id')} as postal_address
    from campaigns c join accounts a on a.id = c.account_id where c.id = ${campaignId} and ${visible(caller, 'campaigns', 'c')}`);
  if (row === undefined) throw notFound('campaign');
  const waiting = await db.query<{ step: number; contacts: number }>(sql`
    select e.current_step as step, count(*)::int as contacts from enrolments e
    where e.campaign_id = ${campaignId} and ${enrolmentIs('e', 'active')} and ${notHidden(caller, 'contacts', raw('e.contact_id'))} group by 1`);
  const steps = await listSteps(db, caller, campaignId);
  return { ...row, steps, waiting: new Map(waiting.map(({ step, contacts }) => [step, contacts])) };
}

/**
 * Loads the facts about a campaign, followed by those about the other campaigns of its rotation group, except campaigns that the caller
 * can't see or that are leaving the group. Throws `not_found`. Index: campaigns_rotation.
 */
export async function loadGroupFacts(app: App, caller: Caller, campaignId: number): Promise<[CampaignFacts, ...CampaignFacts[]]> {
  const named = await loadFacts(app, caller, campaignId);
  const members = await app.db.query<{ id: number }>(sql`
    select m.id from campaigns c join campaigns m on m.rotation_group_id = c.rotation_group_id and m.id <> c.id and not m.is_leaving
    where c.id = ${campaignId} and ${visible(caller, 'campaigns', 'm')} order by m.id`);
  const others: CampaignFacts[] = [];
  for (const { id } of members) others.push(await loadFacts(app, caller, id));
  return [named, ...others];
}

/** Adds up the waiting contacts of these campaigns, by the step they wait for. */
export function waitingInAll(facts: readonly CampaignFacts[]): Map<number, number> {
  const sums = new Map<number, number>();
  for (const { waiting } of facts) for (const [step, contacts] of waiting) sums.set(step, (sums.get(step) ?? 0) + contacts);
  return sums;
}

/** Returns the number of active contacts who still have a step ahead of them. */
export const contactsBefore = ({ waiting }: CampaignFacts, stepOrder: number): number =>
  [...waiting].reduce((sum, [step, contacts]) => (step <= stepOrder ? sum + contacts : sum), 0);
