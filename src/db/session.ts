import type pg from 'pg';
import type { ClientConfig } from 'pg';
import { type DatabaseTarget, parseDatabaseUrl } from './database-url.ts';
import { clientOf } from './servers.ts';
import { VALUE_TYPES } from './value-types.ts';

/** The way to open a connection; the same for every pool. */
export interface Session {
  readonly config: ClientConfig;
  /** Connects to the suitable server if the URL names several. */
  readonly Client: typeof pg.Client;
  readonly target: DatabaseTarget;
  /** True behind a pooler that lends a connection for one transaction at a time. */
  readonly isPooled: boolean;
}

/** Limits of the program's own work, in milliseconds: of a statement, of its wait for a lock, of an idle transaction. */
const OWN_TIMEOUTS = { statement_timeout: 60_000, lock_timeout: 30_000, idle_in_transaction_session_timeout: 30_000 };
/** Shorter limits for requests: a caller waits for each, and others need its connection. */
export const REQUEST_TIMEOUTS = { statement_timeout: 30_000, lock_timeout: 5_000 };

/**
 * Returns the options of every connection. JIT is off: our statements find rows by index and end within milliseconds, so compiling them
 * takes longer than it saves. With JIT, a page of contacts took 7 to 20 ms longer. Statements have a time limit. `random_page_cost` is that
 * of an SSD. With the default of 4, statements that were prepared while a table had a few pages kept reading all of it until its next
 * `analyze`: PostgreSQL took 2,800 µs for an email instead of 840. A commit waits for the disk, whatever the settings of the database or
 * the role are: "recorded before it is sent" must still be true after a power cut.
 */
export function sessionOf(url: string, applicationName: string): Session {
  const target = parseDatabaseUrl(url);
  return {
    target,
    Client: clientOf(target),
    isPooled: false,
    config: {
      ...commonConfig(target, applicationName),
      options: [target.servers[0].options, '-c jit=off -c random_page_cost=1.1 -c synchronous_commit=on'].filter(Boolean).join(' '),
      ...OWN_TIMEOUTS,
    },
  };
}

/**
 * Returns the options of a connection through a pooler in transaction mode. PgBouncer refuses a connection that sets options when it
 * starts, and a setting for the session would affect other clients. So each transaction makes its own settings (`beginOn`), and single
 * statements have a time limit only on our side.
 */
export function pooledSessionOf(url: string, applicationName: string): Session {
  const target = parseDatabaseUrl(url);
  const config = { ...commonConfig(target, applicationName), query_timeout: OWN_TIMEOUTS.statement_timeout };
  return { target, Client: clientOf(target), isPooled: true, config };
}

const commonConfig = (target: DatabaseTarget, applicationName: string): ClientConfig => ({
  connectionTimeoutMillis: 10_000,
  ...target.servers[0],
  application_name: applicationName,
  keepAlive: true,
  types: VALUE_TYPES,
});

/** Returns the statement that begins a transaction. @param mode options of `begin`, for example `isolation level repeatable read` */
export function beginOn({ isPooled }: Session, mode = ''): string {
  if (!isPooled) return `begin ${mode}`;
  return `begin ${mode}; set local jit = off; set local synchronous_commit = on; ${settingsOf(OWN_TIMEOUTS)}`;
}

/** Returns the statements that apply the settings for the rest of a transaction, or of the session. */
export const settingsOf = (settings: Readonly<Record<string, number | string>>, scope: 'local' | 'session' = 'local'): string =>
  Object.entries(settings)
    .map(([name, value]) => `set ${scope} ${name} = ${value}`)
    .join('; ');
