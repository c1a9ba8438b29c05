import type { App } from '../app.ts';
import { SECOND } from '../core/clock.ts';
import { inParallel } from '../core/in-parallel.ts';
import { type Answer, keepAnswers, pruneDomains, storedReceptions, wantedAmong, wantedDomains, wantProviders } from './mail-domains.ts';
import { providerOfMx, publicName } from './provider.ts';
import { askDestination, type MailLookups, type Reception } from './reception.ts';

/** Most domains per run. */
const MAX_DOMAINS_PER_RUN = 200;
const CONCURRENT_LOOKUPS = 20;
/** `receptionOf` starts no look-up later than this, because a caller is waiting. */
const LAST_LOOKUP = 20 * SECOND;

/**
 * Looks up the providers of the domains that are wanted, a few at a time and outside of any transaction. Names that are not public are
 * `other` without a look-up.
 * @returns true if a contact was held for one of the providers that are known now
 */
export async function lookUpProviders(app: App, dns: MailLookups): Promise<boolean> {
  const domains = await wantedDomains(app.db, MAX_DOMAINS_PER_RUN);
  const answers = await inParallel(domains, CONCURRENT_LOOKUPS, (domain) => lookUp(domain, dns));
  const isAwaited = answers.length > 0 && (await keepAnswers(app.db, answers, app.clock.now()));
  await pruneDomains(app.db, app.clock.now());
  return isAwaited;
}

/**
 * Finds out where the email of these domains goes; null for a domain about which name servers did not answer. Looks up only domains without
 * an answer that is still valid, from any caller. Do not call it inside a transaction.
 * @param domains in A-labels and lower case, all of them public names
 * @param elapsed milliseconds of a monotonic clock
 */
export async function receptionOf(
  app: App,
  dns: MailLookups,
  domains: readonly string[],
  elapsed: () => number,
): Promise<Map<string, Reception | null>> {
  await wantProviders(app.db, domains, app.clock.now(), { isAwaited: false });
  const wanted = await wantedAmong(app.db, domains);
  const begun = elapsed();
  const isLate = () => elapsed() - begun > LAST_LOOKUP;
  const asked = await inParallel(wanted, CONCURRENT_LOOKUPS, async ({ domain }) => (isLate() ? [] : [await lookUp(domain, dns)]));
  const answers = asked.flat();
  // Leave domains for which contacts are held: the job that releases the contacts must still find them wanted, and looks them up again.
  const awaited = new Set(wanted.filter(({ is_awaited }) => is_awaited).map(({ domain }) => domain));
  const ours = answers.filter(({ domain }) => !awaited.has(domain));
  if (ours.length > 0) await keepAnswers(app.db, ours, app.clock.now());
  const stored = await storedReceptions(app.db, domains);
  return new Map([...stored, ...answers.filter(({ reception }) => reception !== null).map((one) => [one.domain, one.reception] as const)]);
}

async function lookUp(domain: string, dns: MailLookups): Promise<Answer> {
  const name = publicName(domain);
  if (name === null) return { domain, provider: 'other', reception: null };
  const { reception, servers } = await askDestination(name, dns);
  return { domain, provider: reception === null ? null : providerOfMx(servers), reception };
}
