import { createHash } from 'node:crypto';
import { Readable } from 'node:stream';
import { constants, createZstdCompress } from 'node:zlib';
import { to as copyTo } from 'pg-copy-streams';
import type { App } from '../app.ts';
import type { BulkTx } from '../db/database.ts';
import { migrationStatus } from '../db/migrate.ts';
import { writeWhole } from '../files/output-file.ts';
import { BACKUP_LINE, type BackupHeader, type BackupTrailer, CHECKSUM, END_OF_ROWS, FORMAT } from './backup-format.ts';
import { copyTarget, sequenceState, storedTables, type Table } from './tables.ts';

export interface BackupResult {
  file: string;
  /** The moment of the snapshot, RFC 3339. */
  made_at: string;
  tables: number;
  rows: number;
  /** Names the secret that is needed to open the credentials in it; the secret itself is not in the file. */
  key_id: string;
}

/**
 * Writes everything of the database into one file, as it stands at one moment (REPEATABLE READ), while daemons go on.
 * It is the text of a SQL script, compressed with zstd, ending in a SHA-256 of all of it; docs/operating.md says how to
 * read one without this program. The secret is left out: whoever finds the file can't use the credentials in it.
 */
export async function backUp(
  app: App,
  path: string,
  options: { signal?: AbortSignal; progress?: (table: string, share: number) => void } = {},
): Promise<BackupResult> {
  const { signal, progress } = options;
  const { executed } = await migrationStatus(app);
  const madeAt = app.clock.now().toISOString();
  const header: BackupHeader = { format: FORMAT, made_at: madeAt, migrations: executed, key_ids: [...app.sealer.keyIds] };
  const trailer: BackupTrailer = { rows: {}, sequences: {} };
  await app.db.bulk(
    (tx) => {
      const compressor = createZstdCompress({ params: { [constants.ZSTD_c_checksumFlag]: 1 } });
      return writeWhole(path, Readable.from(withChecksum(script(tx, header, trailer, progress))).compose(compressor), signal);
    },
    { signal, mode: 'isolation level repeatable read read only' },
  );
  const counts = Object.values(trailer.rows);
  const rows = counts.reduce((sum, count) => sum + count, 0);
  return { file: path, made_at: madeAt, tables: counts.length, rows, key_id: app.sealer.keyId };
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
  // After the rows: numbers that were given away meanwhile are then not given again.
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

async function* withChecksum(pieces: AsyncIterable<string | Buffer>): AsyncGenerator<string | Buffer> {
  const hash = createHash('sha256');
  for await (const piece of pieces) {
    hash.update(piece);
    yield piece;
  }
  yield `${CHECKSUM}${hash.digest('hex')}\n`;
}
