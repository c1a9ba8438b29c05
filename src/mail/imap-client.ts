import type { LookupFunction } from 'node:net';
import { createSecureContext, type SecureContext } from 'node:tls';
import type { ImapFlow } from 'imapflow';
import { MINUTE, SECOND } from '../core/clock.ts';

/** Address and credentials of an account's IMAP server. Unsealed, so never logged. */
export interface ImapLogin {
  host: string;
  port: number;
  /** True for implicit TLS (port 993, RFC 8314 §3.2); else STARTTLS, which `requireTLS` makes mandatory. */
  secure: boolean;
  requireTLS: boolean;
  user: string;
  pass?: string;
  /** OAuth 2.0 access token, used instead of `pass`. */
  accessToken?: string;
  /** Finds the addresses to connect to; without it the operating system does. */
  lookup?: LookupFunction;
}

/** In milliseconds. An IDLE is renewed after `maxIdleTime`. `answerTimeout`: see `answerTimeoutOf`. */
export type ImapTimings = Partial<typeof TIMEOUTS> & { maxIdleTime?: number; answerTimeout?: number };

const TIMEOUTS = { connectionTimeout: 30 * SECOND, greetingTimeout: 30 * SECOND, socketTimeout: 5 * MINUTE };

/** The answer to who asks (ID, RFC 2971). imapflow would name itself, its makers and where to report its faults; it leaves out what is empty. */
const CLIENT_INFO = { name: 'Outreach', version: '', vendor: '', 'support-url': '' };

/** In bytes: the most that is ever asked for of a message. */
const MAX_FETCH_BYTES = 1024 * 1024;
/** Most messages that one SEARCH may be about, so that its answer, a line with a UID of 11 bytes for each, is no longer than a line may be. */
export const SEARCH_WINDOW = 1_000;
/**
 * Limits of what one command may bring in: a little more than is ever asked for. imapflow takes ten lines apart in one go, in which nobody else is
 * served: 64 KiB cost up to 0.1 s and 15 MB of heap (docs/decisions/polls-are-bounded.md). `text` is all that a command brings in but literals; the
 * folders of a mailbox may take more, and messages less, as each of them may be asked for over a new connection. A line counts as `shortestLine` at
 * least: each takes 10 µs, and imapflow does not pause within the 64 KiB that a socket gives at a time.
 */
const LIMITS = {
  line: 12 * 1024,
  literal: 1.25 * MAX_FETCH_BYTES,
  response: 1.5 * MAX_FETCH_BYTES,
  bytes: 2.5 * MAX_FETCH_BYTES,
  text: { folders: 256 * 1024, messages: 8 * 1024, other: 64 * 1024 },
  shortestLine: 64,
};

/** The most text that a command may bring in, by its line. */
function mostTextOf(command: string): number {
  if (/^\S+ X?LIST\b/.test(command)) return LIMITS.text.folders;
  return / FETCH \S+ \(.*\bBODY/.test(command) ? LIMITS.text.messages : LIMITS.text.other;
}

let context: SecureContext | undefined;

/** Returns the TLS context of all connections. One each would cost time at every login, and memory for as long as it is open. */
const sharedContext = (): SecureContext => (context ??= createSecureContext({ minVersion: 'TLSv1.2' }));

const refusals = new WeakMap<ImapFlow, () => unknown>();
const answerTimeouts = new WeakMap<ImapFlow, number>();

/**
 * Milliseconds after which a server that says nothing gives no answer. Two of them and a login are less than the time in which a poll has to begin with the
 * messages that came, so a message that silences its server does not keep the others from being read.
 */
export const answerTimeoutOf = (client: ImapFlow): number => answerTimeouts.get(client) ?? ANSWER_TIMEOUT;
const ANSWER_TIMEOUT = 45 * SECOND;

/**
 * The error of the latest command that the server refused on this connection; undefined if there is none. imapflow returns false for a
 * refused STATUS or SEARCH, and tells only its logger why.
 */
export const latestRefusal = (client: ImapFlow): unknown => refusals.get(client)?.();

/** The loss of a connection as an error, with the words of the server's BYE if it said any. */
export const connectionLost = ({ byeReason }: ImapFlow): Error =>
  new Error(byeReason === undefined ? 'the connection was lost' : `BYE ${byeReason}`);

/** Creates an IMAP client for one connection, not connected yet: call `connect()`, work, `logout()`. */
export async function imapClient(login: ImapLogin, { answerTimeout, ...timings }: ImapTimings = {}): Promise<ImapFlow> {
  // Loaded with the first connection: it takes 30 ms, and most commands open none.
  const { ImapFlow } = await import('imapflow');
  const { host, port, secure, requireTLS, user, pass, accessToken, lookup } = login;
  let refusal: unknown;
  let text = 0;
  let mostText: number = LIMITS.text.other;
  let bytesBefore = 0;
  // imapflow tells its logger every line that it sends and has taken, without the literals.
  const onLine = ({ src, msg = '' }: { src?: string; msg?: string }) => {
    if (src === 'c') {
      [text, bytesBefore] = [0, client.stats().received];
      mostText = mostTextOf(msg);
    }
    if (src !== 's') return;
    text += Math.max(msg.length, LIMITS.shortestLine);
    if (text > mostText || client.stats().received - bytesBefore > LIMITS.bytes) client.close();
  };
  const silent = () => undefined;
  const noteRefusal = ({ err }: { err?: unknown }) => {
    if (err !== undefined) refusal = err;
  };
  const client: ImapFlow = new ImapFlow({
    host,
    port,
    secure,
    ...(secure ? {} : { doSTARTTLS: requireTLS }),
    // Also for connections without TLS: these are the options of the socket.
    tls: { secureContext: sharedContext(), ...(lookup === undefined ? {} : { lookup }) },
    auth: accessToken === undefined ? { user, pass: pass ?? '' } : { user, accessToken },
    clientInfo: CLIENT_INFO,
    logger: { trace: onLine, debug: onLine, info: silent, warn: noteRefusal, error: onLine, fatal: silent },
    disableAutoIdle: true,
    maxLiteralSize: LIMITS.literal,
    maxResponseSize: LIMITS.response,
    maxLineLength: LIMITS.line,
    ...TIMEOUTS,
    ...timings,
  });
  // A lost connection rejects the pending command; its `error` event would end the process if nobody listened.
  client.on('error', () => undefined);
  refusals.set(client, () => refusal);
  if (answerTimeout !== undefined) answerTimeouts.set(client, answerTimeout);
  return client;
}
