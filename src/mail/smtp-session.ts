import { Readable } from 'node:stream';
import { MINUTE, SECOND } from '../core/clock.ts';
import { type SmtpAcceptance, SmtpConnection, type SmtpError } from './nodemailer.ts';
import { scrub } from './scrub.ts';

/** How to reach and enter an account's SMTP server; unsealed, so never logged. */
export interface SmtpLogin {
  host: string;
  port: number;
  /** TLS from the first byte (465); else STARTTLS is demanded where `requireTLS` says so. */
  secure: boolean;
  requireTLS: boolean;
  /** Null for a server that wants no login. */
  user: string | null;
  pass?: string;
  /** Taken instead of `pass` where the provider wants OAuth 2.0. */
  accessToken?: string;
  /** What to say in EHLO. */
  name: string;
}

/** What came of handing one mail to the server. */
export type Outcome =
  /** The server took it: it is theirs now (RFC 5321 §4.2.5). */
  | { kind: 'accepted'; response: string; serverMessageId: string | null }
  /** The server said no: it does not have the mail. */
  | { kind: 'refused'; phase: Phase; code: number | null; text: string }
  /** The mail can't be put into this server's words; nothing was said, and the connection is as it was. */
  | { kind: 'unwritable'; text: string }
  /** The connection failed before the final dot: the server can't have the mail. */
  | { kind: 'unsent'; phase: Phase; text: string }
  /** The connection failed after the final dot and before a reply: nobody can know (RFC 1047). */
  | { kind: 'uncertain'; text: string };

export type Phase = 'connect' | 'auth' | 'mail' | 'rcpt' | 'data';

export interface Envelope {
  from: string;
  to: string;
}

/** Timeouts as RFC 5321 §4.5.3.2 has them; ten minutes of silence also cover the wait after the final dot. */
const TIMEOUTS = { connectionTimeout: 30 * SECOND, greetingTimeout: 30 * SECOND, socketTimeout: 10 * MINUTE, dnsTimeout: 30 * SECOND };

/** One SMTP connection of one account, logged in, used for mail after mail. Never queues, never tries again by itself. */
export class SmtpSession {
  readonly #connection: SmtpConnection;
  #isUsed = false;

  private constructor(connection: SmtpConnection) {
    this.#connection = connection;
  }

  /** Connects and logs in. An outcome instead of a session tells why not. */
  static async open(login: SmtpLogin, timeouts: Partial<typeof TIMEOUTS> = {}): Promise<SmtpSession | Outcome> {
    const connection = new SmtpConnection({ ...connectionOptions(login), ...TIMEOUTS, ...timeouts });
    try {
      await connection.connect();
    } catch (error) {
      connection.close();
      return refusalOf(error as SmtpError, 'connect');
    }
    try {
      if (login.user !== null) await connection.login({ ...login, user: login.user });
      return new SmtpSession(connection);
    } catch (error) {
      connection.close();
      const refusal = refusalOf(error as SmtpError, 'auth');
      return { ...refusal, text: scrub(refusal.text, login) };
    }
  }

  /** Whether it carried a mail already: servers close such a connection when they have had enough of it. */
  get isUsed(): boolean {
    return this.#isUsed;
  }

  get isOpen(): boolean {
    return this.#connection.isOpen;
  }

  /**
   * Hands one mail over. The message goes in as a stream, because only whether it was read to its end tells a
   * connection lost before the final dot from one lost after it; nodemailer's error is the same for both.
   *
   * The envelope goes to the server at once, nothing of the message before `mayGo` says so: the server can't have a mail
   * of which it has no line. Where the answer is no, or there is none, the mail is unsent, and the connection, on which the
   * server waits for a message (RFC 5321 §4.1.1.4), is closed.
   */
  async send(envelope: Envelope, message: Buffer, mayGo: () => Promise<boolean> = async () => true): Promise<Outcome> {
    const problem = this.#problemOf(envelope);
    if (problem !== undefined) return { kind: 'unwritable', text: problem };
    const stream = heldBack(message, mayGo());
    try {
      const info: SmtpAcceptance = await this.#connection.send(envelope, stream, message.length);
      // A server that says yes before it has the message has not taken it.
      if (!stream.readableEnded) throw new Error(`the server replied before it had the message: ${info.response}`);
      this.#isUsed = true;
      return { kind: 'accepted', response: info.response, serverMessageId: info.serverMessageId ?? null };
    } catch (error) {
      const outcome = refusalOf(error as SmtpError, 'data');
      if (outcome.kind === 'refused') {
        await this.#reset();
        // A 421 closes the connection over what was sent ahead (RFC 2920), and nodemailer calls that `CONN`; to MAIL it says so.
        return outcome.phase === 'connect' ? { ...outcome, phase: 'rcpt' } : outcome;
      }
      this.close();
      return stream.readableEnded ? { kind: 'uncertain', text: outcome.text } : outcome;
    }
  }

  close(): void {
    this.#connection.close();
  }

  /** Why no command can carry this envelope; a part before the @ beyond ASCII takes an extension (RFC 6531 §3.2). */
  #problemOf({ from, to }: Envelope): string | undefined {
    for (const address of [from, to]) {
      if (/[\p{Cc}\s<>]/u.test(address) || !address.includes('@'))
        return `${JSON.stringify(address)} is not an address that SMTP can transport`;
      if (/[^\0-\x7f]/.test(address) && !this.#connection.offers('SMTPUTF8'))
        return `the address ${address} needs SMTPUTF8, which the server does not offer`;
    }
    return undefined;
  }

  /** After a refusal the transaction must be cleared before the next mail (RFC 5321 §4.1.1.5). */
  async #reset(): Promise<void> {
    if (this.isOpen) await this.#connection.reset().catch(() => this.close());
  }
}

/** A message as a stream that gives nothing before it may, and fails when it may not. */
function heldBack(message: Buffer, mayGo: Promise<boolean>): Readable {
  const stream = new Readable({ read: () => undefined });
  // Whoever sends it listens for errors; nobody does when the server refused before.
  stream.on('error', () => undefined);
  mayGo.then(
    (may) => {
      if (!may) return stream.destroy(new Error('the email was not permitted'));
      stream.push(message);
      return stream.push(null);
    },
    (error: Error) => stream.destroy(error),
  );
  return stream;
}

function connectionOptions(login: SmtpLogin) {
  return {
    host: login.host,
    port: login.port,
    secure: login.secure,
    requireTLS: login.requireTLS,
    ignoreTLS: !login.secure && !login.requireTLS,
    name: login.name,
    tls: { minVersion: 'TLSv1.2' as const },
  };
}

function refusalOf(error: SmtpError, latest: Phase): Extract<Outcome, { kind: 'refused' | 'unsent' }> {
  const text = (error.response ?? error.message).replaceAll(/\s*[\r\n]+\s*/g, ' ').slice(0, 2_000);
  const phase = phaseOf(error.command) ?? latest;
  if (error.responseCode !== undefined && error.responseCode >= 400) return { kind: 'refused', phase, code: error.responseCode, text };
  return { kind: 'unsent', phase, text };
}

function phaseOf(command: string | undefined): Phase | undefined {
  if (command === undefined) return undefined;
  if (command.startsWith('AUTH')) return 'auth';
  if (command.startsWith('MAIL')) return 'mail';
  if (command.startsWith('RCPT')) return 'rcpt';
  if (command === 'DATA') return 'data';
  if (['CONN', 'EHLO', 'HELO', 'STARTTLS'].includes(command)) return 'connect';
  return undefined;
}
