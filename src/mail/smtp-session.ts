import type { LookupFunction } from 'node:net';
import { Readable } from 'node:stream';
import { MINUTE, SECOND } from '../core/clock.ts';
import { type Deadline, type Limits, withDeadline } from '../core/deadline.ts';
import { messageOf, oneLine } from '../core/errors.ts';
import type { Message } from './attached-message.ts';
import type { SmtpAcceptance, SmtpConnection, SmtpError } from './nodemailer.ts';
import { scrub } from './scrub.ts';
import { serverWords } from './server-words.ts';

/** Address and credentials of an account's SMTP server. Unsealed, so never logged. */
export interface SmtpLogin {
  host: string;
  port: number;
  /** True for implicit TLS (port 465, RFC 8314 §3.3); otherwise STARTTLS, which `requireTLS` makes mandatory. */
  secure: boolean;
  requireTLS: boolean;
  /** Null for a server that needs no login. */
  user: string | null;
  pass?: string;
  /** OAuth 2.0 access token, used instead of `pass`. */
  accessToken?: string;
  /** The host name for EHLO. */
  name: string;
  /** Resolves the host; by default the operating system does. */
  lookup?: LookupFunction;
}

/** Outcome of one SMTP delivery attempt. */
export type Outcome =
  /** The server accepted the email and is now responsible for it (RFC 5321 §4.2.5), except for the recipients that it refused. */
  | { kind: 'accepted'; response: string; serverMessageId: string | null; refused: readonly { address: string; text: string }[] }
  /** The server replied with 4xx or 5xx to `command`: it does not have the email. */
  | { kind: 'refused'; phase: Phase; command: string; code: number | null; text: string }
  /** The server's extensions do not allow this envelope. Nothing was sent, and the session remains usable. */
  | { kind: 'unwritable'; text: string }
  /** The connection failed before the final dot: the server cannot have the email. */
  | { kind: 'unsent'; phase: Phase; text: string }
  /** The connection failed between the final dot and the reply: the server may or may not have the email (RFC 1047). */
  | { kind: 'uncertain'; text: string };

/** The SMTP command that a reply or failure belongs to; `data` includes the message. */
type Phase = 'connect' | 'auth' | 'mail' | 'rcpt' | 'data';

/** Addresses of MAIL FROM and RCPT TO. */
export interface Envelope {
  from: string;
  to: string;
  /** Further recipients of the same message. */
  cc?: readonly string[];
}

/** In milliseconds. RFC 5321 §4.5.3.2.6 allows the server ten minutes of silence after the final dot. */
const TIMEOUTS = { connectionTimeout: 30 * SECOND, greetingTimeout: 30 * SECOND, socketTimeout: 10 * MINUTE };

/**
 * In milliseconds: total time to connect and log in, and total time to transmit one email. Longer than the time that RFC 5321 §4.5.3.2
 * grants a single command. Needed because a server that sends a line now and then never reaches an idle timeout.
 */
const LIMITS = { login: 2 * MINUTE, email: 10 * MINUTE };

/** Timeouts of a session, and the signal that cuts them short. */
export type SmtpOptions = typeof TIMEOUTS & {
  limits: typeof LIMITS;
  /** Aborted when the daemon stops. The server then gets a few more seconds. */
  stopping: AbortSignal;
};

/** In bytes. A socket accepts about this much in one write. */
const PIECE_BYTES = 64 * 1024;

/** A logged-in SMTP connection of one account that sends one email after another. It neither queues nor retries. */
export class SmtpSession {
  readonly #connection: SmtpConnection;
  readonly #limits: Limits;
  #isUsed = false;

  private constructor(connection: SmtpConnection, emailLimit: number, stopping: AbortSignal | undefined) {
    this.#connection = connection;
    this.#limits = { within: emailLimit, stopping };
  }

  /** Connects and logs in. Returns the outcome instead of a session if that fails. */
  static async open(login: SmtpLogin, options: Partial<SmtpOptions> = {}): Promise<SmtpSession | Outcome> {
    // Loaded with the first connection: most commands open no connection.
    const { SmtpConnection } = await import('./nodemailer.ts');
    const { limits = LIMITS, stopping, ...timeouts } = options;
    const connection = new SmtpConnection({ ...connectionOptions(login), ...TIMEOUTS, ...timeouts });
    const session = new SmtpSession(connection, limits.email, stopping);
    try {
      return await withDeadline({ within: limits.login, stopping }, (deadline) => session.#login(login, deadline));
    } catch (error) {
      return { kind: 'unsent', phase: 'connect', text: messageOf(error) };
    }
  }

  async #login(login: SmtpLogin, deadline: Deadline): Promise<SmtpSession | Outcome> {
    const connection = this.#connection;
    deadline.closes(connection);
    try {
      await connection.connect();
    } catch (error) {
      connection.close();
      if (deadline.isOver) throw error;
      return refusalOf(error as SmtpError, 'connect');
    }
    try {
      if (login.user !== null) await connection.login({ ...login, user: login.user });
      return this;
    } catch (error) {
      connection.close();
      if (deadline.isOver) throw error;
      const refusal = refusalOf(error as SmtpError, 'auth');
      return { ...refusal, text: scrub(refusal.text, login) };
    }
  }

  /** True after the first email was accepted or refused. Servers close used connections at any time, so a failure of one says little. */
  get isUsed(): boolean {
    return this.#isUsed;
  }

  get isOpen(): boolean {
    return this.#connection.isOpen;
  }

  /**
   * Sends one email. The envelope goes out immediately, the message only after `isPermitted` resolves to true: until then the server
   * has no line of the email and cannot deliver it. If `isPermitted` resolves to false or rejects, the outcome is `unsent`, and the
   * connection is closed, because the server is waiting for a message on it (RFC 5321 §4.1.1.4).
   *
   * The message is a stream because nodemailer reports the same error before and after the final dot. Only a stream that was read
   * to its end shows that the dot may have been sent.
   */
  async send(envelope: Envelope, message: Message, isPermitted: () => Promise<boolean> = async () => true): Promise<Outcome> {
    const problem = this.#problemOf(envelope, message.length);
    if (problem !== undefined) return { kind: 'unwritable', text: problem };
    const stream = heldBack(message, isPermitted());
    try {
      const info: SmtpAcceptance = await withDeadline(this.#limits, (deadline) => {
        deadline.closes(this.#connection);
        const { from, to, cc = [] } = envelope;
        return this.#connection.send({ from, to: [to, ...cc] }, stream, message.length);
      });
      // A server that accepts before it has the whole message has not accepted it.
      if (!stream.readableEnded) throw new Error(`the server replied before it had the message: ${info.response}`);
      this.#isUsed = true;
      const refused = (info.rejectedErrors ?? []).map((error) => ({ address: error.recipient ?? '', text: refusalOf(error, 'rcpt').text }));
      return { kind: 'accepted', response: info.response, serverMessageId: info.serverMessageId ?? null, refused };
    } catch (error) {
      // If all recipients were refused, the refusal of the To address determines the outcome.
      const own = (error as SmtpError).rejectedErrors?.find(({ recipient }) => recipient === envelope.to);
      const outcome = refusalOf(own ?? (error as SmtpError), 'data');
      if (outcome.kind === 'refused') {
        if (outcome.code !== 421) this.#isUsed = true;
        await this.#reset();
        // A 421 to a pipelined RCPT or DATA (RFC 2920) closes the connection, and nodemailer reports `CONN` as its command.
        return outcome.phase === 'connect' ? { ...outcome, phase: 'rcpt' } : outcome;
      }
      this.close();
      return stream.readableEnded ? { kind: 'uncertain', text: outcome.text } : outcome;
    }
  }

  close(): void {
    this.#connection.close();
  }

  /** Returns why this server cannot accept the email: a non-ASCII address needs SMTPUTF8 (RFC 6531 §3.2), or it is too large (RFC 1870). */
  #problemOf({ from, to, cc = [] }: Envelope, size: number): string | undefined {
    const { maxSize } = this.#connection;
    if (maxSize !== null && size > maxSize)
      return `the email is ${mebibytes(size)} MiB, and the server accepts at most ${mebibytes(maxSize)} MiB`;
    for (const address of [from, to, ...cc]) {
      if (/[\p{Cc}\s<>]/u.test(address) || !address.includes('@'))
        return `${JSON.stringify(address)} is not an address that SMTP can transport`;
      if (/[^\0-\x7f]/.test(address) && !this.#connection.offers('SMTPUTF8'))
        return `the address ${address} needs SMTPUTF8, which the server does not offer`;
    }
    return undefined;
  }

  /** Clears the transaction after a refusal, before the next email (RFC 5321 §4.1.1.5). */
  async #reset(): Promise<void> {
    if (this.isOpen) await this.#connection.reset().catch(() => this.close());
  }
}

const mebibytes = (bytes: number): string => (bytes / 1024 / 1024).toFixed(1);

/** Returns the message as a stream that emits nothing before `isPermitted` resolves, and fails if it resolves to false. */
function heldBack(message: Message, isPermitted: Promise<boolean>): Readable {
  const isShort = Buffer.isBuffer(message) && message.length <= PIECE_BYTES;
  const stream = isShort
    ? new Readable({ read: () => undefined })
    : Readable.from(permittedPieces(isPermitted, message), { objectMode: false });
  // nodemailer adds its error listener when it reads the stream. If the server refuses before that, this is the only listener.
  stream.on('error', () => undefined);
  isPermitted.then(
    (may) => {
      if (!may) return stream.destroy(new Error('the email was not permitted'));
      if (!isShort) return undefined;
      stream.push(message);
      return stream.push(null);
    },
    (error: Error) => stream.destroy(error),
  );
  return stream;
}

/**
 * Yields the pieces of a long message, each read when there is room for it. So when the stream has ended, all but the last buffers were
 * sent.
 */
async function* permittedPieces(isPermitted: Promise<boolean>, message: Message): AsyncGenerator<Buffer> {
  if (!(await isPermitted)) return;
  const start = Buffer.isBuffer(message) ? message : message.start;
  for (let at = 0; at < start.length; at += PIECE_BYTES) yield start.subarray(at, at + PIECE_BYTES);
  if (!Buffer.isBuffer(message)) yield* message.rest();
}

function connectionOptions(login: SmtpLogin) {
  return {
    host: login.host,
    port: login.port,
    secure: login.secure,
    requireTLS: login.requireTLS,
    ignoreTLS: !login.secure && !login.requireTLS,
    name: login.name,
    lookup: login.lookup,
    tls: { minVersion: 'TLSv1.2' as const },
  };
}

function refusalOf(error: SmtpError, latest: Phase): Extract<Outcome, { kind: 'refused' | 'unsent' }> {
  const text = oneLine(serverWords(error));
  const phase = phaseOf(error.command) ?? latest;
  if (error.responseCode !== undefined && error.responseCode >= 400)
    return { kind: 'refused', phase, command: commandOf(error.command), code: error.responseCode, text };
  return { kind: 'unsent', phase, text };
}

/** Returns the name of the refused command. nodemailer's `CONN` stands for the greeting: the server refused before any command. */
const commandOf = (command = 'CONN'): string => (command === 'CONN' ? 'greeting' : command);

/** Formats the refused command and the server's reply: `AUTH PLAIN: 535 5.7.8 wrong password`. */
export const refusedCommand = ({ command, text }: Extract<Outcome, { kind: 'refused' }>): string => `${command}: ${text}`;

function phaseOf(command: string | undefined): Phase | undefined {
  if (command === undefined) return undefined;
  if (command.startsWith('AUTH')) return 'auth';
  if (command.startsWith('MAIL')) return 'mail';
  if (command.startsWith('RCPT')) return 'rcpt';
  if (command === 'DATA') return 'data';
  if (['CONN', 'EHLO', 'HELO', 'STARTTLS'].includes(command)) return 'connect';
  return undefined;
}
