import { setTimeout as wait } from 'node:timers/promises';
import type { App } from '../app.ts';
import { MINUTE, SECOND } from '../core/clock.ts';
import { notFound } from '../core/errors.ts';
import { type Queryable, sql } from '../db/statement.ts';
import { loadRenewal, TokenUnavailable } from '../oauth/index.ts';
import type { Provider } from './entities.ts';
import { openSecret, sealSecret } from './secret.ts';

interface TokenRow {
  email: string;
  provider: Provider;
  smtp_secret: string;
  /** Enough is left of it for a batch or a poll. */
  is_fresh: boolean;
  /** It has not run out yet. */
  is_valid: boolean;
}

/** Tokens are renewed this long before they run out. */
const AHEAD = 5 * MINUTE;
/** Longer than the provider may take to answer; what a refresher that died leaves behind ends with it. */
const LEASE_SECONDS = 30;
const LOOK_AGAIN = 200;

/**
 * An access token of the account that is good for some minutes, renewed where the stored one is not. One refresher at a
 * time across all daemons holds a lease in the row; the new tokens, a rotated refresh token among them, are committed
 * before anybody uses them. Throws `TokenRefused` when the provider has withdrawn its consent, `TokenUnavailable` when
 * it can't be asked now.
 * @param refused a token that a server would not take: another one is wanted, though it may not have run out
 */
export async function accessToken(app: App, accountId: number, refused?: string): Promise<string> {
  const giveUpAt = performance.now() + (LEASE_SECONDS + 5) * SECOND;
  for (;;) {
    const row = await read(app, accountId);
    const { accessToken: token, refreshToken } = openSecret(app, 'smtp_secret', accountId, row.smtp_secret);
    const isTaken = token !== undefined && token !== refused;
    if (isTaken && row.is_fresh) return token;
    if (await takeLease(app, accountId, row.smtp_secret)) {
      const renewed = await renew(app, accountId, row, refreshToken ?? '');
      if (renewed !== undefined) return renewed;
    } else if (isTaken && row.is_valid) {
      return token;
    } else if (performance.now() > giveUpAt) {
      throw new TokenUnavailable('conflict', `the renewal of the access token of ${row.email} takes too long; try again`);
    } else {
      await wait(LOOK_AGAIN);
    }
  }
}

async function read(app: App, accountId: number): Promise<TokenRow> {
  const now = app.clock.now();
  const [row] = await app.db.query<TokenRow>(sql`
    select email, provider, smtp_secret, token_expires_at > ${new Date(now.getTime() + AHEAD)} as is_fresh, token_expires_at > ${now} as is_valid
    from accounts where id = ${accountId} and deleted_at is null`);
  if (row === undefined) throw notFound('account');
  return row;
}

/** False: somebody else renews the tokens now, or has just done so. */
async function takeLease(app: App, accountId: number, sealed: string): Promise<boolean> {
  const rows = await app.db.query(sql`
    update accounts set token_lease_until = now() + make_interval(secs => ${LEASE_SECONDS})
    where id = ${accountId} and smtp_secret = ${sealed} and (token_lease_until is null or token_lease_until < now()) returning id`);
  return rows.length > 0;
}

/** The new access token, or undefined when the account was connected anew meanwhile. */
async function renew(app: App, accountId: number, row: TokenRow, refreshToken: string): Promise<string | undefined> {
  if (row.provider === 'smtp') throw new Error(`account ${accountId} has tokens and no provider that gave them`);
  // Only accounts that need it load the OAuth client.
  const { renewTokens } = await loadRenewal();
  try {
    const { expiresAt, ...secret } = await renewTokens(app, row.provider, row.email, refreshToken);
    const stored = await app.db.query(sql`
      update accounts set smtp_secret = ${sealSecret(app, 'smtp_secret', accountId, secret)}, token_expires_at = ${expiresAt},
        token_lease_until = null
      where id = ${accountId} and smtp_secret = ${row.smtp_secret} returning id`);
    return stored.length > 0 ? secret.accessToken : undefined;
  } catch (error) {
    await app.db.query(sql`update accounts set token_lease_until = null where id = ${accountId} and smtp_secret = ${row.smtp_secret}`);
    throw error;
  }
}

/** Connected accounts whose access token ran out before `since`, longest ago first. Index: accounts_tokens. */
export async function accountsWithIdleTokens(db: Queryable, since: Date, limit: number): Promise<number[]> {
  const rows = await db.query<{ id: number }>(sql`
    select id from accounts where token_expires_at < ${since} and deleted_at is null and status <> 'disconnected'
    order by token_expires_at limit ${limit}`);
  return rows.map(({ id }) => id);
}
