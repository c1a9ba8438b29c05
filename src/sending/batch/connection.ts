import { openSmtpSession } from '../../accounts/index.ts';
import type { App } from '../../app.ts';
import { disconnectAccount } from '../../campaigns/index.ts';
import { withAsciiDomain } from '../../core/email-address.ts';
import { messageOf } from '../../core/errors.ts';
import { type Outcome, SmtpSession } from '../../mail/smtp-session.ts';
import { TokenRefused, TokenUnavailable } from '../../oauth/index.ts';
import type { SendingAccount } from '../state/account-state.ts';
import type { PreparedEmail } from './prepare-emails.ts';
import { countFailedConnection } from './refusal.ts';

/** The SMTP connection of a batch, opened for its first email and reopened whenever the server has closed it. */
export class BatchConnection {
  readonly #app: App;
  readonly #account: SendingAccount;
  #session: SmtpSession | undefined;

  constructor(app: App, account: SendingAccount) {
    this.#app = app;
    this.#account = account;
  }

  /** Connects and logs in, unless connected. Resolves to the error if that fails; never rejects. */
  async open(): Promise<Error | undefined> {
    if (this.#session?.isOpen) return undefined;
    const opened = await this.#newSession();
    if (!(opened instanceof SmtpSession)) return opened;
    this.#session = opened;
    return undefined;
  }

  /**
   * Transmits one email; its content only after `mayGo` resolves to true. A server that closes a used connection before it
   * has the email may just have reached its limit for the connection, so the email is retried once over a new one.
   */
  async send(email: PreparedEmail, mayGo: () => Promise<boolean>): Promise<Outcome> {
    const session = this.#session;
    if (session === undefined) throw new Error('the connection was never opened');
    const envelope = { from: withAsciiDomain(this.#account.email), to: email.recipient };
    const outcome = await session.send(envelope, email.message, mayGo);
    const isClosed = outcome.kind === 'unsent' || (outcome.kind === 'refused' && outcome.phase === 'mail' && outcome.code === 421);
    if (!isClosed || !session.isUsed || !(await mayGo())) return outcome;
    const fresh = await this.#newSession();
    if (!(fresh instanceof SmtpSession)) return outcome;
    this.#session = fresh;
    return fresh.send(envelope, email.message, mayGo);
  }

  close(): void {
    this.#session?.close();
  }

  async #newSession(): Promise<SmtpSession | Error> {
    try {
      const opened = await openSmtpSession(this.#app, this.#account.id);
      return opened instanceof SmtpSession ? opened : new Error('text' in opened ? opened.text : 'no connection');
    } catch (error) {
      return error instanceof Error ? error : new Error(messageOf(error));
    }
  }
}

/** Counts a failed connection, or disconnects an account whose provider demands a new sign-in. */
export async function recordConnectionFailure(app: App, account: SendingAccount, failure: Error): Promise<void> {
  app.log.warn({ account: account.id, reason: failure.message }, 'no SMTP connection');
  if (failure instanceof TokenRefused) await disconnectAccount(app, account.id, failure.message);
  // An unavailable token server says nothing about the account.
  else if (!(failure instanceof TokenUnavailable)) await app.db.tx((tx) => countFailedConnection(tx, app, account, failure.message));
}
