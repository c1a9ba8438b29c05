import type { Caller } from '../../access/index.ts';
import type { App } from '../../app.ts';
import { countPending, getCampaignOptions, type Subsequence } from '../../campaigns/index.ts';
import { getList } from '../../contacts/index.ts';
import { causeText } from '../../core/cause-text.ts';
import { quantity } from '../../core/english.ts';
import { unlessNotFound } from '../../core/errors.ts';

/** Describes how contacts are enrolled in a campaign automatically. Throws `not_found`. */
export async function joiningNotes(app: App, caller: Caller, campaignId: number): Promise<string[]> {
  const { list_id, subsequences } = await getCampaignOptions(app.db, caller, campaignId);
  const pending = await countPending(app.db, campaignId);
  return [
    ...(list_id === null ? [] : [await listNote(app, caller, list_id)]),
    ...subsequences.map((rule) => `Contacts are enrolled in campaign ${rule.campaign_id} on "${causeText(rule)}"${waitNote(rule)}.`),
    ...(pending === 0 ? [] : [`${quantity(pending, 'contact waits', 'contacts wait')} to be enrolled by a list or a subsequence.`]),
  ];
}

const waitNote = ({ wait_days }: Subsequence): string => (wait_days === 0 ? '' : ` after ${quantity(wait_days, 'day')}`);

async function listNote(app: App, caller: Caller, id: number): Promise<string> {
  const list = await unlessNotFound(getList(app.db, caller, id), null);
  if (list === null) return 'The list whose new members are enrolled was deleted, so it enrols nobody.';
  return `Contacts who join the list "${list.name}" are enrolled.`;
}
