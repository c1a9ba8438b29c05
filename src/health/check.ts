import type { HealthWord, KeptCheck } from '../accounts/index.ts';
import { oneLine } from '../core/errors.ts';

/** The checks of a mailbox and why each matters, in the order in which they are shown. */
export const CHECKS = {
  sending: 'An account that its provider has stopped reaches nobody.',
  mx: 'Replies and bounces come back through it, and receivers distrust a domain that accepts no email.',
  spf: 'It names the servers that may send for the domain. Google, Yahoo and Microsoft refuse bulk email without it.',
  dkim: 'A signature proves that an email is from the domain. Google, Yahoo and Microsoft require it of bulk senders.',
  dmarc: 'It ties the address that people see to SPF and DKIM. Bulk senders need at least p=none, and one of the two aligned.',
  dmarc_reports:
    'Receivers report who sends in the name of the domain. A failing source is either a service of yours that they distrust, or a forger.',
  ptr: 'Receivers refuse servers whose address has no name that resolves back to it, or that greet with a different name.',
  tls: 'Passwords and emails travel in the clear without it, and nothing is sent once a certificate has expired.',
  tls_reports: 'Servers that fail to encrypt deliver their replies late, or not at all.',
  tracking: 'Tracked links and the unsubscribe link go through this host: if it fails, they are dead.',
  block_lists: 'Receivers refuse what comes from a listed address, or names a listed domain.',
  placement: 'Nobody reads an email in Junk, and it causes no error.',
  bounces: 'Addresses that do not exist suggest a bought or old list. Providers suspend senders at about 5%.',
  complaints: 'Google asks for a rate of spam complaints below 0.1%, and blocks at 0.3%.',
  limits: 'A provider that limits an account often suspends it next.',
} as const;

export type CheckName = keyof typeof CHECKS;

/**
 * The result of a check before it is merged with the stored one. `unknown`: there is no data yet. `unanswered`: a server failed to answer,
 * so the stored result stays valid.
 */
export interface Check extends Omit<KeptCheck, 'since' | 'check' | 'state'> {
  check: CheckName;
  state: KeptCheck['state'] | 'unanswered';
}

/** Creates a check. Removes line breaks and terminal sequences, because details quote servers and DNS records. */
const make = (check: CheckName, state: Check['state'], detail: string, remedy: string | null): Check => ({
  check,
  state,
  detail: oneLine(detail),
  remedy: remedy === null ? null : oneLine(remedy),
});

export const good = (check: CheckName, detail: string): Check => make(check, 'good', detail, null);
/** For a mailbox that works, but not as well as it could. @param remedy what to do */
export const watch = (check: CheckName, detail: string, remedy: string): Check => make(check, 'watch', detail, remedy);
/** For a mailbox that should not send until the problem is fixed. @param remedy what to do */
export const stop = (check: CheckName, detail: string, remedy: string): Check => make(check, 'stop', detail, remedy);
/** For a check that proves nothing for or against the mailbox. */
export const unknown = (check: CheckName, detail: string, remedy: string | null = null): Check => make(check, 'unknown', detail, remedy);
/** For a look-up that failed or timed out. @param code of node:dns, or ETIMEOUT */
export const unanswered = (check: CheckName, code: string): Check =>
  make(check, 'unanswered', `the DNS lookup failed (${code})`, 'check the name server of this machine');

/** For a server that can't be reached now. */
export const unreachable = (check: CheckName, detail: string, remedy: string): Check => make(check, 'unanswered', detail, remedy);

const RANK: Record<KeptCheck['state'], number> = { unknown: 0, good: 0, watch: 1, stop: 2 };
const WORDS: readonly HealthWord[] = ['good', 'watch', 'stop'];

/** Returns the worst of the states, as the health of the mailbox. */
export const wordOf = (checks: readonly Pick<KeptCheck, 'state'>[]): HealthWord =>
  WORDS[Math.max(0, ...checks.map(({ state }) => RANK[state]))] as HealthWord;
