import { type MxRecord, NODATA, NOTFOUND } from 'node:dns';
import { Resolver } from 'node:dns/promises';
import { setTimeout as pause } from 'node:timers/promises';
import type { App } from '../app.ts';
import { SECOND } from '../core/clock.ts';
import { inParallel } from '../core/in-parallel.ts';
import { type Answer, keepAnswers, pruneDomains, wantedDomains } from './mail-domains.ts';
import { providerOfMx, publicName } from './provider.ts';

/** Domains of one run. */
const MAX_DOMAINS_PER_RUN = 200;
const CONCURRENT_LOOKUPS = 20;
/** The most that one look-up may take. */
const LOOKUP_TIMEOUT = 5 * SECOND;

/** The query that a look-up makes; errors have the codes of node:dns. */
export interface MxLookups {
  resolveMx(name: string): Promise<MxRecord[]>;
}

/** Asks the name servers of this machine. */
export const systemMx = (): MxLookups => new Resolver({ timeout: 2 * SECOND, tries: 2 });

/**
 * Looks up the providers of the domains that are wanted, a few at a time and outside of any transaction. Names that are not public
 * are `other` without being asked for.
 * @returns true if somebody is held for one whose provider is known now
 */
export async function lookUpProviders(app: App, dns: MxLookups): Promise<boolean> {
  const domains = await wantedDomains(app.db, MAX_DOMAINS_PER_RUN);
  const answers = await inParallel(domains, CONCURRENT_LOOKUPS, (domain) => ask(domain, dns));
  const isAwaited = answers.length > 0 && (await keepAnswers(app.db, answers, app.clock.now()));
  await pruneDomains(app.db, app.clock.now());
  return isAwaited;
}

async function ask(domain: string, dns: MxLookups): Promise<Answer> {
  const name = publicName(domain);
  if (name === null) return { domain, provider: 'other' };
  try {
    const records = await Promise.race([dns.resolveMx(name), pause(LOOKUP_TIMEOUT, null, { ref: false })]);
    return { domain, provider: records === null ? null : providerOfMx(records) };
  } catch (error) {
    const { code } = error as NodeJS.ErrnoException;
    return { domain, provider: code === NODATA || code === NOTFOUND ? 'other' : null };
  }
}
