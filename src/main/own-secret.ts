import type { Config } from '../core/config.ts';
import { invalid } from '../core/errors.ts';
import { type Queryable, sql } from '../db/statement.ts';
import type { Sealer } from '../secrets/seal.ts';
import { createSecret, hasSecret, openSealer, secretPath } from '../secrets/secret-file.ts';

const RESTORE_SECRET = 'put the secret of this installation in place, as secret.key or OUTREACH_SECRET_KEY';

/**
 * Opens the secret that the database is encrypted with. A new one is created only for an empty database: with another secret no account
 * could log in, and no unsubscribe link would work. Throws `invalid_request` if the secret is missing or a different one.
 */
export async function openOwnSecret(config: Config, db: Queryable): Promise<Sealer> {
  const keyId = await recordedKeyId(db);
  if (!hasSecret(config)) {
    if (keyId !== null)
      throw invalid(`the database is encrypted with the secret ${keyId}, but ${secretPath(config)} is missing; ${RESTORE_SECRET}`);
    createSecret(config);
  }
  const sealer = openSealer(config);
  refuseOtherSecret(sealer, keyId);
  return sealer;
}

/** Throws `invalid_request` unless the database is encrypted with one of these secrets, or is empty. */
export function refuseOtherSecret(sealer: Sealer, keyId: string | null): void {
  if (keyId !== null && !sealer.keyIds.includes(keyId))
    throw invalid(`the database is encrypted with the secret ${keyId}, but the secret here is ${sealer.keyId}; ${RESTORE_SECRET}`);
}

/** Reads the id of the secret that the database is encrypted with; null before Outreach is installed in it. */
export async function recordedKeyId(db: Queryable): Promise<string | null> {
  const installed = await db.query(sql`
    select from pg_attribute where attrelid = to_regclass('workspaces') and attname = 'key_id' and not attisdropped`);
  if (installed.length === 0) return null;
  const [row] = await db.query<{ key_id: string | null }>(sql`select key_id from workspaces where is_default`);
  return row?.key_id ?? null;
}
