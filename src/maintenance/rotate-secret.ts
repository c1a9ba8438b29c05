import { existsSync } from 'node:fs';
import { audit, type Caller, recordSecret } from '../access/index.ts';
import type { App } from '../app.ts';
import { conflict } from '../core/errors.ts';
import { refuseDaemons } from '../daemons/index.ts';
import type { BulkTx } from '../db/bulk.ts';
import { underLock } from '../db/lock.ts';
import { raw, sql } from '../db/statement.ts';
import { createSealer, type Sealer, secretsIn } from '../secrets/seal.ts';
import { SEALED, type SealedColumn } from '../secrets/sealed-columns.ts';
import { newSecret, readSecret, secretPath, writeSecrets } from '../secrets/secret-file.ts';
import { resealColumn } from './reseal.ts';
import { textColumns } from './tables.ts';

export interface Rotation {
  /** Id of the new key, as it is in sealed values. */
  key_id: string;
  former_key_ids: string[];
  /** Values resealed under the new key, by `table.column`. */
  sealed: Record<string, number>;
  /** Values that no known key opens. They stay unchanged. */
  unreadable: number;
}

/**
 * Replaces the secret and reseals every stored credential under the new one. The old one stays in the file, since links in emails already
 * sent are signed with it. After a crash at any point the file still has the keys that open everything: the new key is added first, then
 * all values are resealed in one transaction, then the new key becomes the current one. A secret from the environment can't be written
 * here: the operator puts the new one before the old one. Throws `conflict` while a daemon runs that would not learn the new secret, or
 * while another rotation runs.
 */
export async function rotateSecret(app: App, caller: Caller): Promise<Rotation> {
  const { config } = app;
  const rotate = async () => {
    const known = secretsIn(readSecret(config));
    if (config.secretKey !== undefined) {
      if (known.length === 1) throw conflict(FROM_ENVIRONMENT);
      await refuseDaemons(app.db, KEEPS_OLD_SECRET);
      const rotation = await resealAll(app, caller, createSealer(config.secretKey));
      // The file is for commands that run without the variable.
      if (existsSync(secretPath(config))) writeSecrets(config, known);
      return rotation;
    }
    // Daemons on this machine reread the file on their own.
    await refuseDaemons(app.db, KEEPS_OLD_SECRET, 'elsewhere');
    const [current = '', ...former] = known;
    const next = newSecret();
    writeSecrets(config, [current, next, ...former]);
    const rotation = await resealAll(app, caller, createSealer([next, current, ...former].join('\n')));
    writeSecrets(config, [next, current, ...former]);
    app.log.info({ path: secretPath(config), key_id: rotation.key_id }, 'replaced the secret');
    return rotation;
  };
  return underLock(app.db, 'secret rotation', rotate, {
    refuse: conflict('another secret rotation is running; wait until it has finished'),
  });
}

const KEEPS_OLD_SECRET = 'it would keep the old secret; stop it first';

const FROM_ENVIRONMENT =
  'the secret comes from OUTREACH_SECRET_KEY: generate a new one with openssl rand -base64 32 | tr +/ -_ | tr -d =, ' +
  'put it before the old one, separated by a comma, stop every daemon, run this command with that value, and start the daemons with it';

async function resealAll(app: App, caller: Caller, sealer: Sealer): Promise<Rotation> {
  const [, ...former] = sealer.keyIds;
  return app.db.bulk(async (tx) => {
    const rotation: Rotation = { key_id: sealer.keyId, former_key_ids: former, sealed: {}, unreadable: 0 };
    for (const column of Object.values<SealedColumn>(SEALED)) {
      const { changed, unreadable } = await resealColumn(tx, column, (value, values) => {
        const place = column.place(...values);
        return sealer.seal(sealer.open(value, place), place);
      });
      rotation.sealed[`${column.table}.${column.column}`] = changed;
      rotation.unreadable += unreadable;
    }
    await refuseUnlistedColumns(tx, former);
    await recordSecret(tx, sealer.keyId);
    await audit(tx, caller, app.clock.now(), {
      action: 'secret.rotate',
      resourceType: 'installation',
      resourceId: null,
      changes: { ...rotation },
    });
    return rotation;
  });
}

/** Throws `conflict` if a column that is missing from `SEALED` contains a value under a former key. */
async function refuseUnlistedColumns(tx: BulkTx, former: readonly string[]): Promise<void> {
  const known = Object.values<SealedColumn>(SEALED);
  for (const { table, column } of await textColumns(tx)) {
    if (known.some((one) => one.table === table && one.column === column)) continue;
    const patterns = former.map((id) => `%v1:${id}:%`);
    const found = await tx.query(
      sql`select 1 from ${raw(`"${table}"`)} where ${raw(`"${column}"`)}::text like any(${patterns}::text[]) limit 1`,
    );
    if (found.length > 0)
      throw conflict(
        `${table}.${column} contains values encrypted with the old secret that this version would not re-encrypt; nothing was changed`,
      );
  }
}
