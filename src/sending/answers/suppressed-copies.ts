import type { App } from '../../app.ts';
import { isSuppressed } from '../../contacts/index.ts';
import { conflict } from '../../core/errors.ts';
import type { Queryable } from '../../db/statement.ts';

/** Returns the first suppressed address among `cc`; undefined if none is suppressed. */
export async function suppressedAmong(db: Queryable, app: App, workspaceId: number, cc: readonly string[]): Promise<string | undefined> {
  for (const address of cc) if (await isSuppressed(db, app, workspaceId, address)) return address;
  return undefined;
}

/**
 * Throws `conflict` if one of these addresses is suppressed: users may override the suppression of the recipient, but not that of others.
 */
export async function refuseSuppressedCopies(db: Queryable, app: App, workspaceId: number, cc: readonly string[]): Promise<void> {
  const suppressed = await suppressedAmong(db, app, workspaceId, cc);
  if (suppressed !== undefined) throw conflict(`cc: ${suppressed} is suppressed; leave it out`);
}
