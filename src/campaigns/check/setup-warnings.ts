import type { App } from '../../app.ts';
import { withoutComments } from '../../html/comments.ts';
import { PROVIDER_NAMES } from '../../mail-domains/index.ts';
import { alwaysContains } from '../content/choose.ts';
import { OPT_OUT, SIGNATURE } from '../content/placeholders.ts';
import type { CampaignFacts } from './campaign-facts.ts';
import { block, type CampaignWarning, warn } from './warning.ts';

/** Warnings about the account of a campaign and about where replies go. */
export function accountWarnings(facts: CampaignFacts): CampaignWarning[] {
  const warnings: CampaignWarning[] = [];
  if (!facts.is_reply_polled) {
    const address = facts.reply_to ?? facts.account_email;
    warnings.push(
      warn('replies_not_polled', `replies go to ${address}, whose mailbox is not polled: replies and bounces will go unnoticed`),
    );
  }
  const account = `the account ${facts.account_email}`;
  if (!facts.is_account_live) return [...warnings, block('account_gone', `${account} is archived or deleted`)];
  if (facts.account_status !== 'active') warnings.push(block('account_not_active', `${account} is ${facts.account_status}`));
  if (facts.daily_send_limit === 0) warnings.push(block('daily_limit_zero', `${account} has a daily limit of 0`));
  if (facts.poll_error !== null && facts.is_account_polled)
    warnings.push(
      warn('mailbox_unreadable', `the mailbox of ${facts.account_email} cannot be polled: ${facts.poll_error}; follow-ups wait for it`),
    );
  if (facts.poll_warning !== null && facts.is_account_polled)
    warnings.push(warn('mailbox_unreadable', `not all folders of ${facts.account_email} are read: ${facts.poll_warning}`));
  return warnings;
}

/** Warnings about the ways in which recipients of step 1 can opt out, and about the sender's postal address. */
export function optOutWarnings({ config }: Pick<App, 'config'>, facts: CampaignFacts): CampaignWarning[] {
  const warnings: CampaignWarning[] = [];
  if (!hasPublicLinks({ config }, facts) && !facts.is_reply_polled && !facts.is_account_polled)
    warnings.push(
      block(
        'nobody_can_opt_out',
        `nobody can opt out: neither the mailbox of ${facts.account_email} nor one for replies is polled, and without a public address (OUTREACH_BASE_URL) emails have no unsubscribe link`,
      ),
    );
  const [first] = facts.steps;
  if (first?.kind === 'email' && !hasOptOut(facts, first))
    warnings.push(
      warn('no_opt_out', `step 1 has no visible way to opt out: put {{${OPT_OUT}}} into its body, or set a footer for the workspace`, {
        step_order: 1,
      }),
    );
  if (facts.postal_address === null)
    warnings.push(
      warn('no_postal_address', 'the workspace has no postal address; set one with: outreach workspace set --postal-address ADDRESS'),
    );
  return warnings;
}

/** True if the emails of a campaign can contain links to this installation, for tracking and unsubscribing. */
export const hasPublicLinks = ({ config }: Pick<App, 'config'>, { tracking_host }: CampaignFacts): boolean =>
  (tracking_host ?? config.publicUrl) !== null;

/** Warns if the campaign tracks opens or clicks but the installation has no address that recipients can reach. */
export function trackingWarnings(app: Pick<App, 'config'>, facts: CampaignFacts): CampaignWarning[] {
  if (hasPublicLinks(app, facts) || !(facts.track_opens || facts.track_clicks)) return [];
  const remedy = 'set a public address (OUTREACH_BASE_URL), or a tracking host of the account';
  return [warn('not_tracked', `nothing is tracked, though the campaign tracks opens or clicks: ${remedy}`)];
}

/** Warns of addresses in cc and bcc that are suppressed and get no copies. */
export const copyWarnings = ({ suppressed_copies }: CampaignFacts): CampaignWarning[] =>
  suppressed_copies.map((address) => warn('copies_suppressed', `${address} is suppressed and gets no copies`));

/**
 * Warns of mailbox providers for which a rotation group has no account, if provider_match makes contacts wait for one. Returns nothing
 * until the providers of all accounts have been looked up.
 */
export function matchWarnings(members: readonly Pick<CampaignFacts, 'provider_match' | 'mail_provider'>[]): CampaignWarning[] {
  const isRequired = members.length > 1 && members[0]?.provider_match === 'require';
  if (!isRequired || members.some(({ mail_provider }) => mail_provider === null)) return [];
  return Object.entries(PROVIDER_NAMES)
    .filter(([provider]) => members.every(({ mail_provider }) => mail_provider !== provider))
    .map(([, name]) =>
      warn('no_matching_account', `no account of the group sends from ${name}: contacts there wait for one (provider_match)`),
    );
}

/** Warnings about the list whose new members are enrolled. */
export function listWarnings({ list, auto_reopen }: CampaignFacts): CampaignWarning[] {
  if (list?.is_deleted)
    return [warn('list_deleted', `the list "${list.name}", whose new members are enrolled, is deleted: nobody joins it`)];
  if (list === null || auto_reopen) return [];
  const message = `contacts who join the list "${list.name}" after the campaign has completed are enrolled and sent nothing: auto-reopen is off`;
  return [warn('not_reopened', message)];
}

function hasOptOut({ footer, signature }: CampaignFacts, first: CampaignFacts['steps'][number]): boolean {
  if (footer !== null) return true;
  const inSignature = alwaysContains(signature ?? '', (key) => key === OPT_OUT);
  const isIn = (body: string) => alwaysContains(withoutComments(body), (key) => key === OPT_OUT || (key === SIGNATURE && inSignature));
  return [first.body_html, first.body_html_b].every((body) => body === null || isIn(body));
}
