import { prepared, type Queryable, sql } from '../db/statement.ts';

/** The end of what was read in a folder. A UID is valid only under its UIDVALIDITY (RFC 9051 §2.3.1.1). */
export interface Cursor {
  uidValidity: number;
  lastUid: number;
  /** HIGHESTMODSEQ when the folder was last read to its end; null in between, and without CONDSTORE. */
  modSeq: string | null;
}

/** A cursor and when it was set. */
export type SetCursor = Cursor & { polledAt: Date };

/** Loads the cursors of a mailbox by folder; a folder that was never read has none. Index: mailbox_cursors_pkey. */
export async function loadCursors(db: Queryable, accountId: number): Promise<ReadonlyMap<string, SetCursor>> {
  const rows = await db.query<{ folder: string; uid_validity: number; last_uid: number; mod_seq: string | null; polled_at: Date }>(
    prepared(
      'cursors',
      sql`select folder, uid_validity, last_uid, mod_seq::text, polled_at from mailbox_cursors where account_id = ${accountId}`,
    ),
  );
  return new Map(
    rows.map((row) => [row.folder, { uidValidity: row.uid_validity, lastUid: row.last_uid, modSeq: row.mod_seq, polledAt: row.polled_at }]),
  );
}

/** Moves the cursor forward; never back under the same UIDVALIDITY, since another daemon may have been faster. */
export async function saveCursor(db: Queryable, accountId: number, folder: string, cursor: Cursor, now: Date): Promise<void> {
  await db.query(sql`
    insert into mailbox_cursors as m (account_id, folder, uid_validity, last_uid, mod_seq, polled_at)
    values (${accountId}, ${folder}, ${cursor.uidValidity}, ${cursor.lastUid}, ${cursor.modSeq}, ${now})
    on conflict (account_id, folder) do update set uid_validity = excluded.uid_validity, polled_at = excluded.polled_at, mod_seq = excluded.mod_seq,
      last_uid = case when m.uid_validity = excluded.uid_validity then greatest(m.last_uid, excluded.last_uid) else excluded.last_uid end`);
}
