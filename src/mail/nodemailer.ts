import { connect, type LookupFunction, type Socket } from 'node:net';
import type { Readable } from 'node:stream';
import SMTPConnection, { type SMTPConnectionOptions } from 'nodemailer/lib/smtp-connection';
import XOAuth2 from 'nodemailer/lib/xoauth2';
import { SECOND } from '../core/clock.ts';

/**
 * Uses the parts below nodemailer's transporter. The package exports and types them, but does not guarantee their behaviour.
 * A transporter will not do: it retries by itself, and its errors don't distinguish a connection lost before the final dot from
 * one lost after it. `test/mail/nodemailer-upgrade.test.ts` checks the behaviour that we rely on.
 */

/** An error of a connection, with the failed command and the server's reply if there are any. */
export interface SmtpError extends Error {
  command?: string;
  response?: string;
  responseCode?: number;
  /** The address of a refused RCPT TO. */
  recipient?: string;
  /** One error for each refused recipient. */
  rejectedErrors?: SmtpError[];
}

export interface SmtpCredentials {
  user: string;
  pass?: string | undefined;
  accessToken?: string | undefined;
}

/** The server's reply to a message that it accepted. */
export interface SmtpAcceptance {
  response: string;
  /** The Message-ID that the server assigned to the message, if its reply names one. */
  serverMessageId?: string | undefined;
  /** One error for each recipient that was refused. */
  rejectedErrors?: SmtpError[] | undefined;
}

/** Login mechanisms with a password, the strongest first: CRAM-MD5 does not send the password. */
const PASSWORD_MECHANISMS = ['CRAM-MD5', 'PLAIN', 'LOGIN'];

/** Returns an error for a server that offers none of our login mechanisms, worded like the server's own refusal. */
function noMechanism(offered: readonly string[], ours: readonly string[]): SmtpError {
  const response = `504 5.5.4 the server offers ${offered.length === 0 ? 'no login (AUTH)' : `AUTH ${offered.join(' ')}`}, and none of ${ours.join(', ')}`;
  return refusedAs('AUTH', response);
}

/** Returns the error of a command that was refused with this reply. */
const refusedAs = (command: string, response: string): SmtpError =>
  Object.assign(new Error(response), { command, response, responseCode: Number(response.slice(0, 3)) });

/**
 * True for the reply to EHLO of a server that knows only HELO (RFC 5321 §3.2). Any other refusal has a reason that HELO does not remove.
 */
const isUnknownCommand = (reply: string): boolean => /^50[02]/.test(reply);

/** True for a refusal after which another mechanism may succeed: CRAM-MD5 fails at servers that store passwords as hashes. */
const isAboutMechanism = ({ responseCode }: SmtpError, method: string): boolean =>
  [500, 501, 502, 503, 504, 534, 553].includes(responseCode ?? 0) || (responseCode === 535 && method === 'CRAM-MD5');

/** Milliseconds. */
const CONNECTION_TIMEOUT = 30 * SECOND;

interface SmtpOptions extends SMTPConnectionOptions {
  host: string;
  port: number;
  /** Resolves the host; by default the operating system does. */
  lookup?: LookupFunction | undefined;
}

/** One SMTP connection. Every command rejects with an SmtpError, also if the connection is lost while it waits. */
export class SmtpConnection {
  readonly #socket: Socket;
  readonly #connection: SMTPConnection;
  #isOpen = true;
  #ehloReply = '';
  /** The server's refusal of EHLO. Nodemailer forgets it and sends HELO. */
  #refusedEhlo: string | undefined;
  #fail: ((error: SmtpError) => void) | undefined;

  constructor({ lookup, ...options }: SmtpOptions) {
    const { host, port, connectionTimeout = CONNECTION_TIMEOUT } = options;
    // Our own socket, because nodemailer resolves names itself and connects to any address.
    this.#socket = connect({ host, port, timeout: connectionTimeout, ...(lookup === undefined ? {} : { lookup }) });
    this.#socket.once('timeout', () => this.#socket.destroy(new Error('Connection timeout')));
    // No timeout on closing: nodemailer would keep reading for a while, whatever the server sends.
    this.#connection = new SMTPConnection({
      ...{ ...options, connection: this.#socket, socketCloseTimeout: 0, transactionLog: true, logger: this.#dialogue() },
    });
    this.#connection.on('error', (error: SmtpError) => this.#lost(error));
    this.#connection.on('end', () => this.#lost(new Error('the server closed the connection')));
  }

  get isOpen(): boolean {
    return this.#isOpen;
  }

  /** Connects and sends EHLO, and again after STARTTLS. */
  connect(): Promise<void> {
    return this.#command((done) => {
      this.#socket.once('error', done);
      this.#socket.once('connect', () => {
        this.#socket.off('error', done).removeAllListeners('timeout');
        this.#connection.connect((error) => {
          // The last reply so far is the one to EHLO. Nodemailer exposes no list of extensions before a message is sent.
          this.#ehloReply = this.#connection.lastServerResponse || '';
          done(error);
        });
      });
    }).catch((error: SmtpError) => {
      throw error.command === 'HELO' ? (this.#reasonInEhlo ?? error) : error;
    });
  }

  /** Returns a logger for nodemailer that picks out the refusal of EHLO. */
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

  /** The refusal of EHLO, if it is the reason for a later failure. */
  get #reasonInEhlo(): SmtpError | undefined {
    const reply = this.#refusedEhlo;
    return reply === undefined || isUnknownCommand(reply) ? undefined : refusedAs('EHLO', reply);
  }

  /** True if the server announced the extension, such as `SMTPUTF8` (RFC 5321 §4.1.1.1). */
  offers(extension: string): boolean {
    return this.#ehloReply.split(/\r?\n/).some((line) => line.slice(4).split(' ')[0]?.toUpperCase() === extension);
  }

  /** The largest message that the server accepts, in bytes (SIZE, RFC 1870 §3); null if it does not say. */
  get maxSize(): number | null {
    const [, size] = /^250[ -]SIZE +(\d+)\s*$/im.exec(this.#ehloReply) ?? [];
    // Zero means no fixed limit.
    return Number(size ?? 0) || null;
  }

  /**
   * Logs in with a mechanism that the server offers (RFC 4954 §3), the strongest first. If the server announces a mechanism and then
   * refuses it, tries the next one. Sends no secret to a server that offers none of ours.
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

  /** The login mechanisms that the server announced, in upper case. Old servers write `AUTH=LOGIN`. */
  get #mechanisms(): string[] {
    const lines = this.#ehloReply.matchAll(/^250[ -]AUTH[ =](.*)$/gim);
    return [...lines].flatMap(([, names = '']) => names.trim().toUpperCase().split(/\s+/));
  }

  /**
   * Sends one message in one transaction. Rejects if the server accepts no recipient. nodemailer starts reading the stream only after the
   * server has replied 354 to DATA, and reads all of it before it sends the final dot. @param size bytes of the message, for the SIZE
   * parameter (RFC 1870)
   */
  send({ from, to }: { from: string; to: string[] }, message: Readable, size: number): Promise<SmtpAcceptance> {
    const envelope = { from, to, size, use8BitMime: false };
    return this.#command((done) => this.#connection.send(envelope, message, done));
  }

  /** Sends RSET. */
  reset(): Promise<void> {
    return this.#command((done) => this.#connection.reset(done));
  }

  /** Closes the connection. Rejects the command that is waiting for the server, if there is one. */
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
    // The server's last reply (421 before it closes) reaches the command's own callback first, and says more.
    const fail = this.#fail;
    setImmediate(() => fail?.(error));
  }
}
