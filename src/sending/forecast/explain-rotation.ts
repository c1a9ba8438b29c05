import type { Caller } from '../../access/index.ts';
import type { App } from '../../app.ts';
import { type CampaignStatus, getRotation, mergeMessages } from '../../campaigns/index.ts';
import { type Explanation, type ExplanationInParts, explainInParts } from './explain.ts';
import { accountReasons, isStopped } from './explain-account.ts';

/** The explanation of one campaign of a rotation group. */
export interface MemberExplanation extends ExplanationInParts {
  account_email: string;
  /** Contacts enrolled in it, and the number of them still in the sequence. */
  contacts: number;
  active: number;
}

export interface RotationExplanation extends Omit<Explanation, 'campaign_id'> {
  rotation_id: number;
  members: Omit<MemberExplanation, 'account'>[];
}

/**
 * Explains a rotation group as if it were one campaign, and each of its campaigns. It runs `explainInParts` for each campaign, so it takes
 * proportionally longer than `explainCampaign`. Throws `not_found`.
 */
export async function explainRotation(app: App, caller: Caller, groupId: number): Promise<RotationExplanation> {
  const group = await getRotation(app.db, caller, groupId);
  const members: MemberExplanation[] = [];
  for (const { campaign_id, account_email, contacts, active } of group.members)
    members.push({ ...(await explainInParts(app, caller, campaign_id)), account_email, contacts, active });
  const single = members.map(({ account, ...own }) => ({ ...own, reasons: [...accountReasons([account]), ...own.reasons] }));
  return { rotation_id: groupId, status: group.status, ...explainGroup(group.status, members), members: single };
}

/**
 * Merges the explanations of a group's campaigns into one. Accounts that send nothing come first, those that need action by a user before
 * the others, and reasons that several campaigns share appear once (see `mergeMessages`). The group is sending if one of its campaigns is;
 * the reasons of the others then become notes. Campaigns without active contacts are ignored if another campaign has some. If the group is
 * not active, everything else comes from the campaign with the most contacts, because it applies to all; but if an account is stopped, the
 * reasons come from the first campaign that has any.
 */
export function explainGroup(
  status: CampaignStatus,
  members: readonly MemberExplanation[],
): Pick<Explanation, 'reasons' | 'notes' | 'next_send_at'> {
  const active = members.filter(({ active }) => active > 0);
  const relevant = active.length > 0 ? active : members;
  const accounts = accountReasons((status === 'active' ? relevant : members).map(({ account }) => account));
  const most = members.toSorted((a, b) => b.contacts - a.contacts)[0];
  if (status !== 'active') {
    // What to do after the accounts work again is the same for all campaigns.
    const own = members.find(({ reasons }) => reasons.length > 0 && accounts.length > 0) ?? most;
    return { reasons: [...accounts, ...(own?.reasons ?? [])], notes: most?.notes ?? [], next_send_at: null };
  }
  const isSending = relevant.some(({ reasons, account }) => reasons.length === 0 && !isStopped(account));
  const reasons = [...accounts, ...merged(relevant, (member) => member.reasons)];
  const notes = merged(relevant, (member) => member.notes);
  const times = members.flatMap(({ next_send_at }) => next_send_at ?? []).sort();
  return { reasons: isSending ? [] : reasons, notes: isSending ? [...reasons, ...notes] : notes, next_send_at: times[0] ?? null };
}

const merged = (members: readonly MemberExplanation[], textsOf: (member: MemberExplanation) => readonly string[]): string[] =>
  mergeMessages(
    members.map((member) => ({ email: member.account_email, messages: textsOf(member) })),
    (text) => text,
  ).map(({ text }) => text);
