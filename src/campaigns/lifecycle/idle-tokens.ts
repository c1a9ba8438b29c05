import { accessToken, accountsWithIdleTokens } from '../../accounts/index.ts';
import type { App } from '../../app.ts';
import { DAY } from '../../core/clock.ts';
import { messageOf } from '../../core/errors.ts';
import { TokenRefused } from '../../oauth/index.ts';
import { disconnectAccount } from './account-lifecycle.ts';

/** Refresh tokens expire when unused: Google's after six months, Microsoft's after 90 days. */
const MAX_IDLE = 7 * DAY;
const MAX_ACCOUNTS_PER_RUN = 100;

/**
 * Refreshes OAuth tokens that have not been used for a week, so that idle accounts can still send when a campaign starts.
 * Disconnects an account whose provider refuses.
 */
export async function refreshIdleTokens(app: App): Promise<void> {
  const since = new Date(app.clock.now().getTime() - MAX_IDLE);
  for (const id of await accountsWithIdleTokens(app.db, since, MAX_ACCOUNTS_PER_RUN)) {
    try {
      await accessToken(app, id);
    } catch (error) {
      if (error instanceof TokenRefused) await disconnectAccount(app, id, error.message);
      else app.log.warn({ account: id, reason: messageOf(error) }, 'could not refresh the tokens');
    }
  }
}
