import { recordConnectionFailure } from '../../accounts/index.ts';
import type { App } from '../../app.ts';
import { disconnectAccount } from '../../campaigns/index.ts';
import { HOUR, MINUTE } from '../../core/clock.ts';
import { messageOf, OutreachError } from '../../core/errors.ts';
import { sendFailuresTotal } from '../../core/metrics.ts';
import type { Tx } from '../../db/transaction.ts';
import { classifyReply } from '../../mail/replies/classify-reply.ts';
import { type Outcome, refusedCommand } from '../../mail/smtp-session.ts';
import { TokenRefused, TokenUnavailable } from '../../oauth/index.ts';
import type { SendingAccount } from '../state/account-state.ts';
import { pauseByCause } from './pause-account.ts';

/**
 * A connection that could not be opened. `cause` says what that means for the account:
 * - `revoked`: its provider demands a new sign-in
 * - `limit`: its provider reports a sending limit at login
 * - `refused`: the server permanently refuses the login or the connection (5xx; RFC 4954 §6), or the credentials can't be decrypted
 * - `deferred`: the server asks us to come back later (4xx)
 * - `unreachable`: no connection, or the provider's token service can't be reached
 */
export interface ConnectionFailure {
  kind: 'unconnected';
  cause: 'revoked' | 'limit' | 'refused' | Outage;
  text: string;
}

/** Causes that resolve themselves. */
type Outage = 'deferred' | 'unreachable';

/** The class in the metrics for each cause. */
const METRIC_CLASS: Record<ConnectionFailure['cause'], string> = {
  revoked: 'account',
  refused: 'account',
  limit: 'limit',
  deferred: 'temp',
  unreachable: 'connection',
};

/**
 * First pause after a failed connection. It doubles with each further failure in a row, and is longer if the server asked us to come back
 * later.
 */
const FIRST_PAUSE: Record<Outage, number> = { unreachable: MINUTE, deferred: 5 * MINUTE };
const MAX_PAUSE = HOUR;

/** Converts the outcome of an attempt to connect and log in. */
export function failureOfOutcome(outcome: Outcome): ConnectionFailure {
  const text = 'text' in outcome ? outcome.text : 'no connection';
  if (outcome.kind !== 'refused') return { kind: 'unconnected', cause: 'unreachable', text };
  const { phase, code } = outcome;
  const { class: meaning } = classifyReply({ phase, code, enhanced: null, text });
  // A refused login is not an outage, even if the server adds "try again later".
  const isDeferred = (code ?? 0) < 500 || (phase !== 'auth' && meaning === 'temp');
  const cause = meaning === 'limit' ? 'limit' : isDeferred ? 'deferred' : 'refused';
  return { kind: 'unconnected', cause, text: refusedCommand(outcome) };
}

/** Converts an error that was thrown before there was a connection. */
export function failureOfError(error: unknown): ConnectionFailure {
  const text = messageOf(error);
  if (error instanceof TokenRefused) return { kind: 'unconnected', cause: 'revoked', text };
  if (error instanceof TokenUnavailable) return { kind: 'unconnected', cause: 'unreachable', text };
  const isRefused = error instanceof OutreachError && error.code === 'conflict';
  return { kind: 'unconnected', cause: isRefused ? 'refused' : 'unreachable', text };
}

/** Returns the time before which no connection is attempted. @param failuresBefore failures in a row before this one */
function connectAfter(now: Date, failuresBefore: number, cause: Outage): Date {
  return new Date(now.getTime() + Math.min(FIRST_PAUSE[cause] * 2 ** failuresBefore, MAX_PAUSE));
}

/**
 * Records a failed connection. A refusal pauses the account with the server's words. During an outage, however long, the account retries
 * after growing pauses.
 */
export async function handleConnectionFailure(app: App, account: SendingAccount, failure: ConnectionFailure): Promise<void> {
  app.log.warn({ account: account.id, reason: failure.text }, 'no SMTP connection');
  const { cause, text } = failure;
  sendFailuresTotal.inc({ class: METRIC_CLASS[cause] });
  if (cause === 'revoked') return disconnectAccount(app, account.id, text);
  await app.db.tx(async (tx) => {
    if (cause === 'unreachable' || cause === 'deferred') return recordOutage(tx, app, account, cause, text);
    return pauseByCause(tx, app, account, cause === 'limit' ? 'limit' : 'account', text);
  });
}

/** Makes the account wait before its next connection. The wait grows with each failure in a row. */
export async function recordOutage(tx: Tx, app: App, account: SendingAccount, cause: Outage, text: string): Promise<void> {
  await recordConnectionFailure(tx, account.id, text, connectAfter(app.clock.now(), account.connectionFailures, cause));
}
