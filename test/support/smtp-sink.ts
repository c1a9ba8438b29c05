import { readFileSync } from 'node:fs';
import type { AddressInfo, Socket } from 'node:net';
import { buffer } from 'node:stream/consumers';
import { SMTPServer, type SMTPServerAuthentication, type SMTPServerDataStream, type SMTPServerSession } from 'smtp-server';
import { waitUntil } from './wait-until.ts';

/** An email that the sink accepted. */
export interface SinkMessage {
  from: string;
  to: string[];
  raw: Buffer;
  /** Unfolded values by lower-case name; for a repeated field, the first. */
  headers: Map<string, string>;
  /** The user who was logged in. */
  user: string;
  /** The size that the client announced in MAIL FROM, if any. */
  size: number | undefined;
}

/** Where a session can go wrong; `data` is the answer to the message's final dot. */
export type SinkPhase = 'connect' | 'auth' | 'mail' | 'rcpt' | 'data';

/**
 * The sink's misbehaviour: refuse with that reply; never answer; cut the connection instead of answering (at `data` when the command comes,
 * before the message). At `data` also: cut it after the final dot, having accepted the email (`drop`) or not (`lose`), or accept the email
 * and not answer before `release` (`hold`).
 */
export type Misbehaviour = { code: number; text: string } | 'stall' | 'close' | 'drop' | 'lose' | 'hold';

interface MisbehaviourOptions {
  /** The number of times; by default forever. */
  times?: number;
  /** Only for emails to this address; from phase `rcpt` on. */
  to?: string;
}

export interface SmtpSinkOptions {
  /** Passwords by user; a login is required. */
  users: Record<string, string>;
  /** OAuth 2.0 access tokens by user; XOAUTH2 is offered if there are any. */
  tokens?: Record<string, string>;
  /** TLS from the first byte, or after STARTTLS; by default none. The certificate is `TEST_CERTIFICATE`. */
  tls?: 'implicit' | 'starttls';
  port?: number;
}

export interface SmtpSink {
  readonly port: number;
  /** Every accepted email, in order. Each is recorded before the client gets its reply. */
  readonly messages: SinkMessage[];
  /** Successful logins so far. */
  readonly logins: number;
  misbehave(phase: SinkPhase, how: Misbehaviour, options?: MisbehaviourOptions): void;
  /** Ends all misbehaviour. Held emails stay held. */
  behave(): void;
  /** Answers 250 for all held emails, including those that are just being received to be held. */
  release(): void;
  /** Announces the maximum message size in bytes in new sessions (RFC 1870); undefined for no limit. */
  limitSize(bytes: number | undefined): void;
  /** Waits until that many emails have arrived, and returns them. */
  waitFor(count: number, seconds?: number): Promise<SinkMessage[]>;
  /** Cuts every connection and stops listening. */
  close(): Promise<void>;
}

const pathOf = (name: string) => new URL(`./tls/localhost.${name}`, import.meta.url);

/** Path of the self-signed certificate for localhost and 127.0.0.1 that both mail servers present; NODE_EXTRA_CA_CERTS makes it trusted. */
export const TEST_CERTIFICATE = pathOf('crt').pathname;
export const TEST_CERTIFICATE_KEY = pathOf('key').pathname;

interface Rule extends MisbehaviourOptions {
  phase: SinkPhase;
  how: Misbehaviour;
}

type Answer = (error?: Error | null) => void;

/** Starts a real SMTP server on a free port of the loopback interface that keeps all emails and fails when told to. */
export async function startSmtpSink(options: SmtpSinkOptions): Promise<SmtpSink> {
  const messages: SinkMessage[] = [];
  const sockets = new Map<number, Socket>();
  let rules: Rule[] = [];
  const held: Answer[] = [];
  let releases = 0;
  let logins = 0;

  const misbehaviour = (phase: SinkPhase, to: string[] = []): Misbehaviour | undefined => {
    const rule = rules.find((one) => one.phase === phase && one.times !== 0 && (one.to === undefined || to.includes(one.to)));
    if (rule?.times !== undefined) rule.times--;
    return rule?.how;
  };
  const cut = (session: SMTPServerSession) => sockets.get(session.remotePort)?.destroy();
  const carryOut = (how: Misbehaviour | undefined, session: SMTPServerSession, answer: Answer) => {
    if (how === undefined) answer();
    else if (typeof how === 'object') answer(Object.assign(new Error(how.text), { responseCode: how.code }));
    else if (how === 'hold') held.push(answer);
    else if (how !== 'stall') cut(session);
  };

  const server = new SMTPServer({
    ...(options.tls === undefined
      ? { disabledCommands: ['STARTTLS'], allowInsecureAuth: true }
      : { secure: options.tls === 'implicit', key: readFileSync(TEST_CERTIFICATE_KEY), cert: readFileSync(TEST_CERTIFICATE) }),
    authMethods: options.tokens === undefined ? ['PLAIN', 'LOGIN'] : ['PLAIN', 'LOGIN', 'XOAUTH2'],
    disableReverseLookup: true,
    logger: false,
    onConnect: (session, answer) => carryOut(misbehaviour('connect'), session, answer),
    onAuth(auth, session, answer) {
      const how = misbehaviour('auth');
      if (how !== undefined) return carryOut(how, session, answer);
      if (!isRight(options, auth)) return refuseLogin(auth, answer);
      logins++;
      answer(null, { user: auth.username });
    },
    onMailFrom: (_address, session, answer) => carryOut(misbehaviour('mail'), session, answer),
    onRcptTo: (address, session, answer) => carryOut(misbehaviour('rcpt', [address.address]), session, answer),
    async onData(stream, session, answer) {
      const message = envelopeOf(session);
      const how = misbehaviour('data', message.to);
      const before = releases;
      // Before the stream is read and 354 is sent.
      if (how === 'close') return void cut(session);
      const raw = await contentOf(stream);
      if (raw === undefined) return;
      if (how === undefined || how === 'drop' || how === 'hold') messages.push({ ...message, raw, headers: headersOf(raw) });
      // An email that was being received when the held ones were answered is answered with them.
      carryOut(how === 'hold' && releases > before ? undefined : how, session, answer);
    },
  });
  // The server ignores clients that cut a connection or distrust the certificate.
  server.on('error', () => undefined);
  server.server.on('connection', (socket) => {
    const port = socket.remotePort ?? 0;
    sockets.set(port, socket);
    socket.on('error', () => undefined);
    socket.once('close', () => sockets.delete(port));
  });
  await new Promise<void>((resolve, reject) => {
    server.server.once('error', reject);
    server.listen(options.port ?? 0, '127.0.0.1', resolve);
  });

  return {
    port: (server.server.address() as AddressInfo).port,
    messages,
    get logins() {
      return logins;
    },
    misbehave: (phase, how, limits = {}) => void rules.push({ phase, how, ...limits }),
    limitSize(bytes) {
      server.options.size = bytes;
    },
    behave() {
      rules = [];
    },
    release() {
      releases++;
      for (const answer of held.splice(0)) answer();
    },
    waitFor: (count, seconds = 60) => waitUntil(`${count} mails`, () => (messages.length >= count ? messages : undefined), seconds),
    close: () =>
      new Promise((resolve) => {
        server.close(() => resolve());
        for (const socket of sockets.values()) socket.destroy();
      }),
  };
}

function isRight({ users, tokens = {} }: SmtpSinkOptions, auth: SMTPServerAuthentication): boolean {
  const user = auth.username ?? '';
  if (auth.method === 'XOAUTH2') return tokens[user] !== undefined && tokens[user] === auth.accessToken;
  return users[user] !== undefined && users[user] === auth.password;
}

/** Refuses a login as Gmail does: for a token, first a JSON challenge, then 535. */
function refuseLogin(auth: SMTPServerAuthentication, answer: (error: null, response: object) => void): void {
  if (auth.method === 'XOAUTH2') answer(null, { data: { status: '401', schemes: 'bearer', scope: 'https://mail.google.com/' } });
  else answer(null, { message: '5.7.8 Username and Password not accepted', responseCode: 535 });
}

function envelopeOf({ envelope, user }: SMTPServerSession): Pick<SinkMessage, 'from' | 'to' | 'user' | 'size'> {
  const { mailFrom, rcptTo } = envelope;
  const size = mailFrom === false || mailFrom.args === false ? undefined : (mailFrom.args as { SIZE?: string }).SIZE;
  return {
    from: mailFrom === false ? '' : mailFrom.address,
    to: rcptTo.map(({ address }) => address),
    user: String(user ?? ''),
    size: size === undefined ? undefined : Number(size),
  };
}

/** Returns the message, or undefined if the client disconnected in the middle of it. */
const contentOf = (stream: SMTPServerDataStream): Promise<Buffer | undefined> => buffer(stream).catch(() => undefined);

function headersOf(raw: Buffer): Map<string, string> {
  const headers = new Map<string, string>();
  const block = raw.toString('utf8').split('\r\n\r\n', 1)[0] ?? '';
  for (const field of block.replaceAll(/\r\n(?=[ \t])/g, '').split('\r\n')) {
    const colon = field.indexOf(':');
    const name = field.slice(0, colon).toLowerCase();
    if (colon > 0 && !headers.has(name)) headers.set(name, field.slice(colon + 1).trim());
  }
  return headers;
}
