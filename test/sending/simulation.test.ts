import { describe, expect, it } from 'vitest';
import { isOpen, type SendingWindow } from '../../src/campaigns/schedule/window.ts';
import { DAY, MINUTE, SECOND } from '../../src/core/clock.ts';
import { seededRandom } from '../../src/core/random.ts';
import { addCalendarDays, localDay } from '../../src/core/zone.ts';
import { groupOf } from '../../src/sending/plan/campaign-state.ts';
import { simulateAccount } from '../../src/sending/plan/simulate.ts';
import type { ForecastEmail, SimulatedAccount } from '../../src/sending/plan/simulated-batch.ts';
import type { SimulatedCampaign, SimulatedEnrolment } from '../../src/sending/plan/simulated-queue.ts';
import { runs } from '../support/runs.ts';
import { ACCOUNTS, CAMPAIGNS, CONTACTS, DAYS, makeWorld, START, ZONES } from '../support/simulated-world.ts';

/** Number of accounts whose month is simulated; the others only take part in rotation groups. */
const SIMULATED = runs(6, ACCOUNTS);

/** Checks every rule on every email of one account. Returns the number of emails. */
function checkAccount(
  account: SimulatedAccount,
  campaigns: readonly SimulatedCampaign[],
  enrolments: readonly SimulatedEnrolment[],
  seed: number,
): number {
  const campaignOf = new Map(campaigns.map((campaign) => [campaign.id, campaign]));
  const enrolmentOf = new Map(enrolments.map((enrolment) => [enrolment.id, enrolment]));
  const perDay = new Map<string, number>();
  const lastMail = new Map<number, ForecastEmail>();
  const batches: { from: number; to: number; mails: number }[] = [];
  let count = 0;
  for (const mail of simulateAccount(START, account, campaigns, enrolments, seededRandom(seed), DAYS)) {
    if (mail.at.getTime() > START.getTime() + DAYS * DAY) break;
    count++;
    const campaign = campaignOf.get(mail.campaignId) as SimulatedCampaign;
    const enrolment = enrolmentOf.get(mail.enrolmentId) as SimulatedEnrolment;
    const window = groupOf(campaign.groups, enrolment)?.window as SendingWindow;
    if (window.timezone !== zoneExpected(campaign, enrolment)) throw new Error(`in the hours of another zone: ${JSON.stringify(mail)}`);
    if (!isOpen(account.window, mail.at)) throw new Error(`outside the account's window: ${JSON.stringify(mail)}`);
    if (!isOpen(window, mail.at)) throw new Error(`outside the campaign's window: ${JSON.stringify(mail)}`);
    if (campaign.startsAt !== null && mail.at < campaign.startsAt) throw new Error(`before the start: ${JSON.stringify(mail)}`);
    const day = localDay(mail.at, account.window.timezone);
    perDay.set(day, (perDay.get(day) ?? 0) + 1);
    const limit = account.limitOn?.(day, [...perDay.keys()]) ?? account.dailyLimit;
    if ((perDay.get(day) ?? 0) > limit) throw new Error(`more than the ${limit} mails of ${day}`);
    noteMail(batches, mail.at.getTime(), account);

    const before = lastMail.get(mail.enrolmentId);
    const emails = enrolment.steps.filter((step) => step.kind === 'email').map((step) => step.order);
    const expected = before === undefined ? emails[0] : emails[emails.indexOf(before.stepOrder) + 1];
    if (mail.stepOrder !== expected) throw new Error(`step ${mail.stepOrder} instead of ${expected}`);
    if (before !== undefined && campaign.isMailboxRead?.(mail.at) === false)
      throw new Error(`a follow-up past an unread mailbox: ${JSON.stringify(mail)}`);
    const earliest = before === undefined ? enrolment.dueAt : waitAfter(before, enrolment, mail.stepOrder, campaign.timezone);
    if (mail.at < earliest) throw new Error(`before its wait is over: ${JSON.stringify(mail)}`);
    lastMail.set(mail.enrolmentId, mail);
  }
  for (const batch of batches) if (batch.mails > account.batchMax) throw new Error('a batch beyond send_batch_max');
  return count;
}

/** Adds an email, in order of sending, to its batch: emails within an interval are one batch, sent together or with pauses. */
function noteMail(batches: { from: number; to: number; mails: number }[], at: number, account: SimulatedAccount): void {
  const last = batches.at(-1);
  if (last !== undefined && at < last.to) throw new Error('mails out of order');
  if (last === undefined || at - last.from >= account.intervalMinutes * MINUTE) {
    batches.push({ from: at, to: at, mails: 1 });
    return;
  }
  if (account.gapMinSeconds === undefined && at > last.from) throw new Error('two batches within an interval');
  if (at - last.to < (account.gapMinSeconds ?? 0) * SECOND) throw new Error('a pause shorter than gap_min_seconds');
  last.to = at;
  last.mails++;
}

const zoneExpected = (campaign: SimulatedCampaign, { timezone }: SimulatedEnrolment): string =>
  campaign.groups[0]?.zones !== null && timezone !== null && ZONES.includes(timezone) ? timezone : campaign.timezone;

function waitAfter(before: ForecastEmail, enrolment: SimulatedEnrolment, step: number, timezone: string): Date {
  return enrolment.steps
    .filter(({ order }) => order > before.stepOrder && order <= step)
    .reduce((at, { wait_days }) => addCalendarDays(at, wait_days, timezone), before.at);
}

/** Returns true if both windows are ever open at the same time in the month, so that emails of this enrolment can be sent at all. */
function canMeet(account: SimulatedAccount, window: SendingWindow, from: Date): boolean {
  for (let at = from.getTime(); at < START.getTime() + 20 * DAY; at += 15 * MINUTE)
    if (isOpen(account.window, new Date(at)) && isOpen(window, new Date(at))) return true;
  return false;
}

describe(`${DAYS} days of ${SIMULATED} accounts of ${ACCOUNTS}, ${CAMPAIGNS} campaigns, three rotation groups, ${CONTACTS} contacts in five zones across clock changes`, () => {
  it('every mail keeps both windows, days, group hours, start, waits, batch, interval and daily limit', () => {
    const begin = performance.now();
    const world = makeWorld(42);
    let mails = 0;
    for (const [index, account] of world.accounts.slice(0, SIMULATED).entries())
      mails += checkAccount(account, world.campaigns, world.enrolments[index] ?? [], index);
    const seconds = (performance.now() - begin) / 1_000;
    console.log(`${mails} mails simulated in ${seconds.toFixed(1)} s, each checked against every rule`);
    expect(mails).toBeGreaterThan(SIMULATED * 200);
  }, 120_000);

  it('no campaign is starved: whoever shares a mailbox and has a window that meets it gets mail out', () => {
    const world = makeWorld(43);
    for (const [index, account] of world.accounts.slice(0, runs(6, 10)).entries()) {
      const served = new Set<number>();
      for (const mail of simulateAccount(
        START,
        { ...account, dailyLimit: 1_000, limitOn: () => 1_000 },
        world.campaigns,
        world.enrolments[index] ?? [],
        seededRandom(index),
        DAYS,
      )) {
        if (mail.at.getTime() > START.getTime() + DAYS * DAY) break;
        served.add(mail.campaignId);
      }
      for (const enrolment of world.enrolments[index] ?? []) {
        const campaign = world.campaigns[enrolment.campaignId - 1] as SimulatedCampaign;
        const window = groupOf(campaign.groups, enrolment)?.window as SendingWindow;
        if (
          served.has(campaign.id) ||
          enrolment.steps.length === 0 ||
          !canMeet(account, window, new Date(Math.max(campaign.startsAt?.getTime() ?? 0, START.getTime() + 7 * DAY)))
        )
          continue;
        throw new Error(`campaign ${campaign.id} was starved on account ${index}`);
      }
    }
  }, 120_000);

  it('no share of a batch is lost while somebody has due email that may go, mailboxes unread and campaigns without steps or not', () => {
    const world = makeWorld(44);
    let short = 0;
    let rotated = 0;
    const isRotated = ({ campaignId }: ForecastEmail) => campaignId > CAMPAIGNS;
    for (const [index, account] of world.accounts.slice(0, SIMULATED).entries()) {
      // Batches of a known size without pauses, so that the emails alone show what was missing.
      const { gapMinSeconds, gapMaxSeconds, limitOn, ...plain } = account;
      const sender = { ...plain, batchMin: account.batchMax, dailyLimit: 1_000 };
      const waiting = new Map((world.enrolments[index] ?? []).map((enrolment) => [enrolment.id, enrolment]));
      for (const mails of batchesOf(simulateAccount(START, sender, world.campaigns, [...waiting.values()], seededRandom(index), DAYS))) {
        const at = mails[0]?.at as Date;
        for (const mail of mails) moveOn(waiting, mail, world.campaigns);
        rotated += mails.filter(isRotated).length;
        if (mails.length === sender.batchMax) continue;
        short++;
        const lost = [...waiting.values()].find((enrolment) => mayGo(enrolment, at, world.campaigns));
        if (lost !== undefined)
          throw new Error(`${mails.length} of ${sender.batchMax} at ${at.toISOString()}, though ${JSON.stringify(lost)} may go`);
      }
    }
    expect(short).toBeGreaterThan(100);
    expect(rotated).toBeGreaterThan(100);
  }, 120_000);

  it('C1.11: a rotation group distributes each wave of contacts evenly to the members that can send, and none of them is starved', () => {
    const world = makeWorld(45);
    for (const { members, waves } of world.rotations) {
      const able = members.filter(({ isPaused }) => !isPaused);
      for (const wave of waves) {
        expect([...wave.keys()].sort()).toEqual(able.map(({ campaignId }) => campaignId));
        const sizes = [...wave.values()].map((share) => share.length);
        expect(Math.max(...sizes) - Math.min(...sizes)).toBeLessThanOrEqual(1);
      }
      const ids = waves.flatMap((wave) => [...wave.values()].flat().map(({ id }) => id));
      expect(new Set(ids).size).toBe(ids.length);
      for (const { campaignId, account } of able) expectServed(world, campaignId, account);
    }
  }, 120_000);
});

/** Expects that a member is not starved: if its windows ever overlap its account's, its emails are sent, whatever the other members do. */
function expectServed({ accounts, campaigns, enrolments }: ReturnType<typeof makeWorld>, campaignId: number, index: number): void {
  const account = { ...(accounts[index] as SimulatedAccount), dailyLimit: 1_000, limitOn: () => 1_000 };
  const campaign = campaigns[campaignId - 1] as SimulatedCampaign;
  const first = (enrolments[index] ?? []).find((enrolment) => enrolment.campaignId === campaignId) as SimulatedEnrolment;
  const window = groupOf(campaign.groups, first)?.window as SendingWindow;
  if (!canMeet(account, window, new Date(Math.max(campaign.startsAt?.getTime() ?? 0, START.getTime() + 7 * DAY)))) return;
  for (const email of simulateAccount(START, account, campaigns, enrolments[index] ?? [], seededRandom(index), DAYS))
    if (email.campaignId === campaignId) return;
  throw new Error(`campaign ${campaignId} of a rotation group was starved on account ${index}`);
}

/** Groups the emails of a sender without pauses by the instant of sending. */
function* batchesOf(mails: Iterable<ForecastEmail>): Generator<ForecastEmail[]> {
  let batch: ForecastEmail[] = [];
  for (const mail of mails) {
    if (batch[0] !== undefined && batch[0].at.getTime() !== mail.at.getTime()) {
      yield batch;
      batch = [];
    }
    batch.push(mail);
  }
  if (batch.length > 0) yield batch;
}

/** Moves the enrolment that got this email to its next one, or removes it after the last. Calls are made when due. */
function moveOn(waiting: Map<number, SimulatedEnrolment>, mail: ForecastEmail, campaigns: readonly SimulatedCampaign[]): void {
  const enrolment = waiting.get(mail.enrolmentId) as SimulatedEnrolment;
  const rest = enrolment.steps.filter(({ order }) => order > mail.stepOrder);
  const next = rest.findIndex(({ kind }) => kind === 'email');
  if (next < 0) {
    waiting.delete(mail.enrolmentId);
    return;
  }
  const timezone = campaigns[mail.campaignId - 1]?.timezone ?? 'UTC';
  const dueAt = rest.slice(0, next + 1).reduce((at, { wait_days }) => addCalendarDays(at, wait_days, timezone), mail.at);
  waiting.set(mail.enrolmentId, { ...enrolment, dueAt, isFollowUp: true, steps: rest.slice(next) });
}

/** Returns true if the campaign's rules allow an email now. The account's window is open, because a batch is running. */
function mayGo(enrolment: SimulatedEnrolment, at: Date, campaigns: readonly SimulatedCampaign[]): boolean {
  const campaign = campaigns[enrolment.campaignId - 1] as SimulatedCampaign;
  if (enrolment.steps.length === 0 || enrolment.dueAt > at || (campaign.startsAt !== null && campaign.startsAt > at)) return false;
  if (enrolment.isFollowUp && campaign.isMailboxRead?.(at) === false) return false;
  const window = groupOf(campaign.groups, enrolment)?.window;
  return window !== undefined && isOpen(window, at);
}
