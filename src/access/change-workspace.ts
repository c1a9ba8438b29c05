import { LockMode } from '@mikro-orm/core';
import type { App } from '../app.ts';
import { conflict, notFound, SQLSTATE, sqlState } from '../core/errors.ts';
import type { Queryable } from '../db/statement.ts';
import type { Tx } from '../db/transaction.ts';
import { audit, differences } from './audit.ts';
import type { Caller } from './caller.ts';
import { Workspace } from './entities.ts';
import { checkedName } from './name.ts';
import { type Scope, seenBy } from './visibility.ts';
import { getWorkspace, nameTaken, type WorkspaceRow } from './workspaces.ts';

/** Renames the caller's workspace. Throws `conflict` if a live one has the name. */
export async function renameWorkspace(app: App, caller: Caller, newName: string): Promise<WorkspaceRow> {
  const name = checkedName(newName);
  await change(app, caller, 'workspace.rename', name, (workspace) => {
    workspace.name = name;
  });
  return getWorkspace(app.db, caller);
}

/**
 * Archives the caller's workspace: its keys fail from the next request on. Throws `conflict` for the default workspace, and
 * for one with active campaigns, since nobody could pause them afterwards.
 * @param countActiveCampaigns counts those in scope
 */
export async function archiveWorkspace(
  app: App,
  caller: Caller,
  countActiveCampaigns: (db: Queryable, scope: Scope) => Promise<number>,
): Promise<void> {
  await change(app, caller, 'workspace.archive', '', async (workspace, tx) => {
    if (workspace.is_default) throw conflict("the default workspace can't be archived");
    const active = await countActiveCampaigns(tx, seenBy(caller));
    if (active > 0) throw conflict(`workspace "${workspace.name}" has active campaigns (${active}); pause them first`);
    workspace.archived_at ??= app.clock.now();
  });
}

/** Unarchives the caller's workspace; its keys work again. Throws `conflict` if a live workspace has taken the name. */
export async function unarchiveWorkspace(app: App, caller: Caller): Promise<WorkspaceRow> {
  const { name } = await getWorkspace(app.db, caller);
  await change(app, caller, 'workspace.unarchive', name, (workspace) => {
    workspace.archived_at = null;
  });
  return getWorkspace(app.db, caller);
}

/** Locks and changes the caller's workspace; writes an audit entry if a field changed. */
async function change(
  app: App,
  caller: Caller,
  action: string,
  name: string,
  apply: (workspace: Workspace, tx: Tx) => void | Promise<void>,
): Promise<void> {
  const work = async (tx: Tx) => {
    const workspace = await tx.em.findOne(Workspace, caller.workspaceId, { lockMode: LockMode.PESSIMISTIC_WRITE });
    if (workspace === null) throw notFound('workspace');
    const before = { name: workspace.name, archived_at: workspace.archived_at };
    await apply(workspace, tx);
    const changes = differences(before, { name: workspace.name, archived_at: workspace.archived_at });
    if (Object.keys(changes).length === 0) return;
    const now = app.clock.now();
    workspace.updated_at = now;
    await audit(tx, caller, now, { action, resourceType: 'workspace', resourceId: workspace.id, changes });
  };
  await app.db.tx(work).catch((error: unknown) => {
    throw sqlState(error) === SQLSTATE.uniqueViolation ? nameTaken(name) : error;
  });
}
