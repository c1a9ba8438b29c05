import { userInfo } from 'node:os';
import type { ClientConfig } from 'pg';
import { parse, toClientConfig } from 'pg-connection-string';
import { either } from '../core/english.ts';
import { invalid, messageOf, type OutreachError } from '../core/errors.ts';

/** A parsed database URL: one or more servers, and how to connect to them. */
export interface DatabaseTarget {
  /** One for each host, in the order of the URL. They differ only in `host` and `port`. */
  readonly servers: readonly [ClientConfig, ...ClientConfig[]];
  /** True if read-only servers must be skipped. */
  readonly needsWritable: boolean;
  readonly database: string;
  /** Hosts and database without user and password, for messages: `db1:5432,db2:5432/outreach`. */
  readonly label: string;
}

const SSL_MODES = ['disable', 'require', 'verify-ca', 'verify-full', 'no-verify'];
/** Values of `target_session_attrs` that this program can work with. It writes, so a standby never suits it. */
const TARGETS = ['any', 'read-write', 'primary'];
/** Parameters that pg reads itself, once they are checked. */
const PG_PARAMETERS = ['sslmode', 'ssl', 'sslcert', 'sslkey', 'sslrootcert', 'sslnegotiation', 'options'];
const OWN_PARAMETERS = ['host', 'port', 'user', 'password', 'target_session_attrs', 'connect_timeout', 'channel_binding'];
/** Parameters that managed services put into their URLs and that have no effect here. */
const WITHOUT_EFFECT = ['application_name', 'fallback_application_name', 'uselibpqcompat', 'gssencmode', 'client_encoding'];
const KEEPALIVE = /^(?:tcp_)?keepalives|^tcp_user_timeout$/;

const ENCODING =
  'In user and password write each special character percent-encoded: @ as %40, : as %3A, / as %2F, ? as %3F, # as %23, % as %25, space as %20';

/**
 * Reads a PostgreSQL URL as libpq does (https://www.postgresql.org/docs/current/libpq-connect.html#LIBPQ-CONNSTRING): several hosts,
 * Unix-domain sockets, client certificates, `options`. If the URL requests TLS, the connection uses it or fails. So the modes `allow` and
 * `prefer`, which may silently fall back to plain text, are refused. Throws `invalid_request`, whose message never contains a part of the
 * URL that could belong to the password.
 * @param setting the setting that holds the URL, for messages
 */
export function parseDatabaseUrl(url: string, setting = 'DATABASE_URL'): DatabaseTarget {
  const refuse = (reason: string) => invalid(`setting ${setting}: ${reason}`);
  const { login, authority, path, parameters } = partsOf(url, refuse);
  checkParameters(parameters, refuse);
  const hosts = (parameters.get('host') ?? authority.replaceAll(/:\d*(?=,|$)/g, '')).split(',');
  const ports = (parameters.get('port') ?? authority.split(',').map(portOf).join(',')).split(',');
  if (ports.length > 1 && ports.length !== hosts.length) throw refuse(`it names ${hosts.length} hosts and ${ports.length} ports`);
  const common = configOf(`${login}host${path}`, parameters, refuse);
  const [first = {}, ...others] = hosts.map((host, index): ClientConfig => {
    const port = (ports.length === 1 ? ports[0] : ports[index]) || '5432';
    if (!/^\d{1,5}$/.test(port)) throw refuse(`a port is not a number. ${ENCODING}`);
    return { ...common, host: decodeURIComponent(host).replace(/^\[(.+)\]$/, '$1') || 'localhost', port: Number(port) };
  });
  const servers = [first, ...others] as const;
  const database = first.database ?? first.user ?? userInfo().username;
  return {
    servers,
    database,
    needsWritable: (parameters.get('target_session_attrs') ?? (servers.length > 1 ? 'read-write' : 'any')) !== 'any',
    label: `${servers.map(({ host, port }) => `${host}:${port}`).join(',')}/${database}`,
  };
}

const portOf = (host: string) => /:(\d*)$/.exec(host)?.[1] ?? '';

interface Parts {
  /** `postgres://user:password@`, or without the two. */
  login: string;
  authority: string;
  path: string;
  parameters: URLSearchParams;
}

function partsOf(url: string, refuse: (reason: string) => OutreachError): Parts {
  const [, scheme, userinfo = '', authority = '', path = '', query = ''] =
    /^(postgres(?:ql)?:\/\/)(?:([^/?#]*)@)?([^/?#]*)(\/[^?#]*)?(?:\?([^#]*))?$/.exec(url) ?? [];
  if (scheme === undefined) throw refuse(`must be a URL of the form postgres://user:password@host:5432/database. ${ENCODING}`);
  // An unencoded special character ends the user or the password early, and the rest is parsed as host, path or query.
  const isCutShort = /@/.test(path) || /@/.test(query) || /[^\w.:,%[\]~-]/.test(authority);
  if (isCutShort || !isDecodable(userinfo) || !isDecodable(path) || !isDecodable(authority)) throw refuse(ENCODING);
  return { login: scheme + (userinfo && `${userinfo}@`), authority, path, parameters: new URLSearchParams(query) };
}

function isDecodable(text: string): boolean {
  try {
    decodeURIComponent(text);
    return true;
  } catch {
    return false;
  }
}

function checkParameters(parameters: URLSearchParams, refuse: (reason: string) => OutreachError): void {
  const oneOf = (name: string, allowed: readonly string[]) => {
    const value = parameters.get(name);
    if (value !== null && !allowed.includes(value)) throw refuse(`${name} must be ${either(allowed)}, not ${JSON.stringify(value)}`);
  };
  for (const name of parameters.keys())
    if (![...PG_PARAMETERS, ...OWN_PARAMETERS, ...WITHOUT_EFFECT].includes(name) && !KEEPALIVE.test(name))
      throw refuse(`the parameter ${JSON.stringify(name)} is not supported`);
  oneOf('sslmode', SSL_MODES);
  oneOf('target_session_attrs', TARGETS);
  if (parameters.get('sslmode') === 'verify-ca' && !parameters.has('sslrootcert'))
    throw refuse('sslmode=verify-ca needs sslrootcert, the certificate of the authority that signed the certificate of the server');
  if (parameters.get('sslrootcert') === 'system' && parameters.get('sslmode') !== 'verify-full')
    throw refuse('sslrootcert=system needs sslmode=verify-full, since anybody can get a certificate from a public authority');
}

/** Reads everything that all servers of the URL have in common. */
function configOf(url: string, parameters: URLSearchParams, refuse: (reason: string) => OutreachError): ClientConfig {
  const usesSystemRoots = parameters.get('sslrootcert') === 'system';
  const kept = [...parameters].filter(([name]) => PG_PARAMETERS.includes(name) && !(usesSystemRoots && name === 'sslrootcert'));
  const { host: _host, port: _port, ...config } = read(url, kept, refuse);
  const seconds = Number(parameters.get('connect_timeout') ?? 0);
  return {
    ...config,
    user: parameters.get('user') ?? config.user,
    password: parameters.get('password') ?? config.password,
    // Not imported: every command would load node:tls, which takes half as long as Node's own start.
    ...(usesSystemRoots ? { ssl: { ca: process.getBuiltinModule('node:tls').getCACertificates('system') } } : {}),
    ...(seconds > 0 ? { connectionTimeoutMillis: seconds * 1_000 } : {}),
    ...(['require', 'prefer'].includes(parameters.get('channel_binding') ?? '') ? { enableChannelBinding: true } : {}),
  };
}

/**
 * Parses login, database and parameters with pg's parser, which also reads the certificates. TLS modes have the meaning that they have in
 * libpq.
 */
function read(url: string, parameters: readonly [string, string][], refuse: (reason: string) => OutreachError): ClientConfig {
  try {
    const query = new URLSearchParams([...parameters]);
    const { sslmode: _, ...config } = toClientConfig(parse(`${url}?${query}`, { useLibpqCompat: true })) as ClientConfig & {
      sslmode?: string;
    };
    return config;
  } catch (error) {
    throw refuse(messageOf(error));
  }
}
