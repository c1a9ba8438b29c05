import { recordLimitReached, setNextBatch } from '../../accounts/index.ts';
import type { App } from '../../app.ts';
import { localDay, nextLocalDay } from '../../core/zone.ts';
import type { CampaignState } from '../plan/campaign-state.ts';
import { nextBatchTime } from '../plan/plan.ts';
import { loadSendingAccount, type SendingAccount } from '../state/account-state.ts';
import { loadCampaignStates } from '../state/campaign-states.ts';

/** Plans the account's next batch from the current state. */
export async function planNextBatch(app: App, accountId: number): Promise<void> {
  const account = await loadSendingAccount(app, accountId);
  if (account === null) return;
  const now = app.clock.now();
  const campaigns = await loadCampaignStates(app.db, accountId, now, 1);
  await setNextBatch(app, accountId, account.wakes, nextBatchTime(now, account, campaigns));
  await noteDailyLimit(app, account, campaigns, now);
}

/** Records that the account has reached its daily limit, if without the limit it could send another email today. */
export async function noteDailyLimit(app: App, account: SendingAccount, campaigns: readonly CampaignState[], now: Date): Promise<void> {
  if (account.sentToday < account.dailyLimit) return;
  const unlimited = nextBatchTime(now, { ...account, dailyLimit: Number.POSITIVE_INFINITY }, campaigns);
  if (unlimited === null || unlimited >= nextLocalDay(now, account.timezone)) return;
  await recordLimitReached(app, account, localDay(now, account.timezone));
}
