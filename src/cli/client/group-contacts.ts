import type { ReadPage } from '../../client/pages.ts';
import { OutreachError } from '../../core/errors.ts';
import type { Api } from './api.ts';
import { type Rotation, rotationOf } from './rotation.ts';

/** A contact of a campaign; in a rotation group also with the campaign and account that have it. */
export type CampaignContact = Awaited<ReturnType<Api['enrolments']['list']['query']>>['data'][number] & {
  campaign_id?: number;
  account_email?: string;
};

type Status = CampaignContact['status'] | undefined;

/** Returns the members of a campaign's rotation group; undefined for a campaign without a group. */
export async function membersOf(api: Api, campaignId: number): Promise<Rotation['members'] | undefined> {
  const group = await rotationOf(api, campaignId);
  return group === undefined ? undefined : (await api.rotations.get.query({ id: group.id })).members;
}

/** Reads the contacts of the campaigns of a rotation group as one list, campaign by campaign. */
export function contactsOfGroup(api: Api, members: Rotation['members'], status: Status): ReadPage<CampaignContact> {
  const totals = new Map<number, number>();
  return async ({ limit, offset }) => {
    const data: CampaignContact[] = [];
    let before = 0;
    for (const { campaign_id: id, account_email } of members) {
      const [skip, rest] = [Math.max(0, offset - before), limit - data.length];
      const known = totals.get(id);
      if (known === undefined || (rest > 0 && skip < known)) {
        const page = await api.enrolments.list.query({ id, status, limit: Math.max(1, rest), offset: skip });
        data.push(...page.data.slice(0, rest).map((row) => ({ ...row, campaign_id: id, account_email })));
        totals.set(id, page.pagination.total);
      }
      before += totals.get(id) ?? 0;
    }
    return { data, pagination: { total: before } };
  };
}

/** The error for a contact that is not in a campaign. @param name as the user gave it */
export const notInCampaign = (name: string, campaignId: number): OutreachError =>
  new OutreachError('not_found', `contact "${name}" is not in campaign ${campaignId}; see: outreach campaign contacts ${campaignId}`);

/**
 * Returns the campaign of a rotation group that has a contact, or the named campaign if it has no group. Throws `not_found` if no
 * campaign of the group has the contact.
 */
export async function campaignWith(
  api: Api,
  campaignId: number,
  members: Rotation['members'] | undefined,
  { contactId, name }: { contactId: number; name: string },
): Promise<number> {
  if (members === undefined) return campaignId;
  const { data } = await api.enrolments.listOfContact.query({ id: contactId });
  const found = data.find((enrolment) => members.some((member) => member.campaign_id === enrolment.campaign_id));
  if (found === undefined) throw notInCampaign(name, campaignId);
  return found.campaign_id;
}
