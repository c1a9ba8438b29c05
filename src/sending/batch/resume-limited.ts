import { daemon } from '../../access/index.ts';
import { limitedAccounts } from '../../accounts/index.ts';
import type { App } from '../../app.ts';
import { resumeAccount } from '../../campaigns/index.ts';
import { isKnownZone, localDay } from '../../core/zone.ts';

/** Resumes accounts that were paused for their provider's limit, from the local day after the pause on. Returns their ids. */
export async function resumeLimitedAccounts(app: App): Promise<number[]> {
  const now = app.clock.now();
  const limited = await limitedAccounts(app.db);
  // The local day of an unknown time zone can't be determined; such an account stays paused until a user resumes it.
  const known = limited.filter(({ timezone }) => isKnownZone(timezone));
  const over = known.filter((account) => localDay(account.paused_at, account.timezone) < localDay(now, account.timezone));
  for (const account of over) await resumeAccount(app, daemon(account.workspace_id), account.id);
  return over.map((account) => account.id);
}
