import { type Caller, createRecord } from '../../access/index.ts';
import type { App } from '../../app.ts';
import type { Tx } from '../../db/transaction.ts';
import { setterOf } from './change-campaign.ts';
import type { Campaign } from './entities.ts';
import { CAMPAIGN, lockCampaign } from './read-campaign.ts';

/** Fields that a copy does not take over: the campaign's identity and its history. */
const NOT_COPIED = [
  ...['id', 'name', 'status', 'starts_at', 'rotation_group_id', 'paused_by_account', 'is_archived'],
  // Contacts who join the list would get both sequences.
  ...['list_id', 'list_set_by'],
  ...['created_by', 'created_at', 'updated_at', 'deleted_at'],
] as const;

/** Returns the name of a copy: `Spring fair (copy)` for `Spring fair`, cut to the maximum length of a name. */
const copyName = (name: string): string => `${name.slice(0, 248)} (copy)`;

/**
 * Creates a draft of the caller with the settings and options of a campaign, but without its steps. Throws `not_found`.
 * @returns the id of the draft
 */
export async function createDraftCopy(tx: Tx, app: App, caller: Caller, id: number, name?: string): Promise<number> {
  const now = app.clock.now();
  const campaign = await lockCampaign(tx, caller, id);
  const settings = Object.entries(campaign).filter(([field]) => !(NOT_COPIED as readonly string[]).includes(field));
  const data = {
    ...(Object.fromEntries(settings) as Omit<Campaign, (typeof NOT_COPIED)[number]>),
    name: name ?? copyName(campaign.name),
    // The copy reads a reply mailbox and starts other campaigns with the rights of the user who made it.
    reply_to_set_by: setterOf(caller),
    subsequences_set_by: setterOf(caller),
    created_by: caller.userId,
    created_at: now,
    updated_at: now,
  };
  const copy = await createRecord(tx, app, caller, CAMPAIGN, data, { audited: { name: data.name, copied_from: id } });
  return copy.id;
}
