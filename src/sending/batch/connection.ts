import { openSmtpSession } from '../../accounts/index.ts';
import type { App } from '../../app.ts';
import { disconnectAccount } from '../../campaigns/index.ts';
import { withAsciiDomain } from '../../core/email-address.ts';
import { messageOf } from '../../core/errors.ts';
import { type Outcome, SmtpSession } from '../../mail/smtp-session.ts';
import { TokenRefused, TokenUnavailable } from '../../oauth/index.ts';
import type { SendingAccount } from '../state/account-state.ts';
import { noteConnectionFailure } from './refusal.ts';
import type { WrittenMail } from './write.ts';

/** The one SMTP connection of a batch, opened with its first mail and again whenever the server has closed it. */
export class BatchConnection {
  readonly #app: App;
  readonly #account: SendingAccount;
  #session: SmtpSession | undefined;

  constructor(app: App, account: SendingAccount) {
    this.#app = app;
    this.#account = account;
  }

  /** Opens it and logs in, unless it is open. Answers why it can't be had. */
  async open(): Promise<Error | undefined> {
    if (this.#session?.isOpen) return undefined;
    const opened = await this.#newSession();
    if (!(opened instanceof SmtpSession)) return opened;
    this.#session = opened;
    return undefined;
  }

  /**
   * Hands one mail over, no line of it before `mayGo`. A server that closed a used connection before it had the mail may
   * only have had enough of it: once more over a new one.
   */
  async send(mail: WrittenMail, mayGo: () => Promise<boolean>): Promise<Outcome> {
    const session = this.#session;
    if (session === undefined) throw new Error('the connection was never opened');
    const envelope = { from: withAsciiDomain(this.#account.email), to: mail.recipient };
    const outcome = await session.send(envelope, mail.message, mayGo);
    const isClosed = outcome.kind === 'unsent' || (outcome.kind === 'refused' && outcome.phase === 'mail' && outcome.code === 421);
    if (!isClosed || !session.isUsed || !(await mayGo())) return outcome;
    const fresh = await this.#newSession();
    if (!(fresh instanceof SmtpSession)) return outcome;
    this.#session = fresh;
    return fresh.send(envelope, mail.message, mayGo);
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

/** Acts on a connection that can't be had: counts it, or disconnects an account whose provider wants a new sign-in. */
export async function noteConnectionLoss(app: App, account: SendingAccount, failure: Error): Promise<void> {
  app.log.warn({ account: account.id, reason: failure.message }, 'no SMTP connection');
  if (failure instanceof TokenRefused) await disconnectAccount(app, account.id, failure.message);
  // The mailbox is well where it is the provider's token server that fails.
  else if (!(failure instanceof TokenUnavailable)) await app.db.tx((tx) => noteConnectionFailure(tx, app, account, failure.message));
}
