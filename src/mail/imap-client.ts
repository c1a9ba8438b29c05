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
}

/** In milliseconds. An IDLE is renewed after `maxIdleTime`. */
export type ImapTimings = Partial<typeof TIMEOUTS> & { maxIdleTime?: number };

const TIMEOUTS = { connectionTimeout: 30 * SECOND, greetingTimeout: 30 * SECOND, socketTimeout: 5 * MINUTE };

/** Limits for hostile and broken servers; a message of 25 MiB in base64 fits. */
const MAX_LITERAL_BYTES = 64 * 1024 * 1024;
const MAX_LINE_BYTES = 16 * 1024 * 1024;

let context: SecureContext | undefined;

/** Returns the TLS context of all connections. One each would cost time at every login, and memory for as long as it is open. */
const sharedContext = (): SecureContext => (context ??= createSecureContext({ minVersion: 'TLSv1.2' }));

const refusals = new WeakMap<ImapFlow, () => unknown>();

/**
 * The error of the latest command that the server refused on this connection; undefined if there is none. imapflow returns false for a
 * refused STATUS or SEARCH, and tells only its logger why.
 */
export const latestRefusal = (client: ImapFlow): unknown => refusals.get(client)?.();

/** Creates an IMAP client for one connection, not connected yet: call `connect()`, work, `logout()`. */
export async function imapClient(login: ImapLogin, timings: ImapTimings = {}): Promise<ImapFlow> {
  // Loaded with the first connection: it takes 30 ms, and most commands open none.
  const { ImapFlow } = await import('imapflow');
  const { host, port, secure, requireTLS, user, pass, accessToken } = login;
  let refusal: unknown;
  const silent = () => undefined;
  const noteRefusal = ({ err }: { err?: unknown }) => {
    if (err !== undefined) refusal = err;
  };
  const client = new ImapFlow({
    host,
    port,
    secure,
    ...(secure ? {} : { doSTARTTLS: requireTLS }),
    tls: { secureContext: sharedContext() },
    auth: accessToken === undefined ? { user, pass: pass ?? '' } : { user, accessToken },
    clientInfo: { name: 'outreach' },
    logger: { trace: silent, debug: silent, info: silent, warn: noteRefusal, error: silent, fatal: silent },
    disableAutoIdle: true,
    maxLiteralSize: MAX_LITERAL_BYTES,
    maxResponseSize: 2 * MAX_LITERAL_BYTES,
    maxLineLength: MAX_LINE_BYTES,
    ...TIMEOUTS,
    ...timings,
  });
  // A lost connection rejects the pending command; its `error` event would end the process if nobody listened.
  client.on('error', () => undefined);
  refusals.set(client, () => refusal);
  return client;
}
