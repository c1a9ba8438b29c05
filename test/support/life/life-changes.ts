import { DAY } from '../../../src/core/clock.ts';
import {
  type Account,
  type Campaign,
  type Contact,
  doneAt,
  type Email,
  type Enrolment,
  isLive,
  type Life,
  lastDone,
  liveSteps,
  newEnrolment,
  nextLive,
  type Step,
} from './life.ts';
import { accept, pauseAccount, putBack, restartCampaignsOf, resumeAccount, stopCampaignsOf } from './life-sending.ts';

/** Changes by people in the model. A function returns false if the program must refuse and change nothing. */

export function activate(life: Life, campaign: Campaign): boolean {
  const has = life.enrolments.some((one) => one.campaign === campaign);
  if (campaign.isDeleted || liveSteps(campaign).length === 0 || !has || !isLive(campaign.account)) return false;
  Object.assign(campaign, { status: 'active', isPausedByAccount: false, isArchived: false });
  return true;
}

/** D2.8: sent emails keep their promise; emails sent from now on make another. */
export function changeReplyTo(campaign: Campaign, address: string | null): boolean {
  if (!campaign.isDeleted) campaign.replyTo = address;
  return !campaign.isDeleted;
}

export function setCampaign(campaign: Campaign, verb: 'pause' | 'archive' | 'unarchive' | 'delete' | 'restore'): boolean {
  if (campaign.isDeleted !== (verb === 'restore')) return false;
  if (verb === 'pause' || verb === 'archive') Object.assign(campaign, { status: 'paused', isPausedByAccount: false });
  if (verb === 'archive' || verb === 'unarchive') campaign.isArchived = verb === 'archive';
  if (verb === 'delete') campaign.isDeleted = true;
  if (verb === 'restore') {
    Object.assign(campaign, { isDeleted: false, isPausedByAccount: false });
    if (campaign.status === 'active') campaign.status = 'paused';
  }
  return true;
}

export type AccountVerb = 'pause' | 'resume' | 'archive' | 'unarchive' | 'delete' | 'restore';

export function setAccount(life: Life, account: Account, verb: AccountVerb): boolean {
  if (account.isDeleted !== (verb === 'restore')) return false;
  switch (verb) {
    case 'pause':
      if (account.reason !== 'manual') pauseAccount(life, account, 'manual');
      return true;
    case 'resume':
      if (account.status === 'active') return true;
      if (account.isArchived) return false;
      resumeAccount(life, account);
      return true;
    case 'archive':
      if (!account.isArchived) stopCampaignsOf(life, account);
      account.isArchived = true;
      return true;
    case 'unarchive':
      if (account.isArchived && account.status === 'active') restartCampaignsOf(life, account);
      account.isArchived = false;
      return true;
    case 'delete':
      account.isDeleted = true;
      stopCampaignsOf(life, account);
      return true;
    case 'restore':
      Object.assign(account, { isDeleted: false, status: 'paused', reason: 'manual' });
      return true;
  }
}

export function changeAccount(campaign: Campaign, account: Account): boolean {
  if (campaign.isDeleted || (campaign.account !== account && !isLive(account))) return false;
  if (campaign.account !== account) Object.assign(campaign, { account, isPausedByAccount: false });
  return true;
}

export function setContact(life: Life, contact: Contact, verb: 'archive' | 'unarchive' | 'delete' | 'restore'): boolean {
  if (contact.isDeleted !== (verb === 'restore')) return false;
  if (verb === 'archive' || verb === 'unarchive') contact.isArchived = verb === 'archive';
  else contact.isDeleted = verb === 'delete';
  if (verb === 'archive' || verb === 'delete') for (const one of life.enrolments) if (one.contact === contact) life.end(one, 'stopped');
  return true;
}

/** G2, B16, B17: enrols a contact who is not in the campaign, and reopens it. */
export function enrol(life: Life, campaign: Campaign, contact: Contact, id: number): void {
  if (!isLive(contact) || life.enrolments.some((one) => one.campaign === campaign && one.contact === contact)) return;
  const enrolment = newEnrolment(id, campaign, contact, life.now);
  const away = Math.max(0, ...life.enrolments.filter((one) => one.contact === contact).map((one) => one.awayUntil ?? 0));
  // D2.11: those made before the end of an absence, too.
  if (away > life.now) Object.assign(enrolment, { heldUntil: away, awayUntil: away });
  if (life.isSuppressed(contact.address)) Object.assign(enrolment, { status: 'stopped', dueAt: null });
  life.enrolments.push(enrolment);
  life.reopen(campaign);
}

const isCarriedOut = (email: Email | undefined): boolean => email !== undefined && doneAt(email) !== null;

/** G3: any terminal → active at the next undone step; refused if suppressed, archived or deleted, or if nothing is left. */
export function resume(life: Life, enrolment: Enrolment): boolean {
  const { campaign, contact } = enrolment;
  if (campaign.isDeleted) return false;
  if (enrolment.status === 'active') return !contact.isDeleted;
  if (!isLive(contact) || life.isSuppressed(contact.address)) return false;
  const isDone = (step: Step) => isCarriedOut(enrolment.emails.get(step)) || enrolment.calls.get(step)?.status === 'done';
  const last = liveSteps(campaign).findLast(isDone);
  const next = last === undefined ? liveSteps(campaign)[0] : nextLive(campaign, last);
  if (next === undefined) return false;
  const email = enrolment.emails.get(next);
  const isOpen = email !== undefined && ['claimed', 'transmitting', 'uncertain', 'unknown'].includes(email.state);
  const waited = (lastDone(enrolment) ?? life.now - next.wait * DAY) + next.wait * DAY;
  Object.assign(enrolment, { status: 'active', at: next, dueAt: isOpen ? null : Math.max(life.now, waited), failures: 0, softRounds: 0 });
  if (email?.state === 'failed') Object.assign(email, { state: 'retry', tries: 0 });
  life.reopen(campaign);
  return true;
}

export function addStep(life: Life, campaign: Campaign, step: Step): boolean {
  if (campaign.isDeleted || (step.kind === 'call' && liveSteps(campaign).length === 0)) return false;
  campaign.steps.push(step);
  for (const one of life.enrolments) if (one.campaign === campaign && one.status === 'active') one.at ??= step;
  return true;
}

/** B12: contacts on it move to the next step, after that step's wait; those with none left complete, unless there is none at all. */
export function deleteStep(life: Life, campaign: Campaign, step: Step): boolean {
  const live = liveSteps(campaign);
  if (campaign.isDeleted || (live[0] === step && live[1]?.kind === 'call')) return false;
  step.isLive = false;
  const next = nextLive(campaign, step);
  for (const one of life.enrolments) {
    if (one.campaign !== campaign || one.at !== step) continue;
    const call = one.calls.get(step);
    if (call?.status === 'pending') {
      call.status = 'cancelled';
      one.dueAt = life.now;
    }
    Object.assign(one, { at: next ?? null, failures: 0, softRounds: 0 });
    if (next === undefined && live.length > 1) life.end(one, 'completed');
  }
  if (next !== undefined) reschedule(life, campaign, next);
  return true;
}

/** B3: enrolments that wait for the step wait from the last step that was carried out. */
export function reschedule(life: Life, campaign: Campaign, step: Step): void {
  for (const one of life.enrolments) {
    const last = lastDone(one);
    const waits = one.campaign === campaign && one.status === 'active' && one.at === step && one.dueAt !== null;
    if (waits && last !== null && !one.emails.has(step)) one.dueAt = last + step.wait * DAY;
  }
}

/** New text: emails that failed because of the old text are due. */
export function changeText(life: Life, campaign: Campaign, step: Step): void {
  for (const one of life.enrolments)
    if (one.campaign === campaign && one.status === 'active' && one.at === step && one.failures > 0 && one.dueAt !== null)
      Object.assign(one, { dueAt: life.now, failures: 0 });
}

/** A person decides on an email that may have been sent. */
export function resolve(life: Life, email: Email, decision: 'sent' | 'resend'): boolean {
  if (email.state !== 'uncertain' && email.state !== 'unknown') return false;
  if (decision === 'resend' && email.isContinued) return false;
  if (decision === 'sent') accept(life, email, email.permittedAt);
  else putBack(life, email);
  return true;
}

/** C1.2: the link in an email ends its enrolment and suppresses both addresses; the event is logged once for an enrolment. */
export function unsubscribe(life: Life, email: Email): void {
  const { enrolment, recipient, state } = email;
  // A person who uses the link of an email has received it.
  if (state === 'uncertain' || state === 'unknown') accept(life, email, email.permittedAt);
  life.end(enrolment, 'stopped');
  for (const address of [recipient, enrolment.contact.address]) life.suppress(address, 'stopped');
  if (enrolment.events.unsubscribed === 0) life.log(enrolment, 'unsubscribed');
}
