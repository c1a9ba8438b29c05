import type { App } from '../../app.ts';
import { isSuppressed } from '../../contacts/index.ts';
import { conflict } from '../../core/errors.ts';
import type { Queryable } from '../../db/statement.ts';

/** The first of these addresses that is suppressed; undefined if none is. */
export async function suppressedAmong(db: Queryable, app: App, workspaceId: number, cc: readonly string[]): Promise<string | undefined> {
  for (const address of cc) if (await isSuppressed(db, app, workspaceId, address)) return address;
  return undefined;
}

/** Throws `conflict` if one of these addresses is suppressed: who answers may override that for the person they answer, and for nobody else. */
export async function refuseSuppressedCopies(db: Queryable, app: App, workspaceId: number, cc: readonly string[]): Promise<void> {
  const suppressed = await suppressedAmong(db, app, workspaceId, cc);
  if (suppressed !== undefined) throw conflict(`cc: ${suppressed} is suppressed; leave it out`);
}
