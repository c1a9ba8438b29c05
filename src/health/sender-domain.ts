import { askDns, askText, type DnsLookups, LOOKUP_SECONDS } from '../core/dns.ts';
import { type Check, good, stop, unanswered, watch } from './check.ts';

/** Checks where replies to the domain are delivered. */
export async function checkMx(domain: string, dns: DnsLookups, seconds = LOOKUP_SECONDS): Promise<Check> {
  const answer = await askDns(() => dns.resolveMx(domain), seconds);
  if (answer.kind === 'unanswered') return unanswered('mx', answer.code);
  if (answer.kind === 'none')
    return answer.isUnknownName
      ? stop(
          'mx',
          `the domain ${domain} does not exist in DNS, so nobody can reply and its emails are refused`,
          'check the address of the account',
        )
      : watch('mx', 'no MX record, so replies can be delivered only to its address record, if at all', 'add an MX record');
  // A null MX (RFC 7505) declares that the domain accepts no mail.
  if (answer.rows.some(({ exchange }) => exchange === '' || exchange === '.'))
    return stop('mx', 'a null MX record: the domain accepts no mail, so replies and bounces are lost', 'publish its mail server instead');
  const servers = answer.rows.toSorted((a, b) => a.priority - b.priority).map(({ exchange }) => exchange);
  return good('mx', servers.join(', '));
}

/** A DMARC record, with the domain that publishes it. */
interface DmarcRecord {
  domain: string;
  text: string;
}

/**
 * Checks the DMARC record of the domain, or of the nearest parent that has one, which replaces the organizational domain (RFC 7489 §6.6.3):
 * we have no public suffix list.
 * @param signedBy the known domains that sign its emails with DKIM
 */
export async function checkDmarc(domain: string, signedBy: readonly string[], dns: DnsLookups, seconds = LOOKUP_SECONDS): Promise<Check> {
  for (let at = domain; at.includes('.'); at = at.slice(at.indexOf('.') + 1)) {
    const answer = await askText(`_dmarc.${at}`, /^v=DMARC1\s*(;|$)/, dns, seconds);
    if (answer.kind === 'unanswered') return unanswered('dmarc', answer.code);
    if (answer.kind === 'none') continue;
    if (answer.rows.length > 1)
      return stop('dmarc', `several DMARC records at _dmarc.${at} count as none (RFC 7489 §6.6.3)`, 'keep only one');
    return judgeDmarc({ domain: at, text: answer.rows[0] ?? '' }, domain, signedBy);
  }
  return watch(
    'dmarc',
    'no DMARC record, which Google and Yahoo require of bulk senders',
    `add a TXT record _dmarc.${domain} "v=DMARC1; p=none"`,
  );
}

function judgeDmarc({ domain: at, text }: DmarcRecord, domain: string, signedBy: readonly string[]): Check {
  if (!/;\s*p\s*=\s*(none|quarantine|reject)\s*(;|$)/i.test(text))
    return watch('dmarc', `"${text}" has no policy`, 'add p=none, p=quarantine or p=reject');
  const isStrict = /;\s*adkim\s*=\s*s\s*(;|$)/i.test(text);
  const isAligned = (signer: string) => (isStrict ? signer === domain : isOneOrganization(signer, domain));
  const record = at === domain ? text : `${text} (from ${at})`;
  if (signedBy.length > 0 && !signedBy.some(isAligned))
    return watch(
      'dmarc',
      `${record}; emails are signed by ${signedBy.join(', ')}, which is not aligned with ${domain}, so they pass by SPF alone, which forwarding breaks`,
      `have the provider sign with ${domain}, or set up signing: outreach account set ID --dkim-domain ${domain}`,
    );
  return good('dmarc', signedBy.length > 0 ? `${record}; DKIM is aligned (${signedBy.filter(isAligned).join(', ')})` : record);
}

/** True for domains in relaxed alignment (RFC 7489 §3.1.1): they are equal, or one is a parent of the other. */
export const isOneOrganization = (one: string, other: string): boolean =>
  one === other || one.endsWith(`.${other}`) || other.endsWith(`.${one}`);
