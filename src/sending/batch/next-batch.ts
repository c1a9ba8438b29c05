import type { App } from '../../app.ts';
import { sql } from '../../db/database.ts';
import { nextBatchTime } from '../plan/plan.ts';
import { loadSendingAccount } from '../state/account-state.ts';
import { loadCampaignStates } from '../state/campaign-states.ts';

/** Plans anew when the account has something to send, with what is true now. */
export async function planNextBatch(app: App, accountId: number): Promise<void> {
  const account = await loadSendingAccount(app, accountId);
  if (account === null) return;
  const now = app.clock.now();
  const campaigns = await loadCampaignStates(app.db, accountId, now, 1);
  await setNextBatch(app, accountId, account.wakes, nextBatchTime(now, account, campaigns));
}

/** Sets when the account is looked at again, unless something woke it since `wakes` was read: then the next tick looks. */
export async function setNextBatch(app: App, accountId: number, wakes: number, nextBatchAt: Date | null): Promise<void> {
  await app.db.query(sql`update accounts set next_batch_at = ${nextBatchAt} where id = ${accountId} and wakes = ${wakes}`);
}

/** Remembers when the batch began and whose turn was the last in it, for the interval and the fair share of the next. */
export async function noteBatch(app: App, accountId: number, at: Date, lastCampaignId: number | null): Promise<void> {
  await app.db.query(sql`update accounts set last_batch_at = ${at}, last_campaign_id = ${lastCampaignId} where id = ${accountId}`);
}
