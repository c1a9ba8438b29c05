import type { HealthWord, KeptCheck } from '../accounts/index.ts';
import { oneLine } from '../core/errors.ts';

/** The checks of a mailbox, and why each matters. In the order in which it is shown. */
export const CHECKS = {
  sending: 'An account that its provider stopped reaches nobody.',
  mx: 'Replies and bounces come back through it, and receivers distrust a domain that takes no email.',
  spf: 'It names the servers that may send for the domain. Google, Yahoo and Microsoft refuse bulk email without it.',
  dkim: 'A signature proves that an email is of the domain. Google, Yahoo and Microsoft demand it of bulk senders.',
  dmarc: 'It ties the address that people see to SPF and DKIM. Bulk senders need at least p=none, and one of the two aligned.',
  dmarc_reports:
    'Receivers report who sends in the name of the domain. What fails is either a service of yours that they distrust, or a forger.',
  ptr: 'Receivers refuse servers whose address has no name that leads back to it, or that greet with another one.',
  tls: 'Passwords and emails travel in the clear without it, and nothing is sent once a certificate has expired.',
  tls_reports: 'Servers that fail to encrypt deliver their replies late, or not at all.',
  tracking: 'Links and the way to unsubscribe lead through this host: where it fails, they are dead.',
  block_lists: 'Receivers refuse what comes from a listed address, or names a listed domain.',
  placement: 'An email in Junk is read by nobody, and raises no error.',
  bounces: 'Addresses that do not exist show a bought or old list. Providers suspend senders at about 5%.',
  complaints: 'Google asks for less than 0.1% of spam complaints, and blocks at 0.3%.',
  limits: 'A provider that limits an account often suspends it next.',
} as const;

export type CheckName = keyof typeof CHECKS;

/**
 * The result of a check before it is compared with the one that was kept. `unknown`: there is nothing to go by yet. `unanswered`: a server
 * that was asked failed, so that what was known before still holds.
 */
export interface Check extends Omit<KeptCheck, 'since' | 'check' | 'state'> {
  check: CheckName;
  state: KeptCheck['state'] | 'unanswered';
}

/** Details quote servers and DNS records, so line breaks and terminal sequences are removed. */
const make = (check: CheckName, state: Check['state'], detail: string, remedy: string | null): Check => ({
  check,
  state,
  detail: oneLine(detail),
  remedy: remedy === null ? null : oneLine(remedy),
});

export const good = (check: CheckName, detail: string): Check => make(check, 'good', detail, null);
/** It works, but not as well as it could. @param remedy what to do */
export const watch = (check: CheckName, detail: string, remedy: string): Check => make(check, 'watch', detail, remedy);
/** Stop sending until it is mended. @param remedy what to do */
export const stop = (check: CheckName, detail: string, remedy: string): Check => make(check, 'stop', detail, remedy);
/** Says nothing for or against the mailbox. */
export const unknown = (check: CheckName, detail: string, remedy: string | null = null): Check => make(check, 'unknown', detail, remedy);
/** A look-up that failed or timed out. @param code of node:dns, or ETIMEOUT */
export const unanswered = (check: CheckName, code: string): Check =>
  make(check, 'unanswered', `the DNS lookup failed (${code})`, 'check the name server of this machine');

/** A server that can't be reached now. */
export const unreachable = (check: CheckName, detail: string, remedy: string): Check => make(check, 'unanswered', detail, remedy);

const RANK: Record<KeptCheck['state'], number> = { unknown: 0, good: 0, watch: 1, stop: 2 };
const WORDS: readonly HealthWord[] = ['good', 'watch', 'stop'];

/** The worst of the states, as one word. */
export const wordOf = (checks: readonly Pick<KeptCheck, 'state'>[]): HealthWord =>
  WORDS[Math.max(0, ...checks.map(({ state }) => RANK[state]))] as HealthWord;
