import { askText, type DnsLookups, LOOKUP_SECONDS } from '../core/dns.ts';
import { type DkimKey, dkimRecord, SIGNATURE_LIFETIME } from '../mail/dkim.ts';
import { type Check, good, stop, unanswered, unknown, watch } from './check.ts';

/** Selectors of the usual providers: Google, Microsoft, Zoho, Fastmail, Proton, Mailchimp, SendGrid, Amazon SES, cPanel and the like. */
const USUAL = [
  ...['google', 'selector1', 'selector2', 'default', 'mail', 'dkim', 'zoho', 'zmail', 'fm1', 'fm2', 'fm3', 'mesmtp', 'protonmail'],
  ...['protonmail2', 'protonmail3', 'k1', 'k2', 'k3', 's1', 's2', 'smtp', 'mx', 'key1', 'sig1', 'mailo', 'ionos', 's1-ionos', 's2-ionos'],
];

/** The result of the check, with the domains that sign. */
export interface DkimResult {
  check: Check;
  /** The domains that sign; empty if none is known. */
  signedBy: string[];
}

/**
 * Checks the keys that sign the account's emails. If we sign, the records must match our keys. Otherwise looks for the keys that receivers
 * saw and for the usual selectors; finding none does not prove that there is no signature.
 * @param account `seen`: DNS names of keys that signed emails in the name of the domain
 */
export async function checkDkim(
  account: { id: number; domain: string; dkim: readonly DkimKey[]; seen: readonly string[] },
  dns: DnsLookups,
  now: Date,
  seconds = LOOKUP_SECONDS,
): Promise<DkimResult> {
  const own = account.dkim.filter(({ until }) => until === null || Date.parse(until) + SIGNATURE_LIFETIME > now.getTime());
  if (own.length > 0) {
    const checks = await Promise.all(own.map((key) => checkKey(account.id, key, dns, seconds)));
    return { check: worst(checks), signedBy: [...new Set(own.map(({ domain }) => domain))] };
  }
  return checkUsual(account.domain, account.seen, dns, seconds);
}

const ORDER: readonly Check['state'][] = ['stop', 'watch', 'unanswered', 'unknown', 'good'];

function worst(checks: readonly Check[]): Check {
  const [first] = checks.toSorted((one, other) => ORDER.indexOf(one.state) - ORDER.indexOf(other.state));
  const isAllGood = checks.every(({ state }) => state === 'good');
  return isAllGood ? good('dkim', checks.map(({ detail }) => detail).join('; ')) : (first as Check);
}

async function checkKey(id: number, key: DkimKey, dns: DnsLookups, seconds: number): Promise<Check> {
  const record = dkimRecord(key);
  const answer = await askText(record.name, KEY, dns, seconds);
  if (answer.kind === 'unanswered') return unanswered('dkim', answer.code);
  const remedy = `to see the record, run: outreach account show ${id}`;
  if (record.keep_until !== null && answer.kind === 'none')
    return watch(
      'dkim',
      `the record ${record.name} of a former key is gone, but emails signed with it may be in transit until ${record.keep_until.slice(0, 10)}`,
      `publish it again until then; ${remedy}`,
    );
  if (answer.kind === 'none') return stop('dkim', `no record ${record.name}, so receivers can't verify the signatures`, remedy);
  if (answer.rows.length > 1)
    return stop('dkim', `several records ${record.name}, of which receivers may use any (RFC 6376 §3.6.2.2)`, remedy);
  const published = publishedKey(answer.rows[0] ?? '');
  if (published === '') return stop('dkim', `the key at ${record.name} is revoked`, remedy);
  if (published !== key.public_key) return stop('dkim', `the key at ${record.name} is not the one we sign with`, remedy);
  return good('dkim', `${record.name} matches the key we sign with`);
}

/** Returns the domain of a key. @param name of its record in DNS */
export const signerOf = (name: string): string => name.slice(name.indexOf('._domainkey.') + '._domainkey.'.length);

const KEY = /(^|;)\s*p\s*=/i;
const publishedKey = (record: string): string | undefined => /(?:^|;)\s*p\s*=([^;]*)/i.exec(record)?.[1]?.replaceAll(/\s/g, '');

async function checkUsual(domain: string, seen: readonly string[], dns: DnsLookups, seconds: number): Promise<DkimResult> {
  const names = [...new Set([...seen, ...USUAL.map((selector) => `${selector}._domainkey.${domain}`)])];
  const answers = await Promise.all(names.map(async (name) => ({ name, answer: await askText(name, KEY, dns, seconds) })));
  const found = answers.filter(({ answer }) => answer.kind === 'found' && publishedKey(answer.rows[0] ?? '') !== '');
  if (found.length > 0)
    return {
      check: good('dkim', found.map(({ name }) => name).join(', ')),
      signedBy: [...new Set(found.map(({ name }) => signerOf(name)))],
    };
  const failed = answers.find(({ answer }) => answer.kind === 'unanswered')?.answer;
  if (failed?.kind === 'unanswered') return { check: unanswered('dkim', failed.code), signedBy: [] };
  const detail = `no key under any of ${USUAL.length} usual selectors of ${domain}; the DKIM-Signature field of a sent email shows the one in use`;
  return {
    check: unknown('dkim', detail, 'turn on DKIM at the provider, or sign here: outreach account set ID --dkim-domain DOMAIN'),
    signedBy: [],
  };
}
