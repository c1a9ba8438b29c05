import { setNextBatch } from '../../accounts/index.ts';
import type { App } from '../../app.ts';
import { nextBatchTime } from '../plan/plan.ts';
import { loadSendingAccount } from '../state/account-state.ts';
import { loadCampaignStates } from '../state/campaign-states.ts';

/** Plans the account's next batch from the current state. */
export async function planNextBatch(app: App, accountId: number): Promise<void> {
  const account = await loadSendingAccount(app, accountId);
  if (account === null) return;
  const now = app.clock.now();
  const campaigns = await loadCampaignStates(app.db, accountId, now, 1);
  await setNextBatch(app, accountId, account.wakes, nextBatchTime(now, account, campaigns));
}
