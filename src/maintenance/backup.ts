import { createHash, createHmac } from 'node:crypto';
import { Readable } from 'node:stream';
import { constants, createZstdCompress } from 'node:zlib';
import { to as copyTo } from 'pg-copy-streams';
import type { App } from '../app.ts';
import type { BulkTx } from '../db/bulk.ts';
import { migrationStatus } from '../db/migrate.ts';
import { writeWhole } from '../files/output-file.ts';
import {
  BACKUP_LINE,
  type BackupHeader,
  type BackupTrailer,
  CHECKSUM,
  END_OF_ROWS,
  FORMAT,
  SIGNATURE,
  signingKeys,
} from './backup-format.ts';
import { copyTarget, sequenceState, storedTables, type Table } from './tables.ts';

export interface BackupResult {
  file: string;
  /** Time of the snapshot, RFC 3339. */
  made_at: string;
  tables: number;
  rows: number;
  /** Id of the key that its credentials are sealed under; the key itself is not in the file. */
  key_id: string;
}

interface BackupOptions {
  signal?: AbortSignal;
  progress?: (table: string, share: number) => void;
  /** Writes the content, by default to the file of that path. */
  write?: (content: AsyncIterable<Buffer>) => Promise<void>;
}

/**
 * Dumps the whole database to one file, from a single snapshot (REPEATABLE READ), while daemons keep running. The file is a SQL script
 * compressed with zstd that ends in its own SHA-256 and its signature by the secret (backup-format.ts). It does not contain the secret, so
 * that a person who finds the file can't use the credentials in it.
 */
export async function backUp(app: App, path: string, options: BackupOptions = {}): Promise<BackupResult> {
  const { signal, progress, write = (content) => writeWhole(path, content, signal) } = options;
  const { executed } = await migrationStatus(app);
  const madeAt = app.clock.now().toISOString();
  const header: BackupHeader = { format: FORMAT, made_at: madeAt, migrations: executed, key_ids: [...app.sealer.keyIds] };
  const [signingKey = Buffer.alloc(0)] = signingKeys(app.sealer);
  const trailer: BackupTrailer = { rows: {}, sequences: {} };
  await app.db.bulk((tx) => write(compressed(signed(script(tx, header, trailer, progress), signingKey))), {
    signal,
    mode: 'isolation level repeatable read read only',
  });
  const counts = Object.values(trailer.rows);
  const rows = counts.reduce((sum, count) => sum + count, 0);
  return { file: path, made_at: madeAt, tables: counts.length, rows, key_id: app.sealer.keyId };
}

/** A generator, so that nothing is read before the file is open: a composed stream starts on its own, and its error would go unnoticed. */
async function* compressed(chunks: AsyncIterable<string | Buffer>): AsyncGenerator<Buffer> {
  yield* Readable.from(chunks).compose(createZstdCompress({ params: { [constants.ZSTD_c_checksumFlag]: 1 } }));
}

async function* script(
  tx: BulkTx,
  header: BackupHeader,
  trailer: BackupTrailer,
  progress: ((table: string, share: number) => void) | undefined,
): AsyncGenerator<string | Buffer> {
  yield `${BACKUP_LINE}\n-- ${JSON.stringify(header)}\n`;
  const tables = await storedTables(tx);
  const size = tables.reduce((sum, { pages }) => sum + pages, 1);
  let done = 0;
  for (const table of tables) {
    progress?.(table.name, done / size);
    yield* rowsOf(tx, table, trailer);
    done += table.pages;
  }
  // Read after the rows, so that numbers assigned in the meantime are not assigned again.
  trailer.sequences = await sequenceState(tx);
  yield `-- ${JSON.stringify(trailer)}\n`;
}

async function* rowsOf(tx: BulkTx, table: Table, trailer: BackupTrailer): AsyncGenerator<string | Buffer> {
  yield `copy ${copyTarget(table)} from stdin;\n`;
  const rows = tx.client.query(copyTo(`copy ${copyTarget(table)} to stdout`));
  yield* rows as AsyncIterable<Buffer>;
  trailer.rows[table.name] = rows.rowCount ?? 0;
  yield `${END_OF_ROWS}\n`;
}

async function* signed(chunks: AsyncIterable<string | Buffer>, key: Buffer): AsyncGenerator<string | Buffer> {
  const hash = createHash('sha256');
  const signature = createHmac('sha256', key);
  for await (const chunk of chunks) {
    hash.update(chunk);
    signature.update(chunk);
    yield chunk;
  }
  yield `${CHECKSUM}${hash.digest('hex')}\n${SIGNATURE}${signature.digest('hex')}\n`;
}
