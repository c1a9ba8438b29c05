import type { MxRecord } from 'node:dns';
import { Resolver } from 'node:dns/promises';
import { SECOND } from './clock.ts';
import { withDeadline } from './deadline.ts';

/** The look-ups that checks need. Their errors have the codes of node:dns. */
export interface DnsLookups {
  resolveMx(name: string): Promise<MxRecord[]>;
  resolveTxt(name: string): Promise<string[][]>;
  resolve4(name: string): Promise<string[]>;
  resolve6(name: string): Promise<string[]>;
  /** The names of an IP address. */
  reverse(address: string): Promise<string[]>;
}

/** The most that one look-up may take, in seconds. */
export const LOOKUP_SECONDS = 5;

/** @param servers addresses of name servers, with a port if it is not 53; if empty, those of this machine */
export function nameServers(servers: readonly string[]): DnsLookups {
  const resolver = new Resolver({ timeout: 2 * SECOND, tries: 2 });
  if (servers.length > 0) resolver.setServers(servers);
  return resolver;
}

/** Caches the answers, so that each query is sent once, however many mailboxes share a domain or a server. */
export function cachedLookups(dns: DnsLookups): DnsLookups {
  const answers = new Map<string, Promise<unknown>>();
  const once = <Result>(kind: keyof DnsLookups, name: string, look: () => Promise<Result>): Promise<Result> => {
    const key = `${kind} ${name.toLowerCase()}`;
    const known = answers.get(key) as Promise<Result> | undefined;
    const answer = known ?? look();
    answers.set(key, answer);
    return answer;
  };
  return {
    resolveMx: (name) => once('resolveMx', name, () => dns.resolveMx(name)),
    resolveTxt: (name) => once('resolveTxt', name, () => dns.resolveTxt(name)),
    resolve4: (name) => once('resolve4', name, () => dns.resolve4(name)),
    resolve6: (name) => once('resolve6', name, () => dns.resolve6(name)),
    reverse: (address) => once('reverse', address, () => dns.reverse(address)),
  };
}

/** The answer of DNS. It is `unanswered` if a name server failed or timed out, with the code of node:dns, or ETIMEOUT. */
export type DnsAnswer<Row> =
  | { kind: 'found'; rows: Row[] }
  | { kind: 'none'; isUnknownName: boolean }
  | { kind: 'unanswered'; code: string };

/** Waits for a look-up, `seconds` at most. Never rejects. */
export async function askDns<Row>(look: () => Promise<Row[]>, seconds = LOOKUP_SECONDS): Promise<DnsAnswer<Row>> {
  try {
    const rows = await withDeadline({ within: seconds * SECOND }, (deadline) => {
      const late = Promise.withResolvers<never>();
      deadline.closes({ close: () => late.reject(new Error()) });
      return Promise.race([look(), late.promise]);
    });
    return rows.length === 0 ? { kind: 'none', isUnknownName: false } : { kind: 'found', rows };
  } catch (error) {
    // Every error of node:dns has a code. The deadline's error has none.
    const { code = 'ETIMEOUT' } = error as NodeJS.ErrnoException;
    if (code === 'ENOTFOUND' || code === 'ENODATA') return { kind: 'none', isUnknownName: code === 'ENOTFOUND' };
    return { kind: 'unanswered', code };
  }
}

/** The TXT records of a name that match a pattern, with their strings joined (RFC 7208 §3.3). */
export async function askText(name: string, pattern: RegExp, dns: DnsLookups, seconds = LOOKUP_SECONDS): Promise<DnsAnswer<string>> {
  const answer = await askDns(() => dns.resolveTxt(name), seconds);
  if (answer.kind !== 'found') return answer;
  const rows = answer.rows.map((strings) => strings.join('')).filter((text) => pattern.test(text));
  return rows.length === 0 ? { kind: 'none', isUnknownName: false } : { kind: 'found', rows };
}

/** The addresses of a host, IPv4 first. */
export async function askAddresses(
  host: string,
  dns: Pick<DnsLookups, 'resolve4' | 'resolve6'>,
  seconds = LOOKUP_SECONDS,
): Promise<DnsAnswer<string>> {
  const answers = await Promise.all([askDns(() => dns.resolve4(host), seconds), askDns(() => dns.resolve6(host), seconds)]);
  const rows = answers.flatMap((answer) => (answer.kind === 'found' ? answer.rows : []));
  if (rows.length > 0) return { kind: 'found', rows };
  return answers.find(({ kind }) => kind === 'unanswered') ?? (answers[0] as DnsAnswer<string>);
}
