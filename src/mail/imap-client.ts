import type { LookupFunction } from 'node:net';
import { createSecureContext, type SecureContext } from 'node:tls';
import type { ImapFlow } from 'imapflow';
import { MINUTE, SECOND } from '../core/clock.ts';

/** Address and credentials of an account's IMAP server. Unsealed, so never logged. */
export interface ImapLogin {
  host: string;
  port: number;
  /** True for implicit TLS (port 993, RFC 8314 §3.2); otherwise STARTTLS, which `requireTLS` makes mandatory. */
  secure: boolean;
  requireTLS: boolean;
  user: string;
  pass?: string;
  /** OAuth 2.0 access token, used instead of `pass`. */
  accessToken?: string;
  /** Resolves the host; by default the operating system does. */
  lookup?: LookupFunction;
}

/** In milliseconds. An IDLE is renewed after `maxIdleTime`. `answerTimeout`: see `answerTimeoutOf`. */
export type ImapTimings = Partial<typeof TIMEOUTS> & { maxIdleTime?: number; answerTimeout?: number };

const TIMEOUTS = { connectionTimeout: 30 * SECOND, greetingTimeout: 30 * SECOND, socketTimeout: 5 * MINUTE };

/**
 * The identification in the ID command (RFC 2971). By default imapflow names itself, its vendor and its support URL; it omits empty values.
 */
const CLIENT_INFO = { name: 'Outreach', version: '', vendor: '', 'support-url': '' };

/** The most bytes of a message that any fetch requests. */
const MAX_FETCH_BYTES = 1024 * 1024;
/**
 * Most messages that one SEARCH may cover. The response is one line with up to 11 bytes for each UID, and must not exceed the limit of a
 * line.
 */
export const SEARCH_WINDOW = 1_000;
/**
 * Limits on the response to one command: a little more than any command requests. imapflow parses ten lines without yielding, which blocks
 * the event loop: 64 KiB take up to 0.1 s and 15 MB of heap (docs/decisions/polls-are-bounded.md). `text` limits everything but literals.
 * The list of folders may be longer; messages must be shorter, because each may be fetched over a new connection. A line counts as at least
 * `shortestLine` bytes, because each takes 10 µs and imapflow does not yield within the 64 KiB that a socket delivers at a time.
 */
const LIMITS = {
  line: 12 * 1024,
  literal: 1.25 * MAX_FETCH_BYTES,
  response: 1.5 * MAX_FETCH_BYTES,
  bytes: 2.5 * MAX_FETCH_BYTES,
  text: { folders: 256 * 1024, messages: 8 * 1024, other: 64 * 1024 },
  shortestLine: 64,
};

/** Returns the limit on the text of the response to a command line. */
function textLimitOf(command: string): number {
  if (/^\S+ X?LIST\b/.test(command)) return LIMITS.text.folders;
  return / FETCH \S+ \(.*\bBODY/.test(command) ? LIMITS.text.messages : LIMITS.text.other;
}

let context: SecureContext | undefined;

/**
 * Returns the TLS context shared by all connections. A context for each would take time at every login, and memory while the connection is
 * open.
 */
const sharedContext = (): SecureContext => (context ??= createSecureContext({ minVersion: 'TLSv1.2' }));

const refusals = new WeakMap<ImapFlow, () => unknown>();
const answerTimeouts = new WeakMap<ImapFlow, number>();

/**
 * Returns the milliseconds after which a silent server counts as not answering. Two of these timeouts and a login fit into the time within
 * which a poll must start on the new messages, so a message that makes its server fall silent does not keep the others from being read.
 */
export const answerTimeoutOf = (client: ImapFlow): number => answerTimeouts.get(client) ?? ANSWER_TIMEOUT;
const ANSWER_TIMEOUT = 45 * SECOND;

/**
 * Returns the error of the latest command that the server refused on this connection; undefined if there is none. imapflow returns false
 * for a refused STATUS or SEARCH, and gives the reason only to its logger.
 */
export const latestRefusal = (client: ImapFlow): unknown => refusals.get(client)?.();

/** Returns an error for a lost connection, with the text of the server's BYE if it sent one. */
export const connectionLost = ({ byeReason }: ImapFlow): Error =>
  new Error(byeReason === undefined ? 'the connection was lost' : `BYE ${byeReason}`);

/** Creates an IMAP client for one connection, not connected yet: call `connect()`, work, `logout()`. */
export async function imapClient(login: ImapLogin, { answerTimeout, ...timings }: ImapTimings = {}): Promise<ImapFlow> {
  // Loaded with the first connection: it takes 30 ms, and most commands open no connection.
  const { ImapFlow } = await import('imapflow');
  const { host, port, secure, requireTLS, user, pass, accessToken, lookup } = login;
  let refusal: unknown;
  let text = 0;
  let textLimit: number = LIMITS.text.other;
  let bytesBefore = 0;
  // imapflow logs every line that it sends or receives, without the literals.
  const onLine = ({ src, msg = '' }: { src?: string; msg?: string }) => {
    if (src === 'c') {
      [text, bytesBefore] = [0, client.stats().received];
      textLimit = textLimitOf(msg);
    }
    if (src !== 's') return;
    text += Math.max(msg.length, LIMITS.shortestLine);
    if (text > textLimit || client.stats().received - bytesBefore > LIMITS.bytes) client.close();
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
    // Also used for connections without TLS: these are the options of the socket.
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
  // A lost connection rejects the pending command. Its `error` event would end the process if it had no listener.
  client.on('error', () => undefined);
  refusals.set(client, () => refusal);
  if (answerTimeout !== undefined) answerTimeouts.set(client, answerTimeout);
  return client;
}
