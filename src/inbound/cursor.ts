import { prepared, type Queryable, sql } from '../db/statement.ts';

/** The position up to which a folder was read. A UID is valid only under its UIDVALIDITY (RFC 9051 §2.3.1.1). */
export interface Cursor {
  uidValidity: number;
  /** The highest UID that was read. */
  lastUid: number;
  /** UIDNEXT when the folder was last read to its end; null while a read is in progress, and if the server does not report it. */
  uidNext: number | null;
}

/** A message that the server did not return, although it exists. */
interface WaitingMessage {
  uid: number;
  /** Number of times that we tried to fetch it. */
  tries: number;
  retryAt: Date;
}

/** A cursor, the time at which it was saved, and the messages before it that are fetched again. */
export type SavedCursor = Cursor & { polledAt: Date; waiting: readonly WaitingMessage[] };

interface CursorRow {
  folder: string;
  uid_validity: number;
  last_uid: number;
  uid_next: number | null;
  polled_at: Date;
  waiting: { uid: number; tries: number; at: string }[] | null;
}

/**
 * Loads the cursors of a mailbox by folder. Folders that were never read have none. Indexes: mailbox_cursors_pkey, reading_tries_pkey,
 * whose table is nearly always empty.
 */
export async function loadCursors(db: Queryable, accountId: number): Promise<ReadonlyMap<string, SavedCursor>> {
  const rows = await db.query<CursorRow>(
    prepared(
      'cursors',
      sql`
      select c.folder, c.uid_validity, c.last_uid, c.uid_next, c.polled_at,
        (select json_agg(json_build_object('uid', t.uid, 'tries', t.tries, 'at', t.retry_at)) from reading_tries t
          where t.account_id = c.account_id and t.folder = c.folder and t.uid_validity = c.uid_validity and t.retry_at is not null) as waiting
      from mailbox_cursors c where c.account_id = ${accountId}`,
    ),
  );
  return new Map(
    rows.map((row) => [
      row.folder,
      {
        uidValidity: row.uid_validity,
        lastUid: row.last_uid,
        uidNext: row.uid_next,
        polledAt: row.polled_at,
        waiting: (row.waiting ?? []).map(({ uid, tries, at }) => ({ uid, tries, retryAt: new Date(at) })),
      },
    ]),
  );
}

/** Moves the cursor forward, never back under the same UIDVALIDITY, because another daemon may have been faster. */
export async function saveCursor(db: Queryable, accountId: number, folder: string, cursor: Cursor, now: Date): Promise<void> {
  await db.query(sql`
    insert into mailbox_cursors as m (account_id, folder, uid_validity, last_uid, uid_next, polled_at)
    values (${accountId}, ${folder}, ${cursor.uidValidity}, ${cursor.lastUid}, ${cursor.uidNext}, ${now})
    on conflict (account_id, folder) do update set uid_validity = excluded.uid_validity, polled_at = excluded.polled_at,
      uid_next = excluded.uid_next,
      last_uid = case when m.uid_validity = excluded.uid_validity then greatest(m.last_uid, excluded.last_uid) else excluded.last_uid end`);
}
