import { DAY, MINUTE } from '../../core/clock.ts';
import type { Random } from '../../core/random.ts';
import type { BatchAllocation } from './batch-slots.ts';
import { nextBatchTime, planBatch } from './plan.ts';
import { type ForecastEmail, type SimulatedAccount, SimulatedBatch, SimulatedDay } from './simulated-batch.ts';
import { CampaignQueue, type SimulatedCampaign, type SimulatedEnrolment } from './simulated-queue.ts';

/** Windows that have not overlapped for more than a year, daylight saving time included, never will. */
const MAX_SILENCE = 400 * DAY;

/**
 * Simulates the sender for one account: runs the planner batch after batch, assuming that nobody replies and nothing is
 * changed. Yields the emails in order of sending, and ends when no email is left.
 * @param days number of days to simulate
 */
export function* simulateAccount(...world: Parameters<typeof simulateBatches>): Generator<ForecastEmail> {
  for (const step of simulateBatches(...world)) if (!(step instanceof Date)) yield step;
}

/**
 * Simulates several accounts that share the limits of a rotation group, running their batches in chronological order.
 * @param simulations results of `simulateBatches`
 * @param isEnough returns true for a simulation that may stop
 * @returns the emails, each with the index of its simulation
 */
export function* simulateTogether(
  simulations: readonly Generator<ForecastEmail | Date>[],
  isEnough: (index: number) => boolean,
): Generator<ForecastEmail & { index: number }> {
  /** Each simulation yields the time of a batch before it runs the batch. */
  const waiting = simulations.map((simulation, index) => ({ simulation, index, at: simulation.next() }));
  for (;;) {
    const [next] = waiting
      .filter(({ at, index }) => at.done !== true && !isEnough(index))
      .sort((x, y) => timeOf(x.at.value) - timeOf(y.at.value) || x.index - y.index);
    if (next === undefined) return;
    for (next.at = next.simulation.next(); next.at.done !== true; next.at = next.simulation.next()) {
      if (next.at.value instanceof Date || isEnough(next.index)) break;
      yield { ...next.at.value, index: next.index };
    }
  }
}

const timeOf = (step: ForecastEmail | Date): number => (step instanceof Date ? step : step.at).getTime();

/** Simulates one account as `simulateAccount` does, but yields the time of each batch before its emails. */
export function* simulateBatches(
  now: Date,
  account: SimulatedAccount,
  campaigns: readonly SimulatedCampaign[],
  enrolments: readonly SimulatedEnrolment[],
  random: Random,
  days = Number.POSITIVE_INFINITY,
): Generator<ForecastEmail | Date> {
  const queues = new Map(campaigns.map((campaign) => [campaign.id, new CampaignQueue(campaign)]));
  for (const enrolment of enrolments) queues.get(enrolment.campaignId)?.wait(enrolment);
  const statesAt = (at: Date, atMost: number) => [...queues.values()].map((queue) => queue.stateAt(at, atMost));
  const day = new SimulatedDay(now, account);
  const { state } = day;
  let lastEmailAt = now;
  for (let at: Date | null = now; at !== null; ) {
    yield at;
    day.turnTo(at);
    const plan = planBatch(at, state, statesAt(at, account.batchMax), random);
    if (plan.allocations.length > 0) state.lastBatchAt = at;
    const batch = new SimulatedBatch(at, account, { day, queues, slots: plan.slots, random });
    for (let round: BatchAllocation = plan; round.allocations.length > 0; ) {
      state.lastCampaignId = round.lastCampaignId;
      for (const allocation of round.allocations) yield* batch.send(allocation);
      if (day.isFull || plan.slots.areAllUsed) break;
      round = plan.slots.allocate(batch.moment, account.window, statesAt(batch.moment, account.batchMax));
    }
    const next: Date | null =
      plan.allocations.length === 0 ? plan.nextBatchAt : nextBatchTime(batch.moment, state, statesAt(batch.moment, 1));
    // At a daylight saving change, two local times can be the same instant; the simulation must still advance.
    at = next !== null && next <= at ? new Date(at.getTime() + MINUTE) : next;
    if (batch.sent > 0) lastEmailAt = batch.moment;
    if (at !== null && (at.getTime() - now.getTime() > days * DAY || at.getTime() - lastEmailAt.getTime() > MAX_SILENCE)) return;
  }
}
