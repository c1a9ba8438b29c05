import { setTimeout as wait } from 'node:timers/promises';
import type { App } from '../app.ts';
import { MINUTE, SECOND } from '../core/clock.ts';
import { notFound } from '../core/errors.ts';
import { type Queryable, sql } from '../db/statement.ts';
import type { MailServer } from '../mail/mail-url.ts';
import { loadRenewal, TokenUnavailable } from '../oauth/index.ts';
import { openSmtpSecret, sealSmtpSecret } from './secret.ts';
import type { Provider } from './words.ts';

interface TokenRow {
  id: number;
  smtp: MailServer;
  email: string;
  provider: Provider;
  smtp_secret: string;
  /** Valid long enough for a batch or a poll. */
  is_fresh: boolean;
  /** Not expired yet. */
  is_valid: boolean;
}

/** Tokens are renewed this long before they expire. */
const RENEWAL_LEAD = 5 * MINUTE;
/** Longer than the provider may take to respond. After this time, the lease of a dead process expires. */
const LEASE_SECONDS = 30;
const POLL_MILLISECONDS = 200;

/**
 * Returns an access token of the account that is valid for some minutes, and renews the stored one if needed. Only one process at a time,
 * across all daemons, renews it: it holds a lease in the row. The new tokens, including a rotated refresh token, are committed before they
 * are used. Throws `TokenRefused` if the provider has revoked its consent, and `TokenUnavailable` if the provider can't be reached now.
 * @param refused a token that a server has refused: it is renewed even if it has not expired
 */
export async function accessToken(app: App, accountId: number, refused?: string): Promise<string> {
  const deadline = performance.now() + (LEASE_SECONDS + 5) * SECOND;
  for (;;) {
    const row = await read(app, accountId);
    const { accessToken: token, refreshToken } = openSmtpSecret(app, { ...row, server: row.smtp }, row.smtp_secret);
    const isTaken = token !== undefined && token !== refused;
    if (isTaken && row.is_fresh) return token;
    if (await takeLease(app, accountId, row.smtp_secret)) {
      const renewed = await renew(app, accountId, row, refreshToken ?? '');
      if (renewed !== undefined) return renewed;
    } else if (isTaken && row.is_valid) {
      return token;
    } else if (performance.now() > deadline) {
      throw new TokenUnavailable('conflict', `the renewal of the access token of ${row.email} takes too long; try again`);
    } else {
      await wait(POLL_MILLISECONDS);
    }
  }
}

async function read(app: App, accountId: number): Promise<TokenRow> {
  const now = app.clock.now();
  const [row] = await app.db.query<TokenRow>(sql`
    select id, smtp, email, provider, smtp_secret, token_expires_at > ${new Date(now.getTime() + RENEWAL_LEAD)} as is_fresh, token_expires_at > ${now} as is_valid
    from accounts where id = ${accountId} and deleted_at is null`);
  if (row === undefined) throw notFound('account');
  return row;
}

/** Returns false if another process is renewing the tokens or has just done so. */
async function takeLease(app: App, accountId: number, sealed: string): Promise<boolean> {
  const rows = await app.db.query(sql`
    update accounts set token_lease_until = now() + make_interval(secs => ${LEASE_SECONDS})
    where id = ${accountId} and smtp_secret = ${sealed} and (token_lease_until is null or token_lease_until < now()) returning id`);
  return rows.length > 0;
}

/** Returns the new access token, or undefined if the account was reconnected in the meantime. */
async function renew(app: App, accountId: number, row: TokenRow, refreshToken: string): Promise<string | undefined> {
  if (row.provider === 'smtp') throw new Error(`account ${accountId} has tokens but no OAuth provider`);
  // Loads the OAuth client only for accounts that need it.
  const { renewTokens } = await loadRenewal();
  try {
    const { expiresAt, ...secret } = await renewTokens(app, row.provider, row.email, refreshToken);
    const stored = await app.db.query(sql`
      update accounts set smtp_secret = ${sealSmtpSecret(app, { ...row, server: row.smtp }, secret)}, token_expires_at = ${expiresAt},
        token_lease_until = null
      where id = ${accountId} and smtp_secret = ${row.smtp_secret} returning id`);
    return stored.length > 0 ? secret.accessToken : undefined;
  } catch (error) {
    await app.db.query(sql`update accounts set token_lease_until = null where id = ${accountId} and smtp_secret = ${row.smtp_secret}`);
    throw error;
  }
}

/** Lists connected accounts whose access token expired before `since`, oldest first. Index: accounts_tokens. */
export async function accountsWithIdleTokens(db: Queryable, since: Date, limit: number): Promise<number[]> {
  const rows = await db.query<{ id: number }>(sql`
    select id from accounts where token_expires_at < ${since} and deleted_at is null and status <> 'disconnected'
    order by token_expires_at limit ${limit}`);
  return rows.map(({ id }) => id);
}
