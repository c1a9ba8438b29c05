import { type Caller, daemon, requireLiveWorkspace } from '../../access/index.ts';
import {
  type AccountRow,
  accountsOfTenant,
  countRefusal,
  getAccount,
  isAccountActive,
  lockAccount,
  lockActive,
  lockConnected,
  type PauseReason,
  removeAccount,
  setAccountArchived,
  setAccountStatus,
} from '../../accounts/index.ts';
import type { App } from '../../app.ts';
import { conflict } from '../../core/errors.ts';
import type { Tx } from '../../db/transaction.ts';
import { pauseCampaignsOf, resumeCampaignsOf } from '../campaign/account-pause.ts';
import { wakeSuccessors } from '../campaign/wake.ts';
import { leaveRotations } from './leave-rotations.ts';

/**
 * Pauses an account and its active campaigns before their next email. An account that was paused automatically counts as
 * paused manually from then on; a disconnected one stays as it is. Throws `not_found`.
 */
export async function pauseAccount(app: App, caller: Caller, id: number): Promise<AccountRow> {
  await app.db.tx(async (tx) => {
    const account = await lockAccount(tx, caller, id);
    if (account.status === 'disconnected' || account.pause_reason === 'manual') return;
    await pauseAccountInTx(tx, app, caller, id, { reason: 'manual' });
  });
  return getAccount(app.db, caller, id);
}

/**
 * Resumes an account and exactly those campaigns that its pause had paused. Throws `not_found`, and `conflict` for an
 * account that is archived or in an archived workspace, or disconnected and so has to be connected again.
 */
export async function resumeAccount(app: App, caller: Caller, id: number): Promise<AccountRow> {
  await app.db.tx(async (tx) => {
    const account = await lockAccount(tx, caller, id);
    if (account.status === 'active') return;
    if (account.status === 'disconnected') throw conflict('the account is disconnected; reconnect it with: outreach account connect');
    if (account.is_archived) throw conflict('the account is archived; unarchive it first');
    await requireLiveWorkspace(tx, caller);
    await setAccountStatus(tx, app, caller, id, { status: 'active', pause_reason: null, pause_message: null });
    await resumeCampaignsOf(tx, app, caller, id);
  });
  return getAccount(app.db, caller, id);
}

/** Archives an account, pauses its active campaigns and takes them out of their rotation groups. Throws `not_found`. */
export async function archiveAccount(app: App, caller: Caller, id: number): Promise<AccountRow> {
  await app.db.tx(async (tx) => {
    if (!(await setAccountArchived(tx, app, caller, id, true))) return;
    await pauseCampaignsOf(tx, app, caller, id);
    await leaveRotations(tx, app, caller, id);
    await wakeSuccessors(tx, id, app.clock.now());
  });
  return getAccount(app.db, caller, id);
}

/** Unarchives an account; if it is active, the campaigns that archiving had paused resume. Throws `not_found`. */
export async function unarchiveAccount(app: App, caller: Caller, id: number): Promise<AccountRow> {
  await app.db.tx(async (tx) => {
    if (!(await setAccountArchived(tx, app, caller, id, false))) return;
    if (await isAccountActive(tx, id)) await resumeCampaignsOf(tx, app, caller, id);
  });
  return getAccount(app.db, caller, id);
}

/** Deletes an account softly, pauses its active campaigns and takes them out of their rotation groups. Throws `not_found`. */
export async function deleteAccount(app: App, caller: Caller, id: number): Promise<void> {
  await app.db.tx(async (tx) => {
    await removeAccount(tx, app, caller, id);
    await pauseCampaignsOf(tx, app, caller, id);
    await leaveRotations(tx, app, caller, id);
    await wakeSuccessors(tx, id, app.clock.now());
  });
}

/**
 * Pauses an account and its active campaigns in the caller's transaction, and marks those campaigns so that resuming the
 * account resumes them. Throws `not_found`.
 */
export async function pauseAccountInTx(
  tx: Tx,
  app: App,
  caller: Caller,
  id: number,
  pause: { reason: PauseReason; message?: string | undefined },
): Promise<void> {
  await setAccountStatus(tx, app, caller, id, { status: 'paused', pause_reason: pause.reason, pause_message: pause.message ?? null });
  await pauseCampaignsOf(tx, app, caller, id);
}

/**
 * Pauses an account as `pauseAccountInTx` does, because of its provider. Does nothing if the account is not active or no longer exists: a
 * person's pause must not end with the provider's limit.
 * @returns true if the account was active
 */
export async function pauseForProvider(
  tx: Tx,
  app: App,
  caller: Caller,
  id: number,
  pause: { reason: Exclude<PauseReason, 'manual'>; message: string },
): Promise<boolean> {
  if (!(await lockActive(tx, id))) return false;
  await pauseAccountInTx(tx, app, caller, id, pause);
  return true;
}

/**
 * Pauses all active accounts of the tenant at the provider that this account belongs to, as `provider_limit`, because the provider counts
 * their emails together.
 * @param workspaceId limits this to accounts of one workspace; null for all
 */
export async function pauseTenant(tx: Tx, app: App, id: number, message: string, workspaceId: number | null): Promise<void> {
  for (const account of await accountsOfTenant(tx, id, workspaceId))
    await pauseForProvider(tx, app, daemon(account.workspace_id), account.id, { reason: 'provider_limit', message });
}

/**
 * Counts an email that was refused or returned as unwanted, and pauses the account if 3 of its last 50 were.
 * @param text the server's reply
 * @returns true if the account was paused
 */
export async function pauseUnwanted(tx: Tx, app: App, workspaceId: number, id: number, text: string): Promise<boolean> {
  if (!(await countRefusal(tx, id))) return false;
  const message = `3 of the last 50 emails were refused as unwanted, the latest with: ${text}`;
  return pauseForProvider(tx, app, daemon(workspaceId), id, { reason: 'provider_error', message });
}

/**
 * Marks an account as disconnected because its provider revoked our access, and pauses its active campaigns. Only
 * reconnecting brings them back. Does nothing for an account that is deleted or already disconnected.
 */
export async function disconnectAccount(app: App, id: number, message: string): Promise<void> {
  await app.db.tx(async (tx) => {
    const account = await lockConnected(tx, id);
    if (account === undefined) return;
    const caller = daemon(account.workspaceId);
    await setAccountStatus(tx, app, caller, id, { status: 'disconnected', pause_reason: 'provider_error', pause_message: message });
    await pauseCampaignsOf(tx, app, caller, id);
  });
}
