import { DAY, HOUR, MINUTE } from '../../../src/core/clock.ts';
import { type Account, doneAt, type Email, type Enrolment, isLive, isRunning, type Life, lastDone, senderOf } from './life.ts';
import type { Treatment } from './wire.ts';

/** The sender's part of the model: batches, replies of servers, daemons that die, and recovery. */

const BACKOFF = [15 * MINUTE, HOUR, 4 * HOUR];

const canSend = (account: Account): boolean => account.status === 'active' && isLive(account);

/** B2: the windows of campaign (9–17, Monday to Friday) and account (8–18) are both open. */
function isWindowOpen(now: number): boolean {
  const at = new Date(now);
  return at.getUTCHours() >= 9 && at.getUTCHours() < 17 && ![0, 6].includes(at.getUTCDay());
}

/** Returns the enrolments whose email a worker can now claim for this account. */
export function claimable(life: Life, account: Account): Enrolment[] {
  if (!canSend(account) || !isWindowOpen(life.now) || account.waitsUntil > life.now) return [];
  return life.enrolments.filter(
    (one) =>
      one.status === 'active' &&
      isRunning(one.campaign) &&
      one.at?.kind === 'email' &&
      one.dueAt !== null &&
      one.dueAt <= life.now &&
      (one.heldUntil === null || one.heldUntil <= life.now) &&
      senderOf(one) === account,
  );
}

const isFollowUp = (enrolment: Enrolment): boolean => [...enrolment.emails.values()].some((email) => doneAt(email) !== null);

/** Claims the email of the step due next. @param idOf its id and Message-ID in the database */
export function claim(
  life: Life,
  enrolment: Enrolment,
  account: Account,
  idOf: (enrolment: Enrolment) => Pick<Email, 'id' | 'messageId'>,
): Email {
  const step = enrolment.at as NonNullable<Enrolment['at']>;
  const claimed = { account, recipient: enrolment.contact.address, state: 'claimed', ...idOf(enrolment) } as const;
  const known = enrolment.emails.get(step);
  const email: Email =
    known === undefined
      ? {
          ...{
            enrolment,
            step,
            permittedAt: life.now,
            promised: null,
            acceptedAt: null,
            tries: 0,
            isOut: false,
            isRecorded: false,
            isProved: false,
            copy: null,
            isReturned: false,
            isContinued: false,
          },
          ...{ logged: new Set(), ...claimed },
        }
      : Object.assign(known, claimed);
  enrolment.emails.set(step, email);
  enrolment.dueAt = null;
  return email;
}

/** True if one of our mailboxes gets the replies to a sequence: that of the campaign, or one that an earlier email has promised (D2.8). */
const getsReplies = (life: Life, { enrolment, account }: Email): boolean =>
  life.replyAccount(enrolment.campaign, account) !== undefined ||
  [...enrolment.emails.values()].some(({ promised }) => promised?.isDeleted === false);

/** Submits one email of a batch, up to its server's reply. */
export function submit(life: Life, email: Email, treatment: Treatment): void {
  const { enrolment } = email;
  if (isFollowUp(enrolment) && !life.isMailboxRead && getsReplies(life, email)) {
    email.state = 'retry';
    enrolment.dueAt = life.now + MINUTE;
  } else if (life.isSuppressed(enrolment.contact.address)) {
    email.state = 'retry';
    life.end(enrolment, 'stopped');
  } else {
    const promised = life.replyAccount(enrolment.campaign, email.account) ?? null;
    Object.assign(email, { permittedAt: life.now, isRecorded: true, promised });
    recordOutcome(life, email, treatment);
  }
}

function recordOutcome(life: Life, email: Email, treatment: Treatment): void {
  const isCut = treatment === 'drop' || treatment === 'lose';
  const cut = isCut ? email.account.cut + 1 : 0;
  Object.assign(email.account, { cut, waitsUntil: isCut ? life.now + Math.min(MINUTE * 2 ** (cut - 1), HOUR) : 0 });
  switch (treatment) {
    case 'take':
      email.isOut = true;
      accept(life, email, life.now);
      return;
    case 'drop':
    case 'lose':
      Object.assign(email, { state: 'uncertain', isOut: email.isOut || treatment === 'drop' });
      return;
    case 'hard':
      email.state = 'failed';
      bounce(life, email);
      life.suppress(email.recipient, 'bounced');
      return;
    case 'soft':
      retrySoftly(life, email);
      return;
    case 'ours':
      failTry(life, email);
      return;
    case 'limit':
      retry(email, life.now);
      pauseAccount(life, email.account, 'provider_limit');
      return;
  }
}

/** The server has the email: the step is carried out at that time, and an enrolment that has ended in the meantime stays ended. */
export function accept(life: Life, email: Email, at: number): void {
  email.state = 'accepted';
  email.acceptedAt = at;
  life.log(email.enrolment, 'sent');
  if (!email.isContinued) continueSequence(life, email, at);
}

function continueSequence(life: Life, email: Email, at: number): void {
  email.enrolment.account = email.account;
  email.enrolment.softRounds = 0;
  life.advance(email.enrolment, email.step, at);
}

function retry(email: Email, dueAt: number): void {
  email.state = 'retry';
  if (email.enrolment.status === 'active') email.enrolment.dueAt = dueAt;
}

function bounce(life: Life, email: Email): void {
  life.end(email.enrolment, 'bounced');
  if (life.isTracked(email.enrolment, email.account)) {
    life.log(email.enrolment, 'bounced');
    email.logged.add('bounced');
  }
}

/** G3: 15 minutes, 1 hour, 4 hours, then the next day; the third such round is a bounce. */
function retrySoftly(life: Life, email: Email): void {
  const wait = BACKOFF[email.tries++];
  if (wait === undefined) {
    email.tries = 0;
    email.enrolment.softRounds++;
  }
  if (email.enrolment.softRounds < 3) retry(email, life.now + (wait ?? DAY));
  else {
    email.state = 'failed';
    bounce(life, email);
  }
}

/** G3: a failure of ours: event `failed` each time, a retry on the next day, and `stopped` after three. */
function failTry(life: Life, email: Email): void {
  email.tries++;
  life.log(email.enrolment, 'failed');
  email.logged.add('failed');
  if (++email.enrolment.failures < 3) retry(email, life.now + DAY);
  else {
    email.state = 'failed';
    life.end(email.enrolment, 'stopped');
  }
}

/** An account pauses with its active campaigns, which are remembered. */
export function pauseAccount(life: Life, account: Account, reason: NonNullable<Account['reason']>): void {
  Object.assign(account, { status: 'paused', reason, pausedAt: life.now });
  stopCampaignsOf(life, account);
}

export function stopCampaignsOf(life: Life, account: Account): void {
  for (const campaign of life.campaigns)
    if (campaign.account === account && campaign.status === 'active' && !campaign.isDeleted)
      Object.assign(campaign, { status: 'paused', isPausedByAccount: true });
}

/** Exactly the campaigns that the account's pause had paused start again. */
export function resumeAccount(life: Life, account: Account): void {
  Object.assign(account, { status: 'active', reason: null, cut: 0, waitsUntil: 0 });
  restartCampaignsOf(life, account);
}

export function restartCampaignsOf(life: Life, account: Account): void {
  for (const campaign of life.campaigns)
    if (campaign.account === account && campaign.status === 'paused' && campaign.isPausedByAccount && isLive(campaign))
      Object.assign(campaign, { status: 'active', isPausedByAccount: false });
}

/** Runs the daemon's timetable: limits of another day end, and due calls appear, while the campaign's window is open. */
export function startTick(life: Life): void {
  for (const account of life.accounts)
    if (account.reason === 'provider_limit' && isLive(account) && Math.floor(account.pausedAt / DAY) < Math.floor(life.now / DAY))
      resumeAccount(life, account);
  for (const one of life.enrolments) {
    const isDue = one.dueAt !== null && one.dueAt <= life.now && (one.heldUntil === null || one.heldUntil <= life.now);
    if (one.status !== 'active' || one.at?.kind !== 'call' || !isDue || !isRunning(one.campaign) || !isWindowOpen(life.now)) continue;
    one.calls.set(one.at, { status: 'pending', at: life.now });
    one.dueAt = null;
  }
}

/**
 * Recovery: a claim without a permit is due again. An email that may have been sent counts as sent if something proves it, otherwise as
 * unknown. A quarter of an hour later the sequence continues if the campaign does not wait.
 */
export function recover(life: Life): void {
  for (const email of life.emails) {
    if (email.state === 'claimed') putBack(life, email);
    if (email.state === 'transmitting') email.state = 'uncertain';
    if (email.state !== 'uncertain' && email.state !== 'unknown') continue;
    if (email.isProved) accept(life, email, email.permittedAt);
    else email.state = 'unknown';
  }
  for (const email of life.emails) {
    const { campaign, status } = email.enrolment;
    const isLate = email.state === 'unknown' && !email.isContinued && email.permittedAt <= life.now - 15 * MINUTE;
    if (!isLate || status !== 'active' || campaign.whenUnknown === 'wait') continue;
    continueSequence(life, email, email.permittedAt);
    email.isContinued = true;
  }
}

/** Makes an email due again. If its step has been deleted, the wait of the following step applies (B3, B12). */
export function putBack(life: Life, email: Email): void {
  const { enrolment } = email;
  email.state = 'retry';
  if (enrolment.status !== 'active') return;
  enrolment.dueAt = enrolment.at === email.step ? life.now : waitedFor(enrolment, life.now);
}

/** Returns when the current step of an enrolment is due by its wait. */
function waitedFor(enrolment: Enrolment, now: number): number {
  const last = lastDone(enrolment);
  return last === null ? now : last + (enrolment.at?.wait ?? 0) * DAY;
}
