import type { App } from '../app.ts';
import type { Queryable } from '../db/statement.ts';
import { SEALED, type SealedColumn } from '../secrets/sealed-columns.ts';
import { resealColumn } from './reseal.ts';

/** The migration after which the credentials of an account are bound to its servers. */
export const BINDING_MIGRATION = '0057-bound-credentials';

/**
 * Reseals the credentials that an earlier version bound to their row alone, so that they are bound to the server and user of the
 * row as well. Runs once, in the transaction of the migration: at any other time a value of the earlier form is not accepted, or
 * somebody who can write to the database could put one back beside a server of their own. Where a value is bound already, the
 * installation is past this step, and values of the earlier form stay unreadable.
 * @returns the number of values that were resealed
 */
export async function bindCredentials(tx: Queryable, { sealer }: Pick<App, 'sealer'>): Promise<number> {
  const columns: SealedColumn[] = [SEALED.smtpSecret, SEALED.imapSecret];
  let isPast = false;
  for (const column of columns)
    await resealColumn(tx, column, (value, values) => {
      sealer.open(value, column.place(...values));
      isPast = true;
      return undefined;
    });
  if (isPast) return 0;
  let count = 0;
  for (const column of columns) {
    const { changed } = await resealColumn(tx, column, (value, values) => {
      const former = column.formerPlace?.(...values);
      return former && sealer.seal(sealer.open(value, former), column.place(...values));
    });
    count += changed;
  }
  return count;
}
