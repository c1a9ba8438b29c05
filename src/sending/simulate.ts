import { MINUTE } from '../clock.ts';
import type { Random } from '../random.ts';
import { addCalendarDays, localDay } from '../zone.ts';
import { type AccountState, type CampaignState, nextBatchTime, planBatch } from './plan.ts';

/** An enrolment as the simulation moves it: what it waits for, and the steps it still has before it. */
export interface SimulatedEnrolment {
  id: number;
  campaignId: number;
  variant: 'A' | 'B' | null;
  dueAt: Date;
  isFollowUp: boolean;
  /** Live steps from the current one on. A call step is taken for done the moment it falls due. */
  steps: readonly { order: number; waitDays: number; kind: 'email' | 'call' }[];
}

export interface SimulatedCampaign extends Omit<CampaignState, 'due' | 'nextDue'> {
  timezone: string;
}

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
 */
export function* simulateAccount(
  now: Date,
  account: AccountState,
  campaigns: readonly SimulatedCampaign[],
  enrolments: readonly SimulatedEnrolment[],
  random: Random,
): Generator<ForecastMail> {
  const queues = new Map(campaigns.map((campaign) => [campaign.id, new Queue(campaign)]));
  for (const enrolment of enrolments) queues.get(enrolment.campaignId)?.wait(enrolment);
  const state = { ...account };
  let day = localDay(now, account.window.timezone);
  for (let at: Date | null = now; at !== null; ) {
    if (localDay(at, account.window.timezone) !== day) {
      day = localDay(at, account.window.timezone);
      state.sentToday = 0;
    }
    const states = [...queues.values()].map((queue) => queue.stateAt(at as Date, account.batchMax));
    const plan = planBatch(at, state, states, random);
    for (const { campaignId, count, groups } of plan.shares) {
      for (const enrolment of queues.get(campaignId)?.take(count, groups) ?? []) {
        yield { at, enrolmentId: enrolment.id, campaignId, stepOrder: enrolment.steps[0]?.order ?? 1 };
        state.sentToday++;
        queues.get(campaignId)?.advance(enrolment, at);
      }
    }
    if (plan.shares.length > 0) {
      state.lastBatchAt = at;
      state.lastCampaignId = plan.lastCampaignId;
    }
    const next: Date | null =
      plan.shares.length === 0
        ? plan.nextBatchAt
        : nextBatchTime(
            at,
            state,
            [...queues.values()].map((queue) => queue.stateAt(at as Date, 1)),
          );
    // A clock change can make two local times one instant; the walk must go on all the same.
    at = next !== null && next <= at ? new Date(at.getTime() + MINUTE) : next;
  }
}

type Group = 'a' | 'b';
const groupOf = (enrolment: SimulatedEnrolment): Group => (enrolment.variant === 'B' ? 'b' : 'a');
const byDue = (x: SimulatedEnrolment, y: SimulatedEnrolment) => x.dueAt.getTime() - y.dueAt.getTime() || x.id - y.id;

/** What one campaign has waiting, by the order in which the sender takes it: follow-ups first, oldest due first. */
class Queue {
  readonly #campaign: SimulatedCampaign;
  readonly #waiting: SimulatedEnrolment[] = [];
  #isSorted = true;
  readonly #ready: Record<Group, { followUps: SimulatedEnrolment[]; first: SimulatedEnrolment[] }> = {
    a: { followUps: [], first: [] },
    b: { followUps: [], first: [] },
  };

  constructor(campaign: SimulatedCampaign) {
    this.#campaign = campaign;
  }

  wait(enrolment: SimulatedEnrolment): void {
    this.#waiting.push(enrolment);
    this.#isSorted = false;
  }

  stateAt(now: Date, atMost: number): CampaignState {
    this.#promote(now);
    const next = (group: Group) => this.#waiting.find((enrolment) => groupOf(enrolment) === group)?.dueAt ?? null;
    const due = (group: Group) => Math.min(atMost, this.#ready[group].followUps.length + this.#ready[group].first.length);
    return { ...this.#campaign, due: { a: due('a'), b: due('b') }, nextDue: { a: next('a'), b: next('b') } };
  }

  take(count: number, groups: { a: boolean; b: boolean }): SimulatedEnrolment[] {
    const open = (['a', 'b'] as const).filter((group) => groups[group]);
    return Array.from({ length: count }, () => this.#takeFirst(open, 'followUps') ?? this.#takeFirst(open, 'first')).filter(
      (taken) => taken !== undefined,
    );
  }

  /** The next step waits from the moment of the mail; calls on the way are done when they fall due. */
  advance(enrolment: SimulatedEnrolment, at: Date): void {
    let dueAt = at;
    let steps = enrolment.steps.slice(1);
    for (;;) {
      const [step] = steps;
      if (step === undefined) return;
      dueAt = addCalendarDays(dueAt, step.waitDays, this.#campaign.timezone);
      if (step.kind === 'email') break;
      steps = steps.slice(1);
    }
    this.wait({ ...enrolment, steps, dueAt, isFollowUp: true });
  }

  #takeFirst(open: readonly Group[], kind: 'followUps' | 'first'): SimulatedEnrolment | undefined {
    const heads = open.map((group) => this.#ready[group][kind]).filter((list) => list.length > 0);
    return heads.sort((x, y) => byDue(x[0] as SimulatedEnrolment, y[0] as SimulatedEnrolment))[0]?.shift();
  }

  #promote(now: Date): void {
    if (!this.#isSorted) this.#waiting.sort(byDue);
    this.#isSorted = true;
    let count = 0;
    while (count < this.#waiting.length && (this.#waiting[count] as SimulatedEnrolment).dueAt <= now) count++;
    for (const enrolment of this.#waiting.splice(0, count))
      this.#ready[groupOf(enrolment)][enrolment.isFollowUp ? 'followUps' : 'first'].push(enrolment);
  }
}
