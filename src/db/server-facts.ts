import { prepared, type Queryable, sql } from './statement.ts';

/** Facts about the server that an operator needs to know. */
export interface ServerFacts {
  version: string;
  /** Version of TLS on the connection, for example `TLSv1.3`; null without TLS. */
  tls: string | null;
  /** True if the connection left this machine. */
  is_remote: boolean;
  /** True if a statement outside a transaction would be compiled by JIT. */
  has_jit: boolean;
}

/** The server in one line: `PostgreSQL 15.18, TLSv1.3, JIT off`. */
export const serverLine = ({ version, tls, has_jit }: ServerFacts): string =>
  `PostgreSQL ${version}, ${tls ?? 'without TLS'}, JIT ${has_jit ? 'on' : 'off'}`;

/** Reads the facts from the server itself, bypassing a pooler. `has_jit` comes from the main connections, which may go through a pooler. */
export async function readServerFacts(db: Queryable): Promise<ServerFacts> {
  const ofServer = prepared(
    'server-facts',
    sql`select current_setting('server_version') as version, s.version as tls,
      coalesce(inet_server_addr() <> inet_client_addr(), false) as is_remote
      from pg_stat_ssl s where s.pid = pg_backend_pid()`,
  );
  const [[server], [main]] = await Promise.all([
    db.query<Omit<ServerFacts, 'has_jit'>>(ofServer),
    db.query<Pick<ServerFacts, 'has_jit'>>(sql`select current_setting('jit')::boolean as has_jit`),
  ]);
  return { version: '', tls: null, is_remote: false, has_jit: false, ...server, ...main };
}
