import type { Sealer } from '../secrets/seal.ts';
import type { BackupResult } from './backup.ts';
import { BackupReader } from './backup-format.ts';

/**
 * Verifies a backup by reading it to its end, without a database: its checksum, its signature by the secret, and that every table is
 * complete. Throws like `restore`: `invalid_request` for a damaged file, `conflict` for one that was made with another secret or changed
 * afterwards.
 * @param progress gets the bytes of the file read so far
 */
export async function verifyBackup(sealer: Sealer, path: string, progress?: (table: string, bytes: number) => void): Promise<BackupResult> {
  const reader = new BackupReader(path, sealer);
  try {
    const header = await reader.header();
    reader.requireKnownSecret(header);
    const [keyId = ''] = header.key_ids;
    for (;;) {
      const section = await reader.next();
      if ('trailer' in section) {
        const counts = Object.values(section.trailer.rows);
        const rows = counts.reduce((sum, count) => sum + count, 0);
        return { file: path, made_at: header.made_at, tables: counts.length, rows, key_id: keyId };
      }
      for await (const _ of section.rows) progress?.(section.table, reader.bytes);
    }
  } finally {
    await reader.close();
  }
}
