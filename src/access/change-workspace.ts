import type { App } from '../app.ts';
import { conflict, notFound, SQLSTATE, sqlState } from '../core/errors.ts';
import { type Queryable, sql } from '../db/statement.ts';
import type { Tx } from '../db/transaction.ts';
import type { Caller } from './caller.ts';
import type { Workspace } from './entities.ts';
import { checkedName } from './name.ts';
import { changeRecord, type RecordChange, type RecordKind } from './records.ts';
import type { Viewer } from './visibility.ts';
import { checkedAddress } from './workspace-footer.ts';
import { checkedZone, getWorkspace, nameTaken, type WorkspaceRow } from './workspaces.ts';

const WORKSPACE: RecordKind<Workspace> = {
  entity: 'Workspace',
  resourceType: 'workspace',
  missing: () => notFound('workspace'),
  visible: (caller) => sql`t.id = ${caller.workspaceId}`,
};

/** New values of a workspace's settings; undefined ones stay. `timezone`: IANA name, or null for UTC. */
export interface WorkspaceSettings {
  name?: string | undefined;
  timezone?: string | null | undefined;
  /** One line of 500 characters at most; null for none. */
  postal_address?: string | null | undefined;
  /** HTML with placeholders; null for none. Only `changeWorkspace` of campaigns checks whether it can be sent. */
  footer_html?: string | null | undefined;
  /** Labels of replies that reports count as positive. */
  positive_labels?: string[] | undefined;
}

/** Changes settings of the caller's workspace. Throws `invalid_request`, and `conflict` if a live one has the name. */
export async function setWorkspace(app: App, caller: Caller, settings: WorkspaceSettings): Promise<WorkspaceRow> {
  const name = settings.name === undefined ? undefined : checkedName(settings.name);
  const timezone = settings.timezone == null ? settings.timezone : checkedZone(settings.timezone);
  const postal_address = settings.postal_address == null ? settings.postal_address : checkedAddress(settings.postal_address);
  const patch = { name, timezone, postal_address, footer_html: settings.footer_html, positive_labels: settings.positive_labels };
  await change(app, caller, name ?? '', { verb: 'update', patch });
  return getWorkspace(app.db, caller);
}

/**
 * Archives the caller's workspace: its keys fail from the next request on. Throws `conflict` for the default workspace, and for one with
 * active campaigns, since they could not be paused afterwards.
 * @param countActiveCampaigns counts the active campaigns that the viewer sees
 */
export async function archiveWorkspace(
  app: App,
  caller: Caller,
  countActiveCampaigns: (db: Queryable, viewer: Viewer) => Promise<number>,
): Promise<void> {
  await change(app, caller, '', {
    verb: 'archive',
    async patch(workspace, tx) {
      if (workspace.is_default) throw conflict("the default workspace can't be archived");
      const active = await countActiveCampaigns(tx, caller);
      if (active > 0) throw conflict(`workspace "${workspace.name}" has active campaigns (${active}); pause them first`);
      return { archived_at: workspace.archived_at ?? app.clock.now() };
    },
  });
}

/** Unarchives the caller's workspace; its keys work again. Throws `conflict` if a live workspace has taken the name. */
export async function unarchiveWorkspace(app: App, caller: Caller): Promise<WorkspaceRow> {
  const { name } = await getWorkspace(app.db, caller);
  await change(app, caller, name, { verb: 'unarchive', patch: { archived_at: null } });
  return getWorkspace(app.db, caller);
}

/** @param name the workspace's name after the change, for the refusal if a live one has it */
async function change(app: App, caller: Caller, name: string, how: RecordChange<Workspace>): Promise<void> {
  const work = (tx: Tx) => changeRecord(tx, app, caller, WORKSPACE, caller.workspaceId, how);
  await app.db.tx(work).catch((error: unknown) => {
    throw sqlState(error) === SQLSTATE.uniqueViolation ? nameTaken(name) : error;
  });
}
