import { type Caller, visible } from '../../access/index.ts';
import { isLiveAccount } from '../../accounts/index.ts';
import type { App } from '../../app.ts';
import { notFound } from '../../core/errors.ts';
import { type Queryable, sql } from '../../db/statement.ts';
import { activateCampaign, pauseCampaign } from '../lifecycle/campaign-lifecycle.ts';
import { getRotation, type Rotation } from './read-rotations.ts';

/** Activates all campaigns of a group, as `activateCampaign` does. Throws what that throws, and `not_found` for the group. */
export async function activateRotation(app: App, caller: Caller, groupId: number, startsAt?: Date | null): Promise<Rotation> {
  await activateCampaign(app, caller, await requireRotation(app.db, caller, groupId), startsAt);
  return getRotation(app.db, caller, groupId);
}

/** Pauses all campaigns of a group before its next email. Throws `not_found`. */
export async function pauseRotation(app: App, caller: Caller, groupId: number): Promise<Rotation> {
  await pauseCampaign(app, caller, await requireRotation(app.db, caller, groupId));
  return getRotation(app.db, caller, groupId);
}

/**
 * The id of a campaign of the group that stands for all: the first that the caller may see, of those with a live account if there
 * are any. Throws `not_found`. Index: campaigns_rotation.
 */
export async function requireRotation(db: Queryable, caller: Caller, groupId: number): Promise<number> {
  const [row] = await db.query<{ id: number }>(sql`
    select c.id from campaigns c join accounts a on a.id = c.account_id
    where c.rotation_group_id = ${groupId} and ${visible(caller, 'campaigns', 'c')}
    order by (${isLiveAccount('a')}) desc, c.id limit 1`);
  if (row === undefined) throw notFound('rotation group');
  return row.id;
}
