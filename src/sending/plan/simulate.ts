import { isOpen } from '../../campaigns/index.ts';
import { DAY, MINUTE, SECOND } from '../../core/clock.ts';
import type { Random } from '../../core/random.ts';
import { localDay } from '../../core/zone.ts';
import { type AccountState, groupOf, nextBatchTime, planBatch } from './plan.ts';
import { CampaignQueue, type SimulatedCampaign, type SimulatedEnrolment } from './simulated-queue.ts';

/** An account over many days: its ramp-up raises the limit, and random pauses lie between the mails of a batch. */
export interface SimulatedAccount extends AccountState {
  /** Mails of a local day, `YYYY-MM-DD`; `dailyLimit` every day when left out. */
  limitOn?: (day: string) => number;
  gapMinSeconds?: number;
  gapMaxSeconds?: number;
}

/** Windows that did not meet for more than a year, with every clock change in it, never will. */
const MAX_SILENCE = 400 * DAY;

/** One mail that will go out if nothing changes. */
export interface ForecastMail {
  at: Date;
  enrolmentId: number;
  campaignId: number;
  stepOrder: number;
}

/**
 * Runs the planner ahead of time for one account, batch after batch, as the sender would, if nobody replied and nothing
 * were changed. Yields the mails in the order in which they leave; ends when nothing is left.
 * @param days how far ahead to look
 */
export function* simulateAccount(
  now: Date,
  account: SimulatedAccount,
  campaigns: readonly SimulatedCampaign[],
  enrolments: readonly SimulatedEnrolment[],
  random: Random,
  days = Number.POSITIVE_INFINITY,
): Generator<ForecastMail> {
  const queues = new Map(campaigns.map((campaign) => [campaign.id, new CampaignQueue(campaign)]));
  for (const enrolment of enrolments) queues.get(enrolment.campaignId)?.wait(enrolment);
  const statesAt = (at: Date, atMost: number) => [...queues.values()].map((queue) => queue.stateAt(at, atMost));
  const day = new SimulatedDay(now, account);
  const { state } = day;
  let lastMailAt = now;
  for (let at: Date | null = now; at !== null; ) {
    day.turnTo(at);
    const plan = planBatch(at, state, statesAt(at, account.batchMax), random);
    let moment: Date = at;
    let sent = 0;
    for (const { campaignId, count, groups } of plan.shares) {
      const queue = queues.get(campaignId) as CampaignQueue;
      for (const enrolment of queue.take(count, groups)) {
        if (sent > 0) moment = new Date(moment.getTime() + random.integer(account.gapMinSeconds ?? 0, account.gapMaxSeconds ?? 0) * SECOND);
        day.turnTo(moment);
        // A batch with pauses in it can reach over the end of a window, or of the day.
        const window = groupOf(groups, enrolment)?.window;
        if (window === undefined || !isOpen(window, moment) || !isOpen(account.window, moment) || day.isFull) {
          queue.wait(enrolment);
          continue;
        }
        yield { at: moment, enrolmentId: enrolment.id, campaignId, stepOrder: enrolment.steps[0]?.order ?? 1 };
        sent++;
        state.sentToday++;
        queue.advance(enrolment, moment);
      }
    }
    if (plan.shares.length > 0) Object.assign(state, { lastBatchAt: at, lastCampaignId: plan.lastCampaignId });
    const next: Date | null = plan.shares.length === 0 ? plan.nextBatchAt : nextBatchTime(moment, state, statesAt(moment, 1));
    // A clock change can make two local times one instant; the walk must go on all the same.
    at = next !== null && next <= at ? new Date(at.getTime() + MINUTE) : next;
    if (sent > 0) lastMailAt = moment;
    if (at !== null && (at.getTime() - now.getTime() > days * DAY || at.getTime() - lastMailAt.getTime() > MAX_SILENCE)) return;
  }
}

/** The account's local day: its count begins anew with each, and its limit may rise. */
class SimulatedDay {
  readonly state: AccountState;
  readonly #account: SimulatedAccount;
  #day: string;

  constructor(now: Date, account: SimulatedAccount) {
    this.#account = account;
    this.state = { ...account };
    this.#day = localDay(now, account.window.timezone);
  }

  get isFull(): boolean {
    return this.state.sentToday >= this.state.dailyLimit;
  }

  turnTo(at: Date): void {
    const day = localDay(at, this.#account.window.timezone);
    if (day === this.#day) return;
    this.#day = day;
    this.state.sentToday = 0;
    this.state.dailyLimit = this.#account.limitOn?.(day) ?? this.#account.dailyLimit;
  }
}
