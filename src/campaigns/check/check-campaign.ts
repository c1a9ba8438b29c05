import type { Caller } from '../../access/index.ts';
import type { App } from '../../app.ts';
import type { Queryable } from '../../db/statement.ts';
import { unknownKeys } from '../content/known-keys.ts';
import { addressWarnings } from './address-warnings.ts';
import { type CampaignFacts, loadFacts, loadGroupFacts, waitingInAll } from './campaign-facts.ts';
import { findContentRefusals } from './content-refusals.ts';
import { contentWarnings, keysOf } from './content-warnings.ts';
import { emptyValueWarnings } from './empty-values.ts';
import { followWarnings } from './follow-warnings.ts';
import { leftAccounts } from './left-accounts.ts';
import { limitWarnings } from './limit-warnings.ts';
import { type MemberMessages, mergeMessages } from './merge-messages.ts';
import { scheduleWarnings } from './schedule-warnings.ts';
import {
  accountWarnings,
  copyWarnings,
  hasPublicLinks,
  listWarnings,
  matchWarnings,
  optOutWarnings,
  trackingWarnings,
} from './setup-warnings.ts';
import { type CampaignWarning, warn } from './warning.ts';

/**
 * Lists warnings about a campaign or its rotation group, to read before activating it: first those about what keeps its emails from
 * leaving, then the rest. Both parts go from the accounts to the content. Throws `not_found`.
 */
export async function checkCampaign(app: App, caller: Caller, campaignId: number): Promise<CampaignWarning[]> {
  const [named, ...others] = await loadGroupFacts(app, caller, campaignId);
  const ids = [named, ...others].map(({ id }) => id);
  const facts = { ...named, waiting: waitingInAll([named, ...others]) };
  const used = facts.steps.filter(({ kind }) => kind === 'email').flatMap(keysOf);
  const unknown = new Set(await unknownKeys(app.db, caller, used));
  const left = await leftAccounts(app.db, caller, campaignId);
  const warnings = [
    ...left.map(({ contacts, message }) => warn('account_gone', message, { contacts })),
    ...groupWarnings([named, ...others].map((member) => ({ email: member.account_email, messages: setupWarnings(app, member) }))),
    ...(await limitWarnings(app.db, caller, ids, facts)),
    ...matchWarnings([named, ...others]),
    ...(await addressWarnings(app.db, caller, ids)),
    ...(await refusalWarnings(app.db, caller, ids)),
    ...(await followWarnings(app, named)),
    ...trackingWarnings(app, named),
    ...(await contentWarnings({ ...facts, track_opens: facts.track_opens && hasPublicLinks(app, named) }, unknown)),
    ...(await emptyValueWarnings(app.db, caller, ids, facts.steps, unknown)),
  ];
  return [...warnings.filter(({ is_blocking }) => is_blocking), ...warnings.filter(({ is_blocking }) => !is_blocking)];
}

/**
 * Merges the warnings of all campaigns of a rotation group, see `mergeMessages`. If at least one of the campaigns can send, no warning is
 * blocking.
 */
function groupWarnings(members: readonly MemberMessages<CampaignWarning>[]): CampaignWarning[] {
  const isBlocked = members.every(({ messages }) => messages.some(({ is_blocking }) => is_blocking));
  return mergeMessages(members, ({ message }) => message).map(({ message, text }) => ({
    ...message,
    is_blocking: message.is_blocking && isBlocked,
    message: text,
  }));
}

/** Warns of steps that servers refuse for their content, because the next emails of such a step are likely to be refused too. */
async function refusalWarnings(db: Queryable, caller: Caller, campaignIds: readonly number[]): Promise<CampaignWarning[]> {
  const refusals = await findContentRefusals(db, caller, campaignIds);
  return refusals.map(({ step_order, emails, example }) =>
    warn('content_refused', `step ${step_order}: servers refuse its content, for example: ${example}`, { step_order, contacts: emails }),
  );
}

/** Returns the warnings that do not depend on the content of a single email. `campaign preview` shows them beside the emails. */
export async function checkSetup(app: App, caller: Caller, campaignId: number): Promise<CampaignWarning[]> {
  return setupWarnings(app, await loadFacts(app, caller, campaignId));
}

const setupWarnings = (app: App, facts: CampaignFacts): CampaignWarning[] => [
  ...accountWarnings(facts),
  ...scheduleWarnings(facts, app.clock.now()),
  ...optOutWarnings(app, facts),
  ...copyWarnings(facts),
  ...listWarnings(facts),
];
