import { audit, type Caller } from '../../access/index.ts';
import type { App } from '../../app.ts';
import { conflict, notFound } from '../../core/errors.ts';
import type { Tx } from '../../db/transaction.ts';
import { setLeaving } from '../campaign/leave-rotation.ts';
import { lockMembers, type Member } from '../campaign/sequence.ts';
import { wakeCampaign } from '../campaign/wake.ts';
import { distributeUnsent, spreadOver } from '../enrolments/distribute.ts';
import { auditCopies, copyMember, requireLiveAccounts } from './copy-member.ts';
import { getRotation, type Rotation, requireRotation } from './read-rotations.ts';

/**
 * Adds accounts to a rotation group: copies its campaign for each, or takes back the campaign of one that was removed, and distributes the
 * contacts who have been sent nothing yet over all campaigns. Ignores an account that is in the group already. Throws `not_found`, and
 * `invalid_request` for an account that is not live.
 */
export async function addToRotation(app: App, caller: Caller, groupId: number, accountIds: readonly number[]): Promise<Rotation> {
  await app.db.tx(async (tx) => {
    const members = await lockGroup(tx, caller, groupId);
    const wanted = await requireLiveAccounts(tx, caller, [...new Set(accountIds)]);
    const returning = members.filter((member) => member.is_leaving && wanted.includes(member.account_id));
    for (const member of returning) await setLeaving(tx, app, caller, member, false);
    const missing = wanted.filter((id) => members.every((member) => member.account_id !== id));
    const copies = await copyFor(tx, app, caller, groupId, members, missing);
    if (returning.length + copies.length === 0) return;
    const ids = [...members.map(({ id }) => id), ...copies];
    const moved = await distributeUnsent(tx, ids, await spreadOver(tx, ids), app.clock.now());
    await recordChange(tx, app, caller, {
      groupId,
      ids,
      action: 'add',
      accountIds: [...returning.map((member) => member.account_id), ...missing],
      moved,
    });
  });
  return getRotation(app.db, caller, groupId);
}

/**
 * Removes accounts from a rotation group. Contacts whom they have emailed finish the sequence there, in their thread. All other contacts,
 * and those who are enrolled later, go to the remaining accounts. Throws `not_found`, also for an account that is not in the group, and
 * `conflict` if none would remain.
 */
export async function removeFromRotation(app: App, caller: Caller, groupId: number, accountIds: readonly number[]): Promise<Rotation> {
  await app.db.tx(async (tx) => {
    const members = await lockGroup(tx, caller, groupId);
    const staying = members.filter((member) => !member.is_leaving);
    const leaving = staying.filter((member) => accountIds.includes(member.account_id));
    const unknown = accountIds.find((id) => leaving.every((member) => member.account_id !== id));
    if (unknown !== undefined) throw notFound(`account ${unknown} in this rotation group`);
    if (leaving.length === staying.length) throw conflict('at least one account must remain; delete the campaign instead');
    for (const member of leaving) await setLeaving(tx, app, caller, member, true);
    const ids = members.map(({ id }) => id);
    const from = leaving.map(({ id }) => id);
    const moved = await distributeUnsent(tx, from, await spreadOver(tx, ids), app.clock.now());
    await recordChange(tx, app, caller, { groupId, ids, action: 'remove', accountIds: leaving.map((member) => member.account_id), moved });
  });
  return getRotation(app.db, caller, groupId);
}

/** Makes a rotation group send from exactly these accounts. Throws as `addToRotation` and `removeFromRotation` do. */
export async function setRotationAccounts(app: App, caller: Caller, groupId: number, accountIds: readonly number[]): Promise<Rotation> {
  return app.db.tx(async (tx) => {
    const inside = { ...app, db: app.db.within(tx) };
    const { members } = await addToRotation(inside, caller, groupId, accountIds);
    const surplus = members.filter((member) => !member.is_leaving && !accountIds.includes(member.account_id));
    if (surplus.length === 0) return getRotation(tx, caller, groupId);
    const ids = surplus.map((member) => member.account_id);
    return removeFromRotation(inside, caller, groupId, ids);
  });
}

/** Locks the campaigns of a group, in id order. */
const lockGroup = async (tx: Tx, caller: Caller, groupId: number): Promise<[Member, ...Member[]]> =>
  (await lockMembers(tx, caller, await requireRotation(tx, caller, groupId))).sort((one, other) => one.id - other.id) as [
    Member,
    ...Member[],
  ];

/** Copies a campaign of a group for each account: an active one if there is one, because a copy has the state of its original. */
async function copyFor(
  tx: Tx,
  app: App,
  caller: Caller,
  groupId: number,
  members: readonly [Member, ...Member[]],
  accountIds: readonly number[],
): Promise<number[]> {
  if (accountIds.length === 0) return [];
  const staying = members.filter((member) => !member.is_leaving);
  const model = staying.find(({ status }) => status === 'active') ?? staying[0] ?? members[0];
  const now = app.clock.now();
  const copies = await copyMember(tx, { id: model.id, name: members[0].name }, accountIds, now);
  await auditCopies(tx, caller, copies, { copied_from: model.id, rotation_group_id: groupId }, now);
  return copies;
}

interface MembershipChange {
  groupId: number;
  ids: readonly number[];
  action: 'add' | 'remove';
  accountIds: readonly number[];
  moved: number;
}

async function recordChange(
  tx: Tx,
  app: App,
  caller: Caller,
  { groupId, ids, action, accountIds, moved }: MembershipChange,
): Promise<void> {
  const now = app.clock.now();
  for (const id of ids) await wakeCampaign(tx, id, now);
  const changes = { account_ids: accountIds, moved_contacts: moved };
  await audit(tx, caller, now, { action: `rotation.${action}`, resourceType: 'rotation', resourceId: groupId, changes });
}
