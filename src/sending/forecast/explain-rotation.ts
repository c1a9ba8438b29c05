import type { Caller } from '../../access/index.ts';
import type { App } from '../../app.ts';
import { type CampaignStatus, getRotation, mergeMessages } from '../../campaigns/index.ts';
import { type Explanation, type ExplanationInParts, explainInParts } from './explain.ts';
import { accountReasons, isStopped } from './explain-account.ts';

/** The explanation of one campaign of a rotation group. */
export interface MemberExplanation extends ExplanationInParts {
  account_email: string;
  /** Contacts it has enrolled, and how many of them are still in the sequence. */
  contacts: number;
  active: number;
}

export interface RotationExplanation extends Omit<Explanation, 'campaign_id'> {
  rotation_id: number;
  members: Omit<MemberExplanation, 'account'>[];
}

/**
 * Explains a rotation group as if it were one campaign, and each of its campaigns. It reads every one, so that it takes as many
 * times as long as `explainCampaign`. Throws `not_found`.
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
 * One explanation out of those of the campaigns. Accounts that send nothing come first, those that need a person before the others, and
 * what several have in common is said once. The group is sending if one of its campaigns is; then the reasons of the others are notes.
 * Campaigns without active contacts have nothing to say while another has some. See `mergeMessages`. What else a group that is not active waits for is said by the campaign with the most contacts: they count for all.
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
    // What is to be done when the accounts are well again is the same for all.
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
