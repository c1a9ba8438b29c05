import { connect as connectPlain, type LookupFunction, type Socket } from 'node:net';
import { connect as connectTls, type TLSSocket } from 'node:tls';
import { SECOND } from '../core/clock.ts';
import { type Deadline, withDeadline } from '../core/deadline.ts';

/** Facts that an SMTP server reveals before the login. */
export interface ServerFacts {
  /** The host name in the server's greeting (RFC 5321 §4.2); null if it has none. */
  greeting: string | null;
  /** False if it offers no TLS. */
  isEncrypted: boolean;
  /** Expiry of its certificate; null without TLS. */
  expiresAt: Date | null;
}

interface Endpoint {
  host: string;
  port: number;
  /** TLS from the first byte. */
  secure: boolean;
  /** Resolves the host; by default the operating system does. */
  lookup?: LookupFunction | undefined;
}

const SECONDS = 10;
/** In characters. A greeting or a list of extensions is far shorter. */
const MAX_REPLY = 16 * 1024;

/**
 * Connects to an SMTP server, reads its greeting and its certificate, and disconnects. Rejects if it can't be reached or its certificate is
 * invalid.
 */
export const smtpFacts = (endpoint: Endpoint, seconds = SECONDS): Promise<ServerFacts> =>
  withDeadline({ within: seconds * SECOND }, async (deadline) => {
    const socket = await opened(endpoint, deadline);
    try {
      const greeting = /^220[ -](\S+)/.exec(await replyOf(socket))?.[1] ?? null;
      if (endpoint.secure) return { greeting, isEncrypted: true, expiresAt: certificateExpiry(socket as TLSSocket) };
      socket.write('EHLO [127.0.0.1]\r\n');
      if (!/^250[ -]STARTTLS\s*$/im.test(await replyOf(socket))) return { greeting, isEncrypted: false, expiresAt: null };
      socket.write('STARTTLS\r\n');
      await replyOf(socket);
      const secured = await encrypted({ socket, servername: endpoint.host }, deadline);
      return { greeting, isEncrypted: true, expiresAt: certificateExpiry(secured) };
    } finally {
      socket.destroy();
    }
  });

/** Returns the expiry of the server's certificate; null if it presented none. */
export const certificateExpiry = (socket: TLSSocket): Date | null => {
  const { valid_to } = socket.getPeerCertificate();
  return valid_to === undefined ? null : new Date(valid_to);
};

const opened = ({ host, port, secure, lookup }: Endpoint, deadline: Deadline): Promise<Socket> =>
  secure
    ? encrypted({ host, port, lookup, servername: host }, deadline)
    : onceConnected(connectPlain({ host, port, lookup }), 'connect', deadline);

const encrypted = ({ servername, ...to }: Partial<Endpoint> & { servername: string; socket?: Socket }, deadline: Deadline) =>
  // A literal address must not be sent as the server name (RFC 6066 §3).
  onceConnected(
    connectTls({ ...to, ...(/^[\d.:]+$/.test(servername) ? {} : { servername }), minVersion: 'TLSv1.2' }),
    'secureConnect',
    deadline,
  );

function onceConnected<Opened extends Socket>(socket: Opened, event: string, deadline: Deadline): Promise<Opened> {
  deadline.closes({ close: () => socket.destroy(new Error('the server took too long')) });
  return new Promise((resolve, reject) => {
    socket.once(event, () => resolve(socket));
    socket.on('error', reject);
  });
}

/** Reads the lines of one reply, up to the one without a hyphen after its code. */
function replyOf(socket: Socket): Promise<string> {
  return new Promise((resolve, reject) => {
    let text = '';
    const end = (outcome: () => void) => {
      socket.off('data', take).off('error', fail).off('close', cut);
      outcome();
    };
    const fail = (error: Error) => end(() => reject(error));
    const cut = () => fail(new Error('the server closed the connection'));
    const take = (chunk: Buffer) => {
      text += chunk.toString('latin1');
      if (/^\d{3}(?: [^\n]*)?\r?\n$/m.test(text) && text.endsWith('\n')) end(() => resolve(text));
      else if (text.length > MAX_REPLY) fail(new Error('the server sent an endless reply'));
    };
    socket.on('data', take).on('error', fail).on('close', cut);
  });
}
