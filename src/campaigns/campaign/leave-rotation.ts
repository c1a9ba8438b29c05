import { type Caller, saveRecord } from '../../access/index.ts';
import type { App } from '../../app.ts';
import type { Tx } from '../../db/transaction.ts';
import { CAMPAIGN } from './read-campaign.ts';
import type { Member } from './sequence.ts';

/** Takes a locked campaign out of its rotation group, so that it gets no new contacts, or puts it back. */
export async function setLeaving(tx: Tx, app: App, caller: Caller, member: Member, isLeaving: boolean): Promise<void> {
  const verb = isLeaving ? 'leave_rotation' : 'join_rotation';
  await saveRecord(tx, app, caller, CAMPAIGN, member, { verb, patch: { is_leaving: isLeaving } });
}
