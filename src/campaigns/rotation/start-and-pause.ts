import type { Caller } from '../../access/index.ts';
import type { App } from '../../app.ts';
import { activateCampaign, pauseCampaign } from '../lifecycle/campaign-lifecycle.ts';
import { getRotation, type Rotation, requireRotation } from './read-rotations.ts';

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
