import { connect, type LookupFunction, type Socket } from 'node:net';
import type { Readable } from 'node:stream';
import SMTPConnection, { type SMTPConnectionOptions } from 'nodemailer/lib/smtp-connection';
import XOAuth2 from 'nodemailer/lib/xoauth2';
import { SECOND } from '../core/clock.ts';

/**
 * The parts below nodemailer's transporter, which its package exports and types but whose workings it does not promise.
 * A transporter will not do: it retries by itself, and its errors don't tell a connection lost before the final dot from
 * one lost after it. `test/mail/nodemailer-upgrade.test.ts` holds what we rely on.
 */

/** An error of a connection, with the command it answers and the server's reply where there are any. */
export interface SmtpError extends Error {
  command?: string;
  response?: string;
  responseCode?: number;
  /** Of a refused RCPT TO: the address. */
  recipient?: string;
  /** The refusals of the recipients, one by one. */
  rejectedErrors?: SmtpError[];
}

export interface SmtpCredentials {
  user: string;
  pass?: string | undefined;
  accessToken?: string | undefined;
}

/** The server's reply to a message that it took. */
export interface SmtpAcceptance {
  response: string;
  /** The Message-ID that the server gave the message, where its reply names one. */
  serverMessageId?: string | undefined;
  /** The refusals of some of the recipients. */
  rejectedErrors?: SmtpError[] | undefined;
}

/** Logins with a password, the strongest first: CRAM-MD5 does not send it. */
const PASSWORD_MECHANISMS = ['CRAM-MD5', 'PLAIN', 'LOGIN'];

/** A refusal as a server would word it, which offers no login that we know. */
function noMechanism(offered: readonly string[], ours: readonly string[]): SmtpError {
  const response = `504 5.5.4 the server offers ${offered.length === 0 ? 'no login (AUTH)' : `AUTH ${offered.join(' ')}`}, and none of ${ours.join(', ')}`;
  return refusedAs('AUTH', response);
}

/** The error of a command that was refused with this reply. */
const refusedAs = (command: string, response: string): SmtpError =>
  Object.assign(new Error(response), { command, response, responseCode: Number(response.slice(0, 3)) });

/** True for the reply to EHLO of a server that knows HELO only (RFC 5321 §3.2); any other refusal has a reason that HELO does not lift. */
const isUnknownCommand = (reply: string): boolean => /^50[02]/.test(reply);

/** True for a refusal after which another mechanism may be accepted: passwords that are stored as hashes can't serve CRAM-MD5. */
const isAboutMechanism = ({ responseCode }: SmtpError, method: string): boolean =>
  [500, 501, 502, 503, 504, 534, 553].includes(responseCode ?? 0) || (responseCode === 535 && method === 'CRAM-MD5');

/** Milliseconds. */
const CONNECTION_TIMEOUT = 30 * SECOND;

interface SmtpOptions extends SMTPConnectionOptions {
  host: string;
  port: number;
  /** Finds the addresses to connect to; without it the operating system does. */
  lookup?: LookupFunction | undefined;
}

/** One SMTP connection. Every command rejects with an SmtpError, also when the connection is lost while it waits. */
export class SmtpConnection {
  readonly #socket: Socket;
  readonly #connection: SMTPConnection;
  #isOpen = true;
  #ehloReply = '';
  /** The server's refusal of EHLO, after which nodemailer says HELO and forgets it. */
  #refusedEhlo: string | undefined;
  #fail: ((error: SmtpError) => void) | undefined;

  constructor({ lookup, ...options }: SmtpOptions) {
    const { host, port, connectionTimeout = CONNECTION_TIMEOUT } = options;
    // A socket of ours, since nodemailer looks names up by itself and takes whatever they lead to.
    this.#socket = connect({ host, port, timeout: connectionTimeout, ...(lookup === undefined ? {} : { lookup }) });
    this.#socket.once('timeout', () => this.#socket.destroy(new Error('Connection timeout')));
    // Closed at once: nodemailer would read on for a while, whatever the server sends.
    this.#connection = new SMTPConnection({
      ...{ ...options, connection: this.#socket, socketCloseTimeout: 0, transactionLog: true, logger: this.#dialogue() },
    });
    this.#connection.on('error', (error: SmtpError) => this.#lost(error));
    this.#connection.on('end', () => this.#lost(new Error('the server closed the connection')));
  }

  get isOpen(): boolean {
    return this.#isOpen;
  }

  /** Connects and says EHLO, after STARTTLS once more. */
  connect(): Promise<void> {
    return this.#command((done) => {
      this.#socket.once('error', done);
      this.#socket.once('connect', () => {
        this.#socket.off('error', done).removeAllListeners('timeout');
        this.#connection.connect((error) => {
          // The last reply so far; there is no list of extensions that nodemailer gives before a message is sent.
          this.#ehloReply = this.#connection.lastServerResponse || '';
          done(error);
        });
      });
    }).catch((error: SmtpError) => {
      throw error.command === 'HELO' ? (this.#reasonInEhlo ?? error) : error;
    });
  }

  /** A log of nodemailer's that listens for the reply to EHLO. */
  #dialogue(): NonNullable<SMTPConnectionOptions['logger']> {
    let command = '';
    return {
      debug: ({ tnx }: { tnx: string }, text: string) => {
        if (tnx === 'client') command = text.slice(0, 4);
        else if (tnx === 'server' && command === 'EHLO' && !text.startsWith('2')) this.#refusedEhlo = text;
      },
      info: () => undefined,
    };
  }

  /** The refusal of EHLO, where it is the reason of what failed since. */
  get #reasonInEhlo(): SmtpError | undefined {
    const reply = this.#refusedEhlo;
    return reply === undefined || isUnknownCommand(reply) ? undefined : refusedAs('EHLO', reply);
  }

  /** True when the server announced that extension, such as `SMTPUTF8` (RFC 5321 §4.1.1.1). */
  offers(extension: string): boolean {
    return this.#ehloReply.split(/\r?\n/).some((line) => line.slice(4).split(' ')[0]?.toUpperCase() === extension);
  }

  /** The largest message that the server takes, in bytes (SIZE, RFC 1870 §3); null if it does not say. */
  get maxSize(): number | null {
    const [, size] = /^250[ -]SIZE +(\d+)\s*$/im.exec(this.#ehloReply) ?? [];
    // Zero means no fixed limit.
    return Number(size ?? 0) || null;
  }

  /**
   * Logs in with the mechanisms that the server offers (RFC 4954 §3), the strongest first: one that it announces and then refuses is followed by the
   * next. A server that offers none of ours gets no secret.
   */
  async login({ user, pass = '', accessToken }: SmtpCredentials): Promise<void> {
    const ours = accessToken === undefined ? PASSWORD_MECHANISMS : ['XOAUTH2'];
    const offered = this.#mechanisms;
    let refusal = this.#reasonInEhlo ?? noMechanism(offered, ours);
    for (const method of ours.filter((each) => offered.includes(each))) {
      const auth =
        accessToken === undefined ? { method, credentials: { user, pass } } : { user, oauth2: new XOAuth2({ user, accessToken }) };
      try {
        return await this.#command((done) => this.#connection.login(auth, done));
      } catch (error) {
        refusal = error as SmtpError;
        if (!this.isOpen || !isAboutMechanism(refusal, method)) break;
      }
    }
    throw refusal;
  }

  /** The mechanisms of the login that the server announced, in upper case; old servers write `AUTH=LOGIN`. */
  get #mechanisms(): string[] {
    const lines = this.#ehloReply.matchAll(/^250[ -]AUTH[ =](.*)$/gim);
    return [...lines].flatMap(([, names = '']) => names.trim().toUpperCase().split(/\s+/));
  }

  /**
   * Sends one message in one transaction; it rejects if the server takes no recipient. nodemailer reads the stream only after the server
   * said 354 to DATA, and to its end before it sends the final dot. @param size bytes of the message, for the SIZE parameter (RFC 1870)
   */
  send({ from, to }: { from: string; to: string[] }, message: Readable, size: number): Promise<SmtpAcceptance> {
    const envelope = { from, to, size, use8BitMime: false };
    return this.#command((done) => this.#connection.send(envelope, message, done));
  }

  /** Says RSET. */
  reset(): Promise<void> {
    return this.#command((done) => this.#connection.reset(done));
  }

  /** Fails the command that is waiting for the server, if there is one. */
  close(): void {
    this.#lost(new Error('the connection was closed'));
    this.#connection.close();
    this.#socket.destroy();
  }

  #command<Result = void>(act: (done: (error?: SmtpError | null, result?: unknown) => void) => void): Promise<Result> {
    return new Promise<Result>((resolve, reject) => {
      this.#fail = reject;
      act((error, result) => (error ? reject(error) : resolve(result as Result)));
    }).finally(() => {
      this.#fail = undefined;
    });
  }

  #lost(error: SmtpError): void {
    this.#isOpen = false;
    // What the server said last (421 before it closes) reaches the command's own callback first, and says more.
    const fail = this.#fail;
    setImmediate(() => fail?.(error));
  }
}
