import type { MxRecord } from 'node:dns';
import { Resolver } from 'node:dns/promises';
import { SECOND } from '../core/clock.ts';
import { type Finding, fail, ok, warn } from './finding.ts';

/** The DNS lookups that the checks need; errors have the codes of node:dns. */
export interface DnsLookups {
  resolveMx(name: string): Promise<MxRecord[]>;
  resolveTxt(name: string): Promise<string[][]>;
}

export const LOOKUP_SECONDS = 5;

export const systemDns = (): DnsLookups => new Resolver({ timeout: 2 * SECOND, tries: 2 });

type Answer<Row> = { kind: 'found'; rows: Row[] } | { kind: 'none'; isUnknownName: boolean } | { kind: 'unanswered'; code: string };

/** Checks the DNS records of a sender's domain: MX (where replies go), SPF (who may send) and DMARC (what happens to forgeries). */
export async function checkSenderDomain(domain: string, dns: DnsLookups, seconds = LOOKUP_SECONDS): Promise<Finding[]> {
  return Promise.all([checkMx(domain, dns, seconds), checkSpf(domain, dns, seconds), checkDmarc(domain, dns, seconds)]);
}

async function checkMx(domain: string, dns: DnsLookups, seconds: number): Promise<Finding> {
  const check = `DNS ${domain} MX`;
  const answer = await ask(() => dns.resolveMx(domain), seconds);
  if (answer.kind === 'unanswered') return unanswered(check, answer.code);
  if (answer.kind === 'none')
    return answer.isUnknownName
      ? fail(check, 'the domain does not exist in DNS, so nobody can reply and its emails are refused; check the address of the account')
      : warn(check, 'no MX record, so replies can be delivered only to its address record, if at all; add an MX record');
  // A null MX (RFC 7505) declares that the domain accepts no mail.
  if (answer.rows.some(({ exchange }) => exchange === '' || exchange === '.'))
    return fail(check, 'a null MX record: the domain accepts no mail, so replies and bounces are lost; put its mail server there');
  const servers = answer.rows.sort((a, b) => a.priority - b.priority).map(({ exchange }) => exchange);
  return ok(check, servers.join(', '));
}

async function checkSpf(domain: string, dns: DnsLookups, seconds: number): Promise<Finding> {
  const check = `DNS ${domain} SPF`;
  const answer = await askText(domain, /^v=spf1( |$)/i, dns, seconds);
  if (answer.kind === 'unanswered') return unanswered(check, answer.code);
  if (answer.kind === 'none')
    return warn(check, 'no SPF record; add a TXT record that lists the sending servers, for example "v=spf1 mx include:PROVIDER ~all"');
  const [record = ''] = answer.rows;
  if (answer.rows.length > 1) return fail(check, 'several SPF records are an error (RFC 7208 §4.5); merge them into one');
  if (/ \+?all( |$)/i.test(record)) return warn(check, `"${record}" allows anyone to send for the domain; end it with ~all or -all`);
  return ok(check, record);
}

/**
 * Checks the record of the domain, or of the nearest parent that has one. Without the public suffix list, that approximates
 * the organizational domain (RFC 7489 §6.6.3).
 */
async function checkDmarc(domain: string, dns: DnsLookups, seconds: number): Promise<Finding> {
  const check = `DNS ${domain} DMARC`;
  for (let at = domain; at.includes('.'); at = at.slice(at.indexOf('.') + 1)) {
    const answer = await askText(`_dmarc.${at}`, /^v=DMARC1\s*(;|$)/, dns, seconds);
    if (answer.kind === 'unanswered') return unanswered(check, answer.code);
    if (answer.kind === 'none') continue;
    const [record = ''] = answer.rows;
    if (answer.rows.length > 1) return fail(check, `several DMARC records at _dmarc.${at} count as none (RFC 7489 §6.6.3); keep only one`);
    if (!/;\s*p\s*=\s*(none|quarantine|reject)\s*(;|$)/i.test(record))
      return warn(check, `"${record}" has no policy; add p=none, p=quarantine or p=reject`);
    return ok(check, at === domain ? record : `${record} (from ${at})`);
  }
  return warn(
    check,
    `no DMARC record, which Google and Yahoo require of bulk senders; add a TXT record _dmarc.${domain} "v=DMARC1; p=none"`,
  );
}

/** The finding for a lookup that failed or timed out. @param code of node:dns, or ETIMEOUT */
export const unanswered = (check: string, code: string) =>
  warn(check, `the DNS lookup failed (${code}); check the name server of this machine`);

/** The TXT records of a name that match a pattern, with their strings joined (RFC 7208 §3.3). */
export async function askText(name: string, pattern: RegExp, dns: DnsLookups, seconds: number): Promise<Answer<string>> {
  const answer = await ask(() => dns.resolveTxt(name), seconds);
  if (answer.kind !== 'found') return answer;
  const rows = answer.rows.map((strings) => strings.join('')).filter((text) => pattern.test(text));
  return rows.length === 0 ? { kind: 'none', isUnknownName: false } : { kind: 'found', rows };
}

async function ask<Row>(lookup: () => Promise<Row[]>, seconds: number): Promise<Answer<Row>> {
  let timer: NodeJS.Timeout | undefined;
  const deadline = new Promise<never>((_, reject) => {
    timer = setTimeout(() => reject(Object.assign(new Error(), { code: 'ETIMEOUT' })), seconds * SECOND);
  });
  try {
    const rows = await Promise.race([lookup(), deadline]);
    return rows.length === 0 ? { kind: 'none', isUnknownName: false } : { kind: 'found', rows };
  } catch (error) {
    const code = String((error as NodeJS.ErrnoException).code);
    if (code === 'ENOTFOUND' || code === 'ENODATA') return { kind: 'none', isUnknownName: code === 'ENOTFOUND' };
    return { kind: 'unanswered', code };
  } finally {
    clearTimeout(timer);
  }
}
