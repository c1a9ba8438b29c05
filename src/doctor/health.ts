import type { App } from '../app.ts';
import { cachedLookups, type DnsLookups } from '../core/dns.ts';
import { inParallel } from '../core/in-parallel.ts';
import { type Check, examineAccount, outsideWith, readFacts } from '../health/index.ts';
import { accountName, type CheckedAccount } from './accounts.ts';
import { type Finding, fail, ok, warn } from './finding.ts';

const CONCURRENT_ACCOUNTS = 8;

/**
 * Checks how well accounts can deliver, without storing the results. A DNS name that several accounts share is looked up once. For block
 * lists it returns the stored result, because they are queried once a day.
 */
export async function checkHealth(app: App, accounts: readonly CheckedAccount[], dns: DnsLookups): Promise<Finding[]> {
  const facts = await readFacts(
    app.db,
    accounts.map(({ id }) => id),
    app.clock.now(),
  );
  const outside = outsideWith(cachedLookups(dns));
  const findings = await inParallel(facts, CONCURRENT_ACCOUNTS, async (account) => {
    const checks = await examineAccount(app, account, outside, { withLists: false });
    return checks.map((check) => findingOf(accountName(account), check));
  });
  return findings.flat();
}

function findingOf(account: string, { check, state, detail, remedy }: Check): Finding {
  const message = remedy === null ? detail : `${detail}; ${remedy}`;
  const name = `${account} ${check}`;
  if (state === 'stop') return fail(name, message, account);
  return state === 'watch' || state === 'unanswered' ? warn(name, message, account) : ok(name, message, account);
}
