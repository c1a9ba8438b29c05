import { type Caller, notHidden, visible } from '../../access/index.ts';
import type { App } from '../../app.ts';
import {
  type CampaignStatus,
  COLLEAGUE_REPLIED,
  callIs,
  enrolmentIs,
  findContentRefusals,
  isDue,
  isLiveStep,
  leftAccounts,
  usesContactZones,
  type WhenUnknown,
} from '../../campaigns/index.ts';
import { MINUTE } from '../../core/clock.ts';
import { quantity, withoutFullStop } from '../../core/english.ts';
import { notFound } from '../../core/errors.ts';
import { isKnownZone, zoneOrUtc } from '../../core/zone.ts';
import { raw, type Sql, sql } from '../../db/statement.ts';
import { isInFlight, isRetry, isUnresolved } from '../../outbox/index.ts';
import { contentHolds } from './content-holds.ts';
import { type AccountFacts, accountReasons, formerAccountReasons, isStopped, placeReasons } from './explain-account.ts';
import { joiningNotes } from './explain-joining.ts';
import { localTime, scheduleReasons, zoneNotes } from './explain-schedule.ts';
import { writerNotes } from './explain-writers.ts';
import { nextSendAt, simulationsOfForecast } from './forecast.ts';
import { mailboxWarnings, unreadMailboxes } from './unread-mailboxes.ts';

export interface Explanation {
  campaign_id: number;
  status: CampaignStatus;
  /** Sentences, most important first; empty if emails are being sent now. */
  reasons: string[];
  /** Further sentences, for example about held contacts and unknown time zones. */
  notes: string[];
  /** Time of the next email if nothing changes: UTC, `YYYY-MM-DD HH:MM:SS`. */
  next_send_at: string | null;
}

interface CampaignFacts extends AccountFacts {
  id: number;
  status: CampaignStatus;
  is_archived: boolean;
  /** True if it was paused with its account, with which it is also resumed. */
  paused_by_account: boolean;
  starts_at: Date | null;
  timezone: string;
  uses_contact_zones: boolean;
  is_in_rotation: boolean;
  steps: number;
  email_steps: number;
  active: number;
  due: number;
  due_first: number;
  /** Follow-ups that are due, or due again within a minute. */
  follow_ups: number;
  held: number;
  first_hold: string | null;
  /** The time at which the first of them is released; null if none has a release time. */
  first_release: Date | null;
  /** Emails that wait for another attempt after a server's reply, the soonest of these attempts, and the reply before it. */
  deferred: number;
  next_try: Date | null;
  reply: string | null;
  calls: number;
  in_flight: number;
  unknown: number;
  suppressed: number;
  /** Contacts stopped because somebody else at their company replied. */
  colleagues: number;
  /** True if a contact is waiting for a step whose wait counts business days. */
  waits_business_days: boolean;
  holidays: string | null;
  when_unknown: WhenUnknown;
  enrolled: number;
}

/**
 * Explains why a campaign sends nothing now and when its next email is due, considering only the contacts that the caller may
 * see. Throws `not_found`.
 */
export async function explainCampaign(app: App, caller: Caller, id: number): Promise<Explanation> {
  const { account, reasons, ...explanation } = await explainInParts(app, caller, id);
  return { ...explanation, reasons: [...accountReasons([account]), ...reasons] };
}

/** An explanation without the account's reasons, and the facts from which those are derived. */
export interface ExplanationInParts extends Explanation {
  account: AccountFacts;
}

/**
 * Explains a campaign as `explainCampaign` does, but without the account's reasons, because a rotation group merges those of its accounts.
 */
export async function explainInParts(app: App, caller: Caller, id: number): Promise<ExplanationInParts> {
  const facts = await loadFacts(app, caller, id);
  const simulations = simulationsOfForecast(app);
  const own = facts.status === 'active' ? await simulations(facts.account_id) : null;
  const reasons = campaignReasons(facts, app.clock.now());
  const isBlocked = reasons.length > 0 || isStopped(facts);
  const unread = isBlocked ? [] : await mailboxReasons(app, facts);
  const isUnreadDecisive = facts.due_first === 0 && facts.follow_ups > 0;
  if (isUnreadDecisive) reasons.push(...unread);
  const campaign = own?.campaigns.find((state) => state.id === id);
  if (!isBlocked && own !== null && campaign !== undefined) reasons.push(...scheduleReasons(own.account, campaign, app.clock.now()));
  if (reasons.length === 0 && !isBlocked && facts.due > 0) reasons.push(...(await placeReasons(app.db, facts, app.clock.now())));
  const former = isBlocked ? { waiting: 0, reasons: [] } : await formerAccountReasons(app.db, caller, id, app.clock.now());
  const content = [...(await contentHolds(app.db, caller, id)), ...(await contentRefusals(app, caller, id))];
  const contactReasons = [...former.reasons, ...content, ...enrolmentReasons(facts)];
  const notes = [
    ...(facts.uses_contact_zones ? await zoneNotes(app.db, caller, id) : []),
    ...(await joiningNotes(app, caller, id)),
    ...(await writerNotes(app.db, caller, id)),
  ];
  if (reasons.length === 0 && !isStopped(facts) && (facts.due === former.waiting || contactReasons.length === 0))
    reasons.push(...contactReasons, ...nothingDue(facts, contactReasons));
  else notes.unshift(...contactReasons);
  for (const { email, warning } of await mailboxWarnings(app.db, id)) notes.push(`Not all folders of ${email} are read: ${warning}.`);
  if (facts.is_in_rotation) notes.push(...(await leftAccounts(app.db, caller, id)).map(({ message }) => message));
  if (!isUnreadDecisive) notes.unshift(...unread);
  const next_send_at = own === null ? null : await nextSendAt(app, caller, id, simulations);
  return { campaign_id: id, status: facts.status, reasons, notes, next_send_at, account: facts };
}

async function loadFacts(app: App, caller: Caller, id: number): Promise<CampaignFacts> {
  const now = app.clock.now();
  const own = sql`e.campaign_id = c.id and ${notHidden(caller, 'contacts', raw('e.contact_id'))}`;
  const count = (condition: Sql): Sql => sql`(count(*) filter (where ${condition}))::int`;
  const isActive = enrolmentIs('e', 'active');
  const isStoppedFor = (reason: string) => sql`${enrolmentIs('e', 'stopped')} and e.stop_reason = ${reason}`;
  const isDeferred = sql`${isRetry('o')} and o.attempt > 0 and o.response is not null and ${isActive} and e.hold_reason is null and e.due_at > ${now}`;
  const [facts] = await app.db.query<CampaignFacts>(sql`
    select c.id, c.status, c.is_archived, c.paused_by_account, c.starts_at, c.timezone, c.account_id, c.when_unknown, c.holidays,
      ${usesContactZones('c')} as uses_contact_zones, c.rotation_group_id is not null as is_in_rotation,
      a.email as account_email, a.status as account_status, a.pause_reason, a.pause_message, a.deleted_at is not null or a.is_archived as account_is_gone,
      sequence.*, people.*, emails.*,
      (select count(*)::int from call_tasks k join enrolments e on e.id = k.enrolment_id where ${own} and ${callIs('k', 'pending')}) as calls
    from campaigns c join accounts a on a.id = c.account_id
    cross join lateral (
      select count(*)::int as steps, ${count(isLiveStep('s', 'email'))} as email_steps
      from steps s where s.campaign_id = c.id and s.deleted_at is null) sequence
    cross join lateral (
      select count(*)::int as enrolled, ${count(isActive)} as active, ${count(isDue('e', now))} as due,
        ${count(sql`${isDue('e', now)} and e.last_sent_step = 0`)} as due_first,
        ${count(sql`${isDue('e', new Date(now.getTime() + MINUTE))} and e.last_sent_step > 0`)} as follow_ups,
        ${count(sql`${isActive} and e.hold_reason is not null`)} as held, min(e.hold_reason) filter (where ${isActive}) as first_hold,
        min(e.held_until) filter (where ${isActive} and e.hold_reason is not null) as first_release,
        ${count(isStoppedFor('suppressed'))} as suppressed, ${count(isStoppedFor(COLLEAGUE_REPLIED))} as colleagues,
        coalesce(bool_or(s.business_days) filter (where ${isActive}), false) as waits_business_days
      from enrolments e left join steps s on s.campaign_id = c.id and s.step_order = e.current_step and s.deleted_at is null
      where ${own}) people
    cross join lateral (
      select ${count(isUnresolved('o'))} as unknown, ${count(isInFlight('o'))} as in_flight, ${count(isDeferred)} as deferred,
        min(e.due_at) filter (where ${isDeferred}) as next_try, (array_agg(o.response order by e.due_at, o.id) filter (where ${isDeferred}))[1] as reply
      from outbox o join enrolments e on e.id = o.enrolment_id where o.campaign_id = c.id and o.closed_at is null and ${own}) emails
    where c.id = ${id} and ${visible(caller, 'campaigns', 'c')}`);
  if (facts === undefined) throw notFound('campaign');
  return facts;
}

function campaignReasons(facts: CampaignFacts, now: Date): string[] {
  if (facts.is_archived) return ['The campaign is archived; unarchive and activate it to continue.'];
  if (facts.status === 'draft') {
    const missing = [...(facts.steps === 0 ? ['a step'] : []), ...(facts.enrolled === 0 ? ['an enrolled contact'] : [])];
    return [
      missing.length > 0 ? `The campaign is a draft and needs ${missing.join(' and ')}.` : 'The campaign is a draft; activate it to start.',
    ];
  }
  // A campaign that was paused with its account is resumed with it.
  if (facts.status === 'paused') {
    if (!isStopped(facts)) return ['The campaign is paused; resume it to continue.'];
    return facts.paused_by_account ? [] : ['The campaign is paused too; resume it after that.'];
  }
  if (facts.status === 'completed') return ['The campaign is completed: no contacts are left in its sequence.'];
  if (facts.email_steps === 0 && facts.calls === 0) return ['The campaign has no email step; add one to continue.'];
  if (facts.starts_at !== null && facts.starts_at > now)
    return [`The campaign is scheduled to start at ${localTime(facts.starts_at, zoneOrUtc(facts.timezone))}.`];
  if (!isKnownZone(facts.timezone)) return [`The campaign's time zone "${facts.timezone}" is unknown to this machine; choose another.`];
  return [];
}

/** Explains that the reply mailbox cannot be polled, so replies are not read and due follow-ups wait. */
async function mailboxReasons(app: App, facts: CampaignFacts): Promise<string[]> {
  const mailboxes = await unreadMailboxes(app.db, facts.account_id, [facts.id]);
  return mailboxes.map(({ email, error, next_poll_at }) => {
    const retry = next_poll_at === null ? '' : ` The next attempt is due at ${localTime(next_poll_at, zoneOrUtc(facts.timezone))}.`;
    return `${facts.follow_ups > 0 ? 'Follow-ups wait' : 'Replies are not read'} because the mailbox of ${email} cannot be polled: ${withoutFullStop(error)}.${retry}`;
  });
}

/** Describes steps that servers refuse for their content. */
async function contentRefusals(app: App, caller: Caller, id: number): Promise<string[]> {
  const refusals = await findContentRefusals(app.db, caller, [id]);
  return refusals.map(({ step_order, emails, example }) => {
    const refused = `Servers refuse the content of step ${step_order} (${quantity(emails, 'email')} so far)`;
    return `${refused}, for example: ${withoutFullStop(example)}. Change the step; its emails are then sent again.`;
  });
}

function enrolmentReasons(facts: CampaignFacts): string[] {
  const reasons: string[] = [];
  if (facts.unknown > 0)
    reasons.push(
      `The delivery of ${quantity(facts.unknown, 'email')} is unknown${continuesText(facts)}; see: outreach outbox list --uncertain`,
    );
  if (facts.held > 0) reasons.push(heldText(facts));
  if (facts.deferred > 0 && facts.next_try !== null) reasons.push(deferredText(facts, facts.next_try));
  if (facts.in_flight > 0) reasons.push(`${quantity(facts.in_flight, 'email is', 'emails are')} being sent now.`);
  if (facts.calls > 0) reasons.push(`${quantity(facts.calls, 'call is', 'calls are')} due; see: outreach call list`);
  if (facts.suppressed > 0) reasons.push(`${quantity(facts.suppressed, 'contact is', 'contacts are')} suppressed and stopped.`);
  if (facts.colleagues > 0)
    reasons.push(`${quantity(facts.colleagues, 'contact was', 'contacts were')} stopped because ${COLLEAGUE_REPLIED} (stop_company).`);
  return reasons;
}

function heldText({ held, first_hold, first_release, timezone }: CampaignFacts): string {
  const release = first_release === null ? null : localTime(first_release, zoneOrUtc(timezone));
  const why = withoutFullStop(first_hold ?? '');
  if (held === 1) return `1 contact is held${release === null ? '' : ` until ${release}`}: ${why}.`;
  return `${quantity(held, 'contact')} are held${release === null ? '' : `, the first until ${release}`}, for example: ${why}.`;
}

function deferredText({ deferred, reply, timezone }: CampaignFacts, nextTry: Date): string {
  const first = `${deferred === 1 ? '' : ', the first'} at ${localTime(nextTry, zoneOrUtc(timezone))}`;
  return `${quantity(deferred, 'email')} will be retried${first}, after: ${withoutFullStop(reply ?? '')}.`;
}

const continuesText = ({ when_unknown, unknown }: CampaignFacts) =>
  when_unknown === 'wait' ? '' : `, and ${unknown === 1 ? 'its sequence continues' : 'their sequences continue'} anyway`;

function nothingDue({ due, active, enrolled, ...facts }: CampaignFacts, contactReasons: readonly string[]): string[] {
  if (enrolled === 0) return ['No contact is enrolled; enrol one to continue.'];
  if (active === 0) return ['No contact is left in the sequence: all have ended.'];
  return due === 0 && contactReasons.length === 0
    ? [`No email is due yet: every contact is waiting for its next step${businessDays(facts)}.`]
    : [];
}

function businessDays({ waits_business_days, holidays }: Pick<CampaignFacts, 'waits_business_days' | 'holidays'>): string {
  if (!waits_business_days) return '';
  return `, and waits in business days leave out weekends${holidays === null ? '' : ` and the public holidays of ${holidays}`}`;
}
