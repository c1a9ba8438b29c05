import { quantity } from '../core/english.ts';
import { type Check, good, stop, unknown, watch } from './check.ts';
import type { AccountFacts, Traffic } from './facts.ts';

/** A rate from fewer emails says nothing. */
const MIN_EMAILS = 50;
/** Providers suspend senders at about 5% of bounces; well-kept lists stay below 2%. */
const BOUNCES = { watch: 0.02, stop: 0.05 };
/** support.google.com/a/answer/81126: stay below 0.1%, never reach 0.3%. */
const COMPLAINTS = { watch: 0.001, stop: 0.003 };

/** Formats a rate. Rates below 1% have two decimals, because the limits for complaints are in that range. */
const rateText = (part: number, of: number): string => `${((100 * part) / of).toFixed(part / of < 0.01 ? 2 : 1)}%`;
const share = (part: number, of: number): string => (of === 0 ? 'no emails' : `${part} of ${of} emails (${rateText(part, of)})`);

/** Checks that the account may send, and that its server accepts its emails. */
export function checkSending(
  facts: Pick<AccountFacts, 'id' | 'email' | 'status' | 'pause_reason' | 'pause_message' | 'connection_error'>,
): Check {
  const { id, email, status, pause_reason: reason, pause_message: message, connection_error: error } = facts;
  if (status === 'disconnected')
    return stop(
      'sending',
      `disconnected: ${message ?? 'its login no longer works'}`,
      `connect it again: outreach account connect ${email}`,
    );
  if (reason === 'provider_error')
    return stop('sending', `paused: ${message ?? 'its provider refused it'}`, `fix that, then run: outreach account resume ${id}`);
  if (reason === 'provider_limit')
    return watch(
      'sending',
      `paused until its next local day: ${message ?? 'its provider limits it'}`,
      'send less, or ask the provider for more',
    );
  if (status === 'paused') return good('sending', 'paused by a person');
  if (error !== null) return watch('sending', `its server can't be reached or refuses it: ${error}`, `see: outreach account test ${email}`);
  return good('sending', 'active');
}

export function checkBounces({ emails_7, bounces_7, emails_30, bounces_30 }: Traffic): Check {
  const detail = `7 days: ${share(bounces_7, emails_7)}; 30 days: ${share(bounces_30, emails_30)}`;
  if (emails_30 === 0) return unknown('bounces', 'nothing was sent in 30 days');
  const remedy = 'stop importing from the source of these addresses, and lower the daily limit until the rate falls';
  const rate = Math.max(emails_7 < MIN_EMAILS ? 0 : bounces_7 / emails_7, emails_30 < MIN_EMAILS ? 0 : bounces_30 / emails_30);
  if (rate >= BOUNCES.stop) return stop('bounces', detail, remedy);
  return rate >= BOUNCES.watch ? watch('bounces', detail, remedy) : good('bounces', detail);
}

export function checkComplaints({ emails_7, complaints_7, emails_30, complaints_30 }: Traffic): Check {
  const detail = `7 days: ${share(complaints_7, emails_7)}; 30 days: ${share(complaints_30, emails_30)}`;
  if (emails_30 === 0) return unknown('complaints', 'nothing was sent in 30 days');
  const remedy = 'send to fewer people who fit better, say why you write, and make it easy to decline';
  const rate = complaints_30 / emails_30;
  // A single complaint among few emails is not a pattern.
  if (complaints_30 > 1 && rate >= COMPLAINTS.stop) return stop('complaints', detail, remedy);
  return complaints_30 > 0 && rate >= COMPLAINTS.watch ? watch('complaints', detail, remedy) : good('complaints', detail);
}

export function checkLimits({ limited_7, limited_30 }: Traffic): Check {
  const pauses = (count: number) => (count === 0 ? 'never paused' : quantity(count, 'pause'));
  const detail = `7 days: ${pauses(limited_7)}; 30 days: ${pauses(limited_30)} by a limit of the provider`;
  if (limited_7 > 0)
    return watch('limits', detail, 'lower the daily limit below the one of the provider: outreach account set ID --daily-limit');
  return good('limits', detail);
}
