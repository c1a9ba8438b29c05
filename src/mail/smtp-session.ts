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
  /** True for implicit TLS (port 465, RFC 8314 §3.3); else STARTTLS, which `requireTLS` makes mandatory. */
  secure: boolean;
  requireTLS: boolean;
  /** Null for a server that needs no login. */
  user: string | null;
  pass?: string;
  /** OAuth 2.0 access token, used instead of `pass`. */
  accessToken?: string;
  /** The host name for EHLO. */
  name: string;
  /** Finds the addresses to connect to; without it the operating system does. */
  lookup?: LookupFunction;
}

/** Outcome of one SMTP delivery attempt. */
export type Outcome =
  /** The server accepted the email and is now responsible for it (RFC 5321 §4.2.5), but for the recipients that it refused. */
  | { kind: 'accepted'; response: string; serverMessageId: string | null; refused: readonly { address: string; text: string }[] }
  /** The server replied with 4xx or 5xx to `command`: it does not have the email. */
  | { kind: 'refused'; phase: Phase; command: string; code: number | null; text: string }
  /** The server's extensions do not allow this envelope. Nothing was sent, and the session can be used further. */
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
 * In milliseconds, for all of it: to connect and log in, and to hand over one email. Longer than what RFC 5321 §4.5.3.2 grants to one command
 * each, because a server that sends a line now and then would never reach a limit of silence.
 */
const LIMITS = { login: 2 * MINUTE, email: 10 * MINUTE };

/** The times that a session waits for its server. */
export type SmtpOptions = typeof TIMEOUTS & {
  limits: typeof LIMITS;
  /** Aborted when the daemon stops: the server then has a few seconds left. */
  stopping: AbortSignal;
};

/** In bytes. A socket takes about as much at once. */
const PIECE_BYTES = 64 * 1024;

/** A logged-in SMTP connection of one account, used for one email after another. It neither queues nor retries. */
export class SmtpSession {
  readonly #connection: SmtpConnection;
  readonly #limits: Limits;
  #isUsed = false;

  private constructor(connection: SmtpConnection, emailLimit: number, stopping: AbortSignal | undefined) {
    this.#connection = connection;
    this.#limits = { within: emailLimit, stopping };
  }

  /**
   * Connects and logs in. Returns the outcome instead of a session where that fails.
   */
  static async open(login: SmtpLogin, options: Partial<SmtpOptions> = {}): Promise<SmtpSession | Outcome> {
    // Loaded with the first connection: most commands open none.
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

  /** True after the first email, whether it was accepted or refused. Servers close a used connection whenever they like, so its failure says little. */
  get isUsed(): boolean {
    return this.#isUsed;
  }

  get isOpen(): boolean {
    return this.#connection.isOpen;
  }

  /**
   * Sends one email. The envelope goes out at once, the message only after `isPermitted` resolves to true: a server that has no
   * line of an email cannot have it. Where `isPermitted` resolves to false or rejects, the email is unsent, and the connection is
   * closed, because the server waits for a message on it (RFC 5321 §4.1.1.4).
   *
   * The message is a stream because nodemailer's error is the same before and after the final dot; only a stream that was
   * read to its end tells that the dot was sent.
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
      // Of several recipients that were all refused, the first one's refusal says what becomes of the email.
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

  /** The reason why this server cannot take the email: non-ASCII local parts need SMTPUTF8 (RFC 6531 §3.2), and it may be too large (RFC 1870). */
  #problemOf({ from, to, cc = [] }: Envelope, size: number): string | undefined {
    const { maxSize } = this.#connection;
    if (maxSize !== null && size > maxSize)
      return `the email has ${mebibytes(size)} MiB, and the server takes at most ${mebibytes(maxSize)} MiB`;
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

/** The message as a stream that emits nothing before `isPermitted` resolves, and fails where it resolves to false. */
function heldBack(message: Message, isPermitted: Promise<boolean>): Readable {
  const isShort = Buffer.isBuffer(message) && message.length <= PIECE_BYTES;
  const stream = isShort ? new Readable({ read: () => undefined }) : Readable.from(after(isPermitted, message), { objectMode: false });
  // nodemailer listens for errors; nobody does when the server refused before it read the stream.
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

/** The pieces of a long message, each read when there is room for it: so a stream that has ended was sent, but for the last buffers. */
async function* after(isPermitted: Promise<boolean>, message: Message): AsyncGenerator<Buffer> {
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

/** nodemailer's `CONN` is no command: the server refused before one was said. */
const commandOf = (command = 'CONN'): string => (command === 'CONN' ? 'greeting' : command);

/** The server's words, and the command that it refused: `AUTH PLAIN: 535 5.7.8 wrong password`. */
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
