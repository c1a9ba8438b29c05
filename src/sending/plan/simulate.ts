import { isOpen } from '../../campaigns/index.ts';
import { DAY, MINUTE, SECOND } from '../../core/clock.ts';
import type { Random } from '../../core/random.ts';
import { localDay } from '../../core/zone.ts';
import { groupOf, nextBatchTime, type PlannedAccount, planBatch } from './plan.ts';
import { CampaignQueue, type SimulatedCampaign, type SimulatedEnrolment } from './simulated-queue.ts';

/** An account over many days: ramp-up raises its limit, and random gaps separate the emails of a batch. */
export interface SimulatedAccount extends PlannedAccount {
  /** Maximum number of emails on a local day, `YYYY-MM-DD`; `dailyLimit` on every day by default. */
  limitOn?: (day: string) => number;
  gapMinSeconds?: number;
  gapMaxSeconds?: number;
}

/** Windows that have not overlapped for more than a year, daylight saving time included, never will. */
const MAX_SILENCE = 400 * DAY;

/** An email that will be sent if nothing changes. */
export interface ForecastEmail {
  at: Date;
  enrolmentId: number;
  campaignId: number;
  stepOrder: number;
}

/**
 * Simulates the sender for one account: runs the planner batch after batch, assuming that nobody replies and nothing is
 * changed. Yields the emails in order of sending and ends when none is left.
 * @param days number of days to simulate
 */
export function* simulateAccount(
  now: Date,
  account: SimulatedAccount,
  campaigns: readonly SimulatedCampaign[],
  enrolments: readonly SimulatedEnrolment[],
  random: Random,
  days = Number.POSITIVE_INFINITY,
): Generator<ForecastEmail> {
  const queues = new Map(campaigns.map((campaign) => [campaign.id, new CampaignQueue(campaign)]));
  for (const enrolment of enrolments) queues.get(enrolment.campaignId)?.wait(enrolment);
  const statesAt = (at: Date, atMost: number) => [...queues.values()].map((queue) => queue.stateAt(at, atMost));
  const day = new SimulatedDay(now, account);
  const { state } = day;
  let lastEmailAt = now;
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
        // A batch with gaps can extend beyond the end of a window or of the day.
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
    // At a daylight saving change two local times can be the same instant; the simulation must still advance.
    at = next !== null && next <= at ? new Date(at.getTime() + MINUTE) : next;
    if (sent > 0) lastEmailAt = moment;
    if (at !== null && (at.getTime() - now.getTime() > days * DAY || at.getTime() - lastEmailAt.getTime() > MAX_SILENCE)) return;
  }
}

/** The account's local day: a new day resets the count and may raise the limit. */
class SimulatedDay {
  readonly state: PlannedAccount;
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
