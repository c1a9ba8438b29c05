import type { Caller } from '../../access/index.ts';
import type { App } from '../../app.ts';
import { type CampaignStatus, getRotation, saidTogether } from '../../campaigns/index.ts';
import { type Explanation, explainCampaign } from './explain.ts';

/** The explanation of one campaign of a rotation group. */
export interface MemberExplanation extends Explanation {
  account_email: string;
  /** Contacts it has enrolled, and how many of them are still in the sequence. */
  contacts: number;
  active: number;
}

export interface RotationExplanation extends Omit<Explanation, 'campaign_id'> {
  rotation_id: number;
  members: MemberExplanation[];
}

/**
 * Explains a rotation group as if it were one campaign, and each of its campaigns. It reads every one, so that it takes as many
 * times as long as `explainCampaign`. Throws `not_found`.
 */
export async function explainRotation(app: App, caller: Caller, groupId: number): Promise<RotationExplanation> {
  const group = await getRotation(app.db, caller, groupId);
  const members: MemberExplanation[] = [];
  for (const { campaign_id, account_email, contacts, active } of group.members)
    members.push({ ...(await explainCampaign(app, caller, campaign_id)), account_email, contacts, active });
  return { rotation_id: groupId, status: group.status, ...together(group.status, members), members };
}

/**
 * One explanation out of those of the campaigns. The group is sending if one of them is; then the reasons of the others are notes.
 * Campaigns without active contacts have nothing to say while another has some. See `saidTogether`. A group that is not active is explained by the campaign with the most contacts: they count for all.
 */
export function together(
  status: CampaignStatus,
  members: readonly MemberExplanation[],
): Pick<Explanation, 'reasons' | 'notes' | 'next_send_at'> {
  const most = members.toSorted((a, b) => b.contacts - a.contacts)[0];
  if (status !== 'active') return { reasons: most?.reasons ?? [], notes: most?.notes ?? [], next_send_at: null };
  const active = members.filter(({ active }) => active > 0);
  const asked = active.length > 0 ? active : members;
  const isSending = asked.some(({ reasons }) => reasons.length === 0);
  const reasons = merged(asked, (member) => member.reasons);
  const notes = merged(asked, (member) => member.notes);
  const times = members.flatMap(({ next_send_at }) => next_send_at ?? []).sort();
  return { reasons: isSending ? [] : reasons, notes: isSending ? [...reasons, ...notes] : notes, next_send_at: times[0] ?? null };
}

const merged = (members: readonly MemberExplanation[], textsOf: (member: MemberExplanation) => readonly string[]): string[] =>
  saidTogether(
    members.map((member) => ({ email: member.account_email, sentences: textsOf(member) })),
    (text) => text,
  ).map(({ text }) => text);
