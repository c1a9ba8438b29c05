import type { App } from '../app.ts';
import { isPublicDomain } from '../contacts/index.ts';
import { askAddresses, type DnsLookups } from '../core/dns.ts';
import { domainOf } from '../core/email-address.ts';
import { publicLookup } from '../core/network.ts';
import { isPublicAddress } from '../core/public-address.ts';
import { type ServerFacts, smtpFacts } from '../mail/server-facts.ts';
import { checkBlockLists } from './block-lists.ts';
import type { Check } from './check.ts';
import { checkDkim, signerOf } from './dkim.ts';
import { readReports } from './domain-reports.ts';
import type { AccountFacts } from './facts.ts';
import { checkPlacement } from './placement-check.ts';
import { checkPtr, checkTls, type Relay, reach } from './relay.ts';
import { checkDmarcReports, checkTlsReports } from './report-checks.ts';
import { checkDmarc, checkMx, isOneOrganization } from './sender-domain.ts';
import { checkSpf } from './spf.ts';
import { checkTrackingHost } from './tracking-host.ts';
import { checkBounces, checkComplaints, checkLimits, checkSending } from './traffic.ts';

/** Access to outside servers for the checks. */
export interface Outside {
  dns: DnsLookups;
  /** Reads the facts of an SMTP server. */
  askServer(relay: Relay): Promise<ServerFacts>;
}

export const outsideWith = (dns: DnsLookups): Outside => ({ dns, askServer: smtpFacts });

/** The SPF records that providers require to be included, by submission server. Source: the help pages of Google and Microsoft on SPF. */
const INCLUDES = new Map([
  ['smtp.gmail.com', '_spf.google.com'],
  ['smtp-relay.gmail.com', '_spf.google.com'],
  ['smtp.office365.com', 'spf.protection.outlook.com'],
]);

/**
 * Checks everything that an account's delivery depends on: its DNS records, its relay, its tracking host, block lists, and the outcomes of
 * its emails. Connects to servers, so do not call it within a transaction. Changes nothing.
 * @param withLists false to skip the block lists and return their stored result
 */
export async function examineAccount(
  { config, clock, network, db }: App,
  facts: AccountFacts,
  { dns, askServer }: Outside,
  { withLists }: { withLists: boolean },
): Promise<Check[]> {
  const now = clock.now();
  const domain = domainOf(facts.email);
  const host = facts.smtp.host.toLowerCase();
  const lookup = facts.smtp.private ? undefined : publicLookup(network);
  const relay: Relay = { host, port: facts.smtp.port, secure: facts.smtp.secure, lookup, isPlainAllowed: facts.smtp.tls !== 'required' };
  const [reached, found] = await Promise.all([reach(() => askServer(relay)), askAddresses(host, dns)]);
  // A shared relay has other customers, and the account's owner can't fix its addresses.
  const isOwnRelay = !INCLUDES.has(host) && ((facts.dkim ?? []).length > 0 || isOneOrganization(host, domain));
  const addresses = isOwnRelay && found.kind === 'found' ? found.rows.filter(isPublicAddress) : [];
  const include = isPublicDomain(domain) ? null : (INCLUDES.get(host) ?? null);
  const tracking = facts.tracking_host;
  const reports = await readReports(db, facts.workspace_id, domain, now);
  const received = facts.placements.flatMap(({ results }) => results.flatMap(({ dkim_keys }) => dkim_keys));
  const seen = [...reports.keys, ...received].filter((name) => isOneOrganization(signerOf(name), domain));
  const { check: dkim, signedBy } = await checkDkim({ id: facts.id, domain, dkim: facts.dkim ?? [], seen }, dns, now);
  const named = [...(isPublicDomain(domain) ? [] : [domain]), ...(tracking === null ? [] : [new URL(tracking).hostname])];
  const checks = await Promise.all([
    checkSending(facts),
    checkMx(domain, dns),
    checkSpf(domain, { addresses, include }, dns),
    dkim,
    checkDmarc(domain, signedBy, dns),
    ...(isPublicDomain(domain) ? [] : [checkDmarcReports(domain, reports.dmarc)]),
    ...(isOwnRelay ? [checkPtr(addresses, reached, dns)] : []),
    checkTls(relay, reached, now),
    ...(reports.tls === null ? [] : [checkTlsReports(reports.tls)]),
    ...(tracking === null ? [] : [checkTrackingHost(network, tracking, now)]),
    ...(withLists
      ? [
          checkBlockLists(
            { addresses: config.addressBlockLists, domains: config.domainBlockLists },
            { addresses, domains: [...new Set(named)] },
            dns,
          ),
        ]
      : listedBefore(facts)),
    checkPlacement(facts.email, facts.placements, now),
    checkBounces(facts),
    checkComplaints(facts),
    checkLimits(facts),
  ]);
  return checks;
}

const listedBefore = ({ health }: AccountFacts): Check[] =>
  ((health?.checks ?? []) as Check[]).filter(({ check }) => check === 'block_lists');
