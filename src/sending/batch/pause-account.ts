import { daemon } from '../../access/index.ts';
import type { App } from '../../app.ts';
import { pauseForProvider, pauseTenant } from '../../campaigns/index.ts';
import type { Tx } from '../../db/transaction.ts';
import { statesTenantLimit } from '../../mail/replies/sender-limits.ts';

/**
 * Pauses an account whose server reports a sending limit (`limit`) or refuses the account (`account`), and stores the server's words. A
 * limit of the tenant pauses all accounts of the tenant, in every workspace.
 */
export async function pauseByCause(
  tx: Tx,
  app: App,
  account: { id: number; workspaceId: number },
  cause: 'limit' | 'account',
  text: string,
): Promise<void> {
  if (cause === 'limit' && statesTenantLimit(text)) return pauseTenant(tx, app, account.id, text, null);
  const reason = cause === 'limit' ? 'provider_limit' : 'provider_error';
  await pauseForProvider(tx, app, daemon(account.workspaceId), account.id, { reason, message: text });
}
