import type { MxRecord } from 'node:dns';
import { Resolver } from 'node:dns/promises';
import { SECOND } from '../core/clock.ts';
import { type Finding, fail, ok, warn } from './finding.ts';

/** The look-ups that the checks need; errors carry the codes of node:dns. */
export interface DnsLookups {
  resolveMx(name: string): Promise<MxRecord[]>;
  resolveTxt(name: string): Promise<string[][]>;
}

export const LOOKUP_SECONDS = 5;

export const systemDns = (): DnsLookups => new Resolver({ timeout: 2 * SECOND, tries: 2 });

type Answer<Row> = { kind: 'found'; rows: Row[] } | { kind: 'none'; isUnknownName: boolean } | { kind: 'unanswered'; code: string };

/** What a domain's DNS says of mail from it: where answers go (MX), who may send (SPF), what becomes of forgeries (DMARC). */
export async function checkSenderDomain(domain: string, dns: DnsLookups, seconds = LOOKUP_SECONDS): Promise<Finding[]> {
  return Promise.all([checkMx(domain, dns, seconds), checkSpf(domain, dns, seconds), checkDmarc(domain, dns, seconds)]);
}

async function checkMx(domain: string, dns: DnsLookups, seconds: number): Promise<Finding> {
  const check = `DNS ${domain} MX`;
  const answer = await ask(() => dns.resolveMx(domain), seconds);
  if (answer.kind === 'unanswered') return unanswered(check, answer.code);
  if (answer.kind === 'none')
    return answer.isUnknownName
      ? fail(check, 'the domain does not exist in DNS; nobody can answer, and its mail is refused')
      : warn(check, 'no MX record, so answers find their way by its address record alone if at all; add an MX record');
  // A null MX (RFC 7505) says that the domain takes no mail.
  if (answer.rows.some(({ exchange }) => exchange === '' || exchange === '.'))
    return fail(check, 'a null MX record: the domain takes no mail, so answers and bounces are lost; name its mail server there');
  const servers = answer.rows.sort((a, b) => a.priority - b.priority).map(({ exchange }) => exchange);
  return ok(check, servers.join(', '));
}

async function checkSpf(domain: string, dns: DnsLookups, seconds: number): Promise<Finding> {
  const check = `DNS ${domain} SPF`;
  const answer = await askText(domain, /^v=spf1( |$)/i, dns, seconds);
  if (answer.kind === 'unanswered') return unanswered(check, answer.code);
  if (answer.kind === 'none')
    return warn(check, 'no SPF record; add a TXT record that names the servers that send, for example "v=spf1 mx include:PROVIDER ~all"');
  const [record = ''] = answer.rows;
  if (answer.rows.length > 1) return fail(check, 'several SPF records count as an error (RFC 7208 §4.5); join them into one');
  if (/ \+?all( |$)/i.test(record)) return warn(check, `"${record}" lets everybody send for the domain; end it with ~all or -all`);
  return ok(check, record);
}

/**
 * The record of the domain, else of the nearest parent that has one: without a list of public suffixes that stands for
 * the organizational domain (RFC 7489 §6.6.3).
 */
async function checkDmarc(domain: string, dns: DnsLookups, seconds: number): Promise<Finding> {
  const check = `DNS ${domain} DMARC`;
  for (let at = domain; at.includes('.'); at = at.slice(at.indexOf('.') + 1)) {
    const answer = await askText(`_dmarc.${at}`, /^v=DMARC1\s*(;|$)/, dns, seconds);
    if (answer.kind === 'unanswered') return unanswered(check, answer.code);
    if (answer.kind === 'none') continue;
    const [record = ''] = answer.rows;
    if (answer.rows.length > 1) return fail(check, `several DMARC records at _dmarc.${at} count as none (RFC 7489 §6.6.3); keep one`);
    if (!/;\s*p\s*=\s*(none|quarantine|reject)\s*(;|$)/i.test(record))
      return warn(check, `"${record}" has no policy; add p=none, p=quarantine or p=reject`);
    return ok(check, at === domain ? record : `${record} (of ${at})`);
  }
  return warn(check, `no DMARC record, which Google and Yahoo ask of bulk senders; add a TXT record _dmarc.${domain} "v=DMARC1; p=none"`);
}

export const unanswered = (check: string, code: string) =>
  warn(check, `DNS did not answer (${code}); check the name server of this machine`);

/** The TXT records of a name that match, their strings joined (RFC 7208 §3.3). */
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
