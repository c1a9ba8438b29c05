import { openSmtpSession } from '../../accounts/index.ts';
import type { App } from '../../app.ts';
import { withAsciiDomain } from '../../core/email-address.ts';
import { smtpSeconds } from '../../core/metrics.ts';
import { type Outcome, type SmtpOptions, SmtpSession } from '../../mail/smtp-session.ts';
import type { SendingAccount } from '../state/account-state.ts';
import { type ConnectionFailure, failureOfError, failureOfOutcome } from './connection-failure.ts';
import type { PreparedEmail } from './prepare-emails.ts';

/** The SMTP connection of a batch, opened for its first email and reopened whenever the server has closed it. */
export class BatchConnection {
  readonly #app: App;
  readonly #account: SendingAccount;
  readonly #options: Partial<SmtpOptions>;
  #session: SmtpSession | undefined;

  constructor(app: App, account: SendingAccount, options: Partial<SmtpOptions>) {
    this.#app = app;
    this.#account = account;
    this.#options = options;
  }

  /** Connects and logs in unless already connected. Resolves to the failure, or to undefined on success; never rejects. */
  async open(): Promise<ConnectionFailure | undefined> {
    if (this.#session?.isOpen) return undefined;
    const opened = await this.#newSession();
    if (!(opened instanceof SmtpSession)) return opened;
    this.#session = opened;
    return undefined;
  }

  /**
   * Transmits one email; its content only after `isPermitted` resolves to true. A server that closes a used connection before it
   * has the email may just have reached its limit for the connection, so the email is retried once over a new one. If the new one
   * cannot be opened, the returned failure is not about this email.
   */
  async send(
    email: Pick<PreparedEmail, 'recipient' | 'message'> & { cc?: readonly string[] },
    isPermitted: () => Promise<boolean>,
  ): Promise<Outcome | ConnectionFailure> {
    const session = this.#session;
    if (session === undefined) throw new Error('the connection was never opened');
    const { recipient, cc = [] } = email;
    const envelope = { from: withAsciiDomain(this.#account.email), to: recipient, cc };
    const outcome = await timed('send', session.send(envelope, email.message, isPermitted));
    // 421 says that the server closes the connection (RFC 5321 §3.8), whatever command it answers.
    const isClosed = outcome.kind === 'unsent' || (outcome.kind === 'refused' && outcome.code === 421);
    if (!isClosed || !session.isUsed || this.#options.stopping?.aborted || !(await isPermitted())) return outcome;
    const fresh = await this.#newSession();
    if (!(fresh instanceof SmtpSession)) return fresh;
    this.#session = fresh;
    return timed('send', fresh.send(envelope, email.message, isPermitted));
  }

  close(): void {
    this.#session?.close();
  }

  async #newSession(): Promise<SmtpSession | ConnectionFailure> {
    try {
      const opened = await timed('connect', openSmtpSession(this.#app, this.#account.id, this.#options));
      return opened instanceof SmtpSession ? opened : failureOfOutcome(opened);
    } catch (error) {
      return failureOfError(error);
    }
  }
}

async function timed<Result>(phase: 'connect' | 'send', work: Promise<Result>): Promise<Result> {
  const end = smtpSeconds.startTimer({ phase });
  try {
    return await work;
  } finally {
    end();
  }
}
