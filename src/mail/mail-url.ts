import { isIPv6 } from 'node:net';
import { domainToASCII } from 'node:url';
import { invalid } from '../core/errors.ts';

/** A mail server and the user who logs in, as stored. Never has a password. */
export interface MailServer {
  host: string;
  port: number;
  /** True for implicit TLS; otherwise STARTTLS if `tls` is `required`. */
  secure: boolean;
  /** `off`: the connection is not encrypted. */
  tls: 'required' | 'off';
  /** Null for a server that needs no login. */
  user: string | null;
  /** True for a server in a private network that an admin of the installation has connected. */
  private?: true;
}

export interface MailUrl {
  server: MailServer;
  /** The password in the URL, if any. */
  password: string | undefined;
}

/** Default ports: RFC 8314 §3 (submissions, imaps), RFC 6409 §3.1 (submission), RFC 9051 §2.1 (imap). */
const SCHEMES = {
  smtp: { 'smtp:': { secure: false, port: 587 }, 'smtps:': { secure: true, port: 465 } },
  imap: { 'imap:': { secure: false, port: 143 }, 'imaps:': { secure: true, port: 993 } },
} as const;

const ESCAPES = 'in USER and PASS, write @ : / ? # as %40 %3A %2F %3F %23';

/**
 * Parses `smtp[s]://USER[:PASS]@HOST[:PORT]`, or the same with imap. USER and PASS are percent-decoded. TLS is required,
 * implicit or by STARTTLS, unless the host is this machine or the URL ends in `?tls=off`; `?tls=required` requires it for this
 * machine too. Throws `invalid_request` with the name of the flag, but never with the URL.
 * @param flag the command-line flag or setting that has the URL
 */
export function parseMailUrl(
  text: string,
  protocol: 'smtp' | 'imap',
  flag = `--${protocol}-url`,
  { needsUser = true }: { needsUser?: boolean } = {},
): MailUrl {
  const form = `${protocol}[s]://USER@HOST:PORT`;
  if (!URL.canParse(text)) throw invalid(`${flag}: must have the form ${form}; ${ESCAPES}`);
  const url = new URL(text);
  const schemes: Record<string, { secure: boolean; port: number }> = SCHEMES[protocol];
  const scheme = schemes[url.protocol];
  if (scheme === undefined) throw invalid(`${flag}: must start with ${protocol}:// or ${protocol}s://`);
  if ((url.pathname !== '' && url.pathname !== '/') || url.hash !== '')
    throw invalid(`${flag}: only ?tls=off or ?tls=required may follow the port; ${ESCAPES}`);
  const host = hostOf(url, flag, form);
  const user = decoded(url.username, flag);
  if (user === '' && needsUser && !(protocol === 'smtp' && isLoopback(host)))
    throw invalid(`${flag}: has no user; must have the form ${form}; ${ESCAPES}`);
  const tls = tlsOf(url.searchParams, flag) ?? (scheme.secure || !isLoopback(host) ? 'required' : 'off');
  if (tls === 'off' && scheme.secure) throw invalid(`${flag}: ${protocol}s:// is implicit TLS; use ${protocol}:// with ?tls=off`);
  const port = url.port === '' ? scheme.port : Number(url.port);
  if (port === 0) throw invalid(`${flag}: the port must be from 1 to 65535`);
  return {
    server: { host, port, secure: scheme.secure, tls, user: user === '' ? null : user },
    password: url.password === '' ? undefined : decoded(url.password, flag),
  };
}

/** True for a host that is certainly this machine, so that nobody on a network can read the connection. */
export function isLoopback(host: string): boolean {
  return host === 'localhost' || host === '::1' || /^127(\.\d{1,3}){3}$/.test(host);
}

/** Returns the URL of a server, without a password, in the form that `parseMailUrl` accepts. */
export function mailUrlOf({ host, port, secure, tls, user }: MailServer, protocol: 'smtp' | 'imap'): string {
  const login = user === null ? '' : `${encodeURIComponent(user)}@`;
  const mode = secure || tls === (isLoopback(host) ? 'off' : 'required') ? '' : `?tls=${tls}`;
  return `${protocol}${secure ? 's' : ''}://${login}${serverName({ host, port })}${mode}`;
}

/** Formats a server for messages: `smtp.example.com:587`. */
export const serverName = ({ host, port }: Pick<MailServer, 'host' | 'port'>) => `${host.includes(':') ? `[${host}]` : host}:${port}`;

function hostOf(url: URL, flag: string, form: string): string {
  const name = decoded(url.hostname, flag);
  if (name === '') throw invalid(`${flag}: has no host; must have the form ${form}`);
  const literal = name.replace(/^\[(.*)\]$/, '$1');
  const host = isIPv6(literal) ? literal : domainToASCII(name);
  if (host === '') throw invalid(`${flag}: "${name}" is not a host name`);
  return host;
}

function tlsOf(parameters: URLSearchParams, flag: string): MailServer['tls'] | undefined {
  const unknown = [...parameters.keys()].find((name) => name !== 'tls');
  if (unknown !== undefined) throw invalid(`${flag}: unknown parameter "${unknown}"; only tls=off or tls=required may follow the ?`);
  const tls = parameters.get('tls');
  if (tls === null) return undefined;
  if (tls !== 'off' && tls !== 'required') throw invalid(`${flag}: tls must be off or required`);
  return tls;
}

function decoded(text: string, flag: string): string {
  let plain: string;
  try {
    plain = decodeURIComponent(text);
  } catch {
    throw invalid(`${flag}: contains a malformed %-escape; write % as %25`);
  }
  // A line break would end an SMTP or IMAP command and begin another.
  if (/\p{Cc}/u.test(plain)) throw invalid(`${flag}: must not contain control characters`);
  return plain;
}
