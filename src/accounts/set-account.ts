import { LockMode } from '@mikro-orm/core';
import { audit, type Caller, differences, missing, requireShareManager, requireVisible } from '../access/index.ts';
import type { App } from '../app.ts';
import { invalid } from '../core/errors.ts';
import { localDay } from '../core/zone.ts';
import type { Tx } from '../db/transaction.ts';
import { isSignature } from '../templates/index.ts';
import { Account } from './entities.ts';
import { wakeAccount } from './next-batch.ts';
import { type AccountRow, getAccount } from './read-account.ts';
import { type AccountSettings, checkSettings, settingsOf, trackingOrigin } from './settings.ts';

/**
 * Changes an account's settings and wakes it, so that the new ones count at once. Throws `not_found`, and
 * `invalid_request` naming the field.
 */
export async function setAccount(app: App, caller: Caller, id: number, patch: Partial<AccountSettings>): Promise<AccountRow> {
  await app.db.tx(async (tx) => {
    await requireVisible(tx, caller, 'accounts', id);
    if (patch.is_shared_to_all !== undefined) await requireShareManager(tx, caller, 'accounts', id);
    const account = await tx.em.findOne(Account, id, { lockMode: LockMode.PESSIMISTIC_WRITE });
    if (account === null) throw missing('accounts');
    const now = app.clock.now();
    const changes = await applySettings(tx, app, caller, account, patch);
    if (Object.keys(changes).length === 0) return;
    account.updated_at = now;
    await wakeAccount(tx, id, now);
    await audit(tx, caller, now, { action: 'account.update', resourceType: 'account', resourceId: id, changes });
  });
  return getAccount(app.db, caller, id);
}

/** Puts checked settings into the account, new or present, inside a running change. Answers what they changed. */
export async function applySettings(
  tx: Tx,
  app: App,
  caller: Caller,
  account: Account,
  patch: Partial<AccountSettings>,
): Promise<Record<string, [unknown, unknown]>> {
  const before = settingsOf(account);
  const after: AccountSettings = { ...before, ...Object.fromEntries(Object.entries(patch).filter(([, value]) => value !== undefined)) };
  after.from_name = after.from_name.trim();
  if (after.tracking_host !== null) after.tracking_host = trackingOrigin(after.tracking_host);
  // Without a start there is no ramp-up, and nothing else of it means anything.
  if (patch.ramp_start === null) Object.assign(after, { ramp_increment: null, ramp_ceiling: null });
  checkSettings(after);
  const changes = differences(before, after);
  if (changes.signature_template_id !== undefined) await requireSignature(tx, caller, after.signature_template_id);
  if (changes.ramp_start !== undefined)
    account.ramp_started_on = after.ramp_start === null ? null : localDay(app.clock.now(), after.timezone);
  Object.assign(account, after);
  return changes;
}

async function requireSignature(tx: Tx, caller: Caller, id: number | null): Promise<void> {
  if (id === null) return;
  if (!(await isSignature(tx, caller, id))) throw invalid(`signature_template_id: there is no signature with the id ${id}`);
}
