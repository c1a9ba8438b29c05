import { ImapFlow } from 'imapflow';
import { MINUTE, SECOND } from '../core/clock.ts';

/** How to reach and enter an account's IMAP server; unsealed, so never logged. */
export interface ImapLogin {
  host: string;
  port: number;
  /** TLS from the first byte (993); else STARTTLS is demanded where `requireTLS` says so. */
  secure: boolean;
  requireTLS: boolean;
  user: string;
  pass?: string;
  /** Taken instead of `pass` where the provider wants OAuth 2.0. */
  accessToken?: string;
}

/** Milliseconds; `maxIdleTime` after which an IDLE is renewed. */
export type ImapTimings = Partial<typeof TIMEOUTS> & { maxIdleTime?: number };

const TIMEOUTS = { connectionTimeout: 30 * SECOND, greetingTimeout: 30 * SECOND, socketTimeout: 5 * MINUTE };

/** A hostile or broken server may announce anything; a mail of 25 MiB and its framing must fit. */
const MAX_LITERAL_BYTES = 64 * 1024 * 1024;
const MAX_LINE_BYTES = 16 * 1024 * 1024;

/** An IMAP client of the account, not yet connected: `connect()`, work, `logout()`. It can be used for one connection. */
export function imapClient(login: ImapLogin, timings: ImapTimings = {}): ImapFlow {
  const { host, port, secure, requireTLS, user, pass, accessToken } = login;
  const client = new ImapFlow({
    host,
    port,
    secure,
    ...(secure ? {} : { doSTARTTLS: requireTLS }),
    tls: { minVersion: 'TLSv1.2' },
    auth: accessToken === undefined ? { user, pass: pass ?? '' } : { user, accessToken },
    clientInfo: { name: 'outreach' },
    logger: false,
    disableAutoIdle: true,
    maxLiteralSize: MAX_LITERAL_BYTES,
    maxResponseSize: 2 * MAX_LITERAL_BYTES,
    maxLineLength: MAX_LINE_BYTES,
    ...TIMEOUTS,
    ...timings,
  });
  // A lost connection rejects the command that waits; without a listener its `error` event would end the process too.
  client.on('error', () => undefined);
  return client;
}
