import { endBatchLease, keepBatchLease, recordBatch, setNextBatch, takeBatchLease } from '../../accounts/index.ts';
import type { App } from '../../app.ts';
import { ClockCheck } from '../../core/clock-check.ts';
import type { SmtpOptions } from '../../mail/smtp-session.ts';
import { claimEmails } from '../email/claim.ts';
import { groupedPermits } from '../email/permit.ts';
import type { Allocation, BatchAllocation, BatchSlots } from '../plan/batch-slots.ts';
import { hasGap } from '../plan/gap.ts';
import { type Plan, planBatch } from '../plan/plan.ts';
import { loadSendingAccount, type SendingAccount } from '../state/account-state.ts';
import { loadCampaignStates } from '../state/campaign-states.ts';
import { stopUnusable } from '../state/stop-unusable.ts';
import { acceptanceRecorder } from './accepted-emails.ts';
import { type BatchContext, BatchRun, type SendingHooks } from './batch-run.ts';
import { noteDailyLimit, planNextBatch } from './next-batch.ts';

export interface BatchReport {
  sent: number;
  /** Claimed emails that were not accepted: released, refused, held or uncertain. */
  other: number;
}

const EMPTY_REPORT: BatchReport = { sent: 0, other: 0 };
/** Maximum number of emails that one transaction claims. Larger batches are claimed in chunks, so that memory stays flat. */
const CLAIM_SIZE = 100;

/**
 * Runs all batches of a daemon, which share the statements for permits and accepted emails. A daemon has one runner, created by `src/main`.
 */
export class BatchRunner {
  readonly #app: App;
  readonly #shared: Omit<BatchContext, 'signal'>;
  /** With a wrong clock, batches would be sent outside their window and beyond the daily limit, or wait for a time far in the future. */
  readonly #clockCheck: ClockCheck;

  constructor(app: App, hooks: SendingHooks, timings: Partial<SmtpOptions> = {}) {
    this.#app = app;
    this.#clockCheck = new ClockCheck(app, 'sends nothing');
    this.#shared = { app, hooks, permits: groupedPermits(app), recorder: acceptanceRecorder(app), timings };
  }

  /**
   * Sends the due batch of one account, if any: plans it, claims its emails and submits them one by one, each after
   * requesting a permit. Across all daemons, only one batch of an account runs at a time.
   * @param signal aborted when the daemon drains; the batch then ends after the current email
   */
  async run(accountId: number, signal?: AbortSignal): Promise<BatchReport> {
    const lease = await takeBatchLease(this.#app, accountId);
    if (lease === undefined) return EMPTY_REPORT;
    try {
      if (this.#clockCheck.isWrong(this.#app.clock.now(), lease.now)) return EMPTY_REPORT;
      return await sendBatch({ ...this.#shared, signal }, accountId, lease.wakes);
    } finally {
      await endBatchLease(this.#app, accountId);
    }
  }
}

async function sendBatch(context: BatchContext, accountId: number, wakes: number): Promise<BatchReport> {
  const { app } = context;
  const now = app.clock.now();
  const account = await loadSendingAccount(app, accountId);
  if (account === null) {
    await stopUnusable(app, accountId);
    await setNextBatch(app, accountId, wakes, null);
    return EMPTY_REPORT;
  }
  const campaigns = await loadCampaignStates(app.db, accountId, now, account.batchMax);
  const plan = planBatch(now, account, campaigns, app.random);
  if (plan.allocations.length > 0) await recordBatch(app, accountId, now, plan.lastCampaignId);
  await setNextBatch(app, accountId, wakes, plan.nextBatchAt);
  if (plan.allocations.length === 0) {
    await noteDailyLimit(app, account, campaigns, now);
    return EMPTY_REPORT;
  }

  const run = new BatchRun(context, account, plan.slots);
  run.setCampaigns(campaigns);
  try {
    const claimed = await sendPlan(context, account, plan, run, now);
    return { sent: run.sent, other: claimed - run.sent };
  } finally {
    // Released emails may be due at other times.
    await run.finish().finally(() => planNextBatch(app, accountId));
  }
}

/**
 * Sends the allocations of the plan, then gives the slots of released emails to campaigns with other due emails, until all
 * slots are used or no email is due. Returns the number of emails claimed.
 */
async function sendPlan(context: BatchContext, account: SendingAccount, plan: Plan, run: BatchRun, startedAt: Date): Promise<number> {
  const { app } = context;
  let total = 0;
  for (let round: BatchAllocation = plan; round.allocations.length > 0; ) {
    const { claimed, canContinue } = await sendAllocations(context, account, round.allocations, plan.slots, run);
    total += claimed;
    if (!canContinue || plan.slots.areAllUsed) break;
    const now = app.clock.now();
    const campaigns = await loadCampaignStates(app.db, account.id, now, account.batchMax);
    run.setCampaigns(campaigns);
    round = plan.slots.allocate(now, account.window, campaigns);
    if (round.allocations.length > 0) await recordBatch(app, account.id, startedAt, round.lastCampaignId);
  }
  return total;
}

/** Claims and sends the emails allocated to each campaign. Stops a campaign when one of its emails is released. */
async function sendAllocations(
  { app }: BatchContext,
  account: SendingAccount,
  allocations: readonly Allocation[],
  slots: BatchSlots,
  run: BatchRun,
): Promise<{ claimed: number; canContinue: boolean }> {
  let claimed = 0;
  // With gaps, emails are claimed one by one, so that the text, date and claim of each are fresh when it is sent.
  const chunk = hasGap(account) ? 1 : CLAIM_SIZE;
  for (const allocation of allocations) {
    for (let left = allocation.count; left > 0; ) {
      if (!(await run.pause())) return { claimed, canContinue: false };
      const usedBefore = slots.usedBy(allocation.campaignId);
      const emails = await claimEmails(app, { account, allocation: { ...allocation, count: Math.min(left, chunk) } });
      // The planned contacts are no longer due, or wait for a call.
      if (emails.length === 0) slots.exclude(allocation.campaignId);
      if (emails.length === 0) break;
      claimed += emails.length;
      left -= emails.length;
      if (!(await run.send(emails)) || !(await keepBatchLease(app, account.id))) return { claimed, canContinue: false };
      if (slots.usedBy(allocation.campaignId) - usedBefore < emails.length) break;
    }
  }
  return { claimed, canContinue: true };
}
