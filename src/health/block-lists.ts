import { isIP, isIPv6 } from 'node:net';
import { askDns, type DnsLookups } from '../core/dns.ts';
import { inParallel } from '../core/in-parallel.ts';
import { type Check, good, stop, unknown, unreachable, watch } from './check.ts';

const CONCURRENT_LOOKUPS = 10;

/** DNS block lists: the zones that list addresses, and the zones that list domains. */
export interface BlockListZones {
  addresses: readonly string[];
  domains: readonly string[];
}

/** The subjects to look up: the public addresses of the relay, if it is the account's own, and the domains in its emails. */
export interface Subjects {
  addresses: readonly string[];
  domains: readonly string[];
}

type Listing = 'listed' | 'policy' | 'clear' | 'refused';

/** Looks up every subject in every list. A list that refuses to answer proves nothing; the free ones refuse public resolvers. */
export async function checkBlockLists(zones: BlockListZones, subjects: Subjects, dns: DnsLookups): Promise<Check> {
  const questions = [
    ...subjects.addresses.flatMap((subject) => zones.addresses.map((zone) => ({ subject, zone }))),
    ...subjects.domains.flatMap((subject) => zones.domains.map((zone) => ({ subject, zone }))),
  ];
  if (questions.length === 0) return unknown('block_lists', 'there is no list to query');
  const answers = await inParallel(questions, CONCURRENT_LOOKUPS, async (question) => ({ ...question, says: await ask(question, dns) }));
  const naming = (says: Listing) => answers.filter((one) => one.says === says).map(({ subject, zone }) => `${subject} in ${zone}`);
  const [listed, policy, refused] = [naming('listed'), naming('policy'), naming('refused')];
  const silent = refused.length === 0 ? '' : `; no answer for ${refused.join(', ')}`;
  if (listed.length > 0)
    return stop(
      'block_lists',
      `listed: ${listed.join(', ')}${silent}`,
      'stop sending, fix the cause, and request removal on the page of the list; lists are queried once a day, so the removal shows a day later',
    );
  if (policy.length > 0)
    return watch(
      'block_lists',
      `listed as an address that should not send email directly: ${policy.join(', ')}`,
      'request removal from the list; lists are queried once a day, so the removal shows a day later',
    );
  if (refused.length === questions.length)
    return unreachable(
      'block_lists',
      'no list answers',
      'use a resolver of your own: free lists refuse public ones (setting name_servers)',
    );
  return good(
    'block_lists',
    `not listed in ${[...new Set(answers.filter(({ says }) => says === 'clear').map(({ zone }) => zone))].join(', ')}${silent}`,
  );
}

async function ask({ subject, zone }: { subject: string; zone: string }, dns: DnsLookups): Promise<Listing> {
  const answer = await askDns(() => dns.resolve4(`${isIP(subject) === 0 ? subject : reversed(subject)}.${zone}`));
  if (answer.kind === 'unanswered') return 'refused';
  if (answer.kind === 'none') return 'clear';
  const codes = answer.rows.filter((code) => code.startsWith('127.'));
  // Refusals: 127.255.255.0/24 of Spamhaus ("Error codes"), 127.0.0.1 of SURBL and URIBL.
  const listings = codes.filter((code) => !code.startsWith('127.255.255.') && code !== '127.0.0.1');
  if (listings.length === 0) return 'refused';
  // 127.0.0.10 and .11 of Spamhaus are the PBL: addresses of end users, and of servers whose provider has not excluded them.
  return listings.every((code) => code === '127.0.0.10' || code === '127.0.0.11') ? 'policy' : 'listed';
}

/** Reverses an address for the query (RFC 5782 §2.1, §2.4). */
function reversed(address: string): string {
  if (!isIPv6(address)) return address.split('.').reverse().join('.');
  const [head = '', tail = ''] = new URL(`http://[${address}]`).hostname.slice(1, -1).split('::');
  const groups = (part: string) => (part === '' ? [] : part.split(':'));
  const missing = 8 - groups(head).length - groups(tail).length;
  const all = [...groups(head), ...Array<string>(missing).fill('0'), ...groups(tail)];
  return all
    .map((group) => group.padStart(4, '0'))
    .join('')
    .split('')
    .reverse()
    .join('.');
}
