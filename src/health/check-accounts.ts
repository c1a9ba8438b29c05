import { type Caller, requireVisible } from '../access/index.ts';
import { accountsToCheck } from '../accounts/index.ts';
import type { App } from '../app.ts';
import { DAY, HOUR } from '../core/clock.ts';
import { cachedLookups } from '../core/dns.ts';
import { messageOf } from '../core/errors.ts';
import { inParallel } from '../core/in-parallel.ts';
import { formatTimestamp } from '../core/timestamp-text.ts';
import { examineAccount, type Outside } from './examine-account.ts';
import { type AccountFacts, readFacts } from './facts.ts';
import { keepHealth } from './keep-health.ts';
import { type AccountHealth, getHealth } from './read-health.ts';

/** Most accounts per run of the job. */
const ACCOUNTS_PER_RUN = 200;
const CONCURRENT_ACCOUNTS = 8;
/** Accounts are checked once a day. The margin of an hour keeps the checks at about the same time of day. */
const INTERVAL = DAY - HOUR;

/** Checks an account now. Queries block lists at most once a day, as their terms require. Throws `not_found`. */
export async function checkHealth(app: App, caller: Caller, id: number, outside: Outside): Promise<AccountHealth> {
  await requireVisible(app.db, caller, 'accounts', id);
  const [facts] = await readFacts(app.db, [id], app.clock.now());
  if (facts !== undefined) await checkAndKeep(app, facts, outside);
  return getHealth(app, caller, id);
}

/** Checks the accounts whose last check was a day ago. A DNS name that several accounts share is looked up once per run. */
export async function checkDueAccounts(app: App, outside: Outside): Promise<void> {
  const since = formatTimestamp(new Date(app.clock.now().getTime() - INTERVAL));
  const due = await readFacts(app.db, await accountsToCheck(app.db, since, ACCOUNTS_PER_RUN), app.clock.now());
  const shared = { ...outside, dns: cachedLookups(outside.dns) };
  await inParallel(due, CONCURRENT_ACCOUNTS, async (facts) => {
    try {
      await checkAndKeep(app, facts, shared);
    } catch (error) {
      app.log.error({ account: facts.id, reason: messageOf(error) }, 'could not check the health of an account');
    }
  });
}

async function checkAndKeep(app: App, facts: AccountFacts, outside: Outside): Promise<void> {
  const dayAgo = formatTimestamp(new Date(app.clock.now().getTime() - INTERVAL));
  const listsAskedAt = facts.health !== null && facts.health.lists_asked_at > dayAgo ? facts.health.lists_asked_at : null;
  const checks = await examineAccount(app, facts, outside, { withLists: listsAskedAt === null });
  await app.db.tx((tx) => keepHealth(tx, app, facts.id, { checks, listsAskedAt }));
}
