import type { App } from '../app.ts';
import { HOUR } from '../core/clock.ts';
import { messageOf, unauthorized } from '../core/errors.ts';
import { prepared, sql } from '../db/statement.ts';
import type { Caller, Role, Scope } from './caller.ts';
import { hashOf, isKeyText } from './key-text.ts';

/** The identity of a key: name and email for `GET /me`, and the caller for everything else. */
export interface Identity {
  caller: Caller;
  name: string;
  email: string;
}

/** The parts of the program that authentication needs. */
type Auth = Pick<App, 'db' | 'clock' | 'log'>;

/**
 * Authenticates the bearer key of an Authorization header. Nothing is cached: a revoked key, a disabled user and a changed
 * role take effect with the next request, and a key that expires fails from then on. Throws `unauthorized`. Index: api_keys(hash).
 */
export async function authenticate(app: Auth, authorization: string | undefined, ip: string | null): Promise<Identity> {
  const key = /^Bearer +(\S+)$/i.exec(authorization ?? '')?.[1] ?? '';
  if (!isKeyText(key)) throw refused(app, ip, authorization === undefined ? 'no key' : 'malformed key');
  const [row] = await app.db.forRequests().query<{
    id: number;
    workspace_id: number;
    user_id: number;
    role: Role;
    is_default: boolean;
    name: string;
    email: string;
    expires_at: Date | null;
    last_used_at: Date | null;
    scopes: Scope[];
  }>(
    prepared(
      'api-key',
      sql`
    select k.id, k.workspace_id, k.user_id, m.role, w.is_default, u.name, u.email, k.expires_at, k.last_used_at, k.scopes
    from api_keys k
    join users u on u.id = k.user_id and u.disabled_at is null
    join workspaces w on w.id = k.workspace_id and w.archived_at is null
    join memberships m on m.workspace_id = k.workspace_id and m.user_id = k.user_id
    where k.hash = ${hashOf(key)} and k.revoked_at is null`,
    ),
  );
  if (row === undefined) throw refused(app, ip, 'unknown or revoked key');
  const now = app.clock.now();
  if (row.expires_at !== null && row.expires_at <= now) throw refused(app, ip, 'expired key', expired(row.expires_at));
  if (row.last_used_at === null || now.getTime() - row.last_used_at.getTime() >= HOUR) recordUse(app, row.id, now);
  return {
    name: row.name,
    email: row.email,
    caller: {
      actor: 'user',
      workspaceId: row.workspace_id,
      userId: row.user_id,
      role: row.role,
      apiKeyId: row.id,
      scopes: row.scopes,
      ip,
      isInstallAdmin: row.is_default && row.role === 'admin',
    },
  };
}

/** Logs the refusal of a key and returns its error. docs/security.md has a fail2ban rule for this log line. */
function refused({ log }: Auth, ip: string | null, reason: string, message?: string): Error {
  log.info({ ip, reason }, 'authentication failed');
  return unauthorized(message);
}

const expired = (at: Date) => `this API key expired on ${at.toISOString().slice(0, 10)}; to create another, run: outreach key create`;

/**
 * Records that a key is in use, once an hour, so that requests don't write each time. No request waits for it: of many concurrent requests,
 * one finds the row unlocked, and the others do nothing.
 */
function recordUse({ db, log }: Auth, id: number, now: Date): void {
  const anHourAgo = new Date(now.getTime() - HOUR);
  const note = sql`
    update api_keys set last_used_at = ${now} where id = (
      select id from api_keys where id = ${id} and (last_used_at is null or last_used_at <= ${anHourAgo}) for no key update skip locked)`;
  db.query(note).catch((error: unknown) => log.debug({ reason: messageOf(error) }, 'the use of an API key was not recorded'));
}
