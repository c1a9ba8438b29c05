import { WRITER_WORDS } from '../../core/writer-words.ts';
import { type Fact, factsText } from '../../terminal/facts.ts';
import { localText } from '../../terminal/local-text.ts';
import { namedAddress } from '../../terminal/named-address.ts';
import type { Api } from '../client/api.ts';
import { unlessUnreadable } from '../client/api-error.ts';

type Reply = Awaited<ReturnType<Api['replies']['get']['query']>>;

/** The evidence by which a reply was matched to the email that it answers. */
const PROOFS = {
  token: 'its address to unsubscribe',
  id: 'its Message-ID',
  ref: 'the reference in its header',
  thread: 'its conversation',
  sender: 'its sender and subject',
} as const satisfies Record<Reply['proof'], string>;

/** Describes a reply: who wrote it, which email it answers and its state; times are in the zone of its campaign. */
export async function describeReply(api: Api, reply: Reply, campaign: { id: number; name: string; timezone: string }): Promise<string> {
  const account = await unlessUnreadable(api.accounts.get.query({ id: reply.account_id }), null);
  const at = (time: string) => localText(time, campaign.timezone);
  const facts: Fact[] = [
    ['Received', at(reply.received_at)],
    [
      'Answers',
      `step ${reply.step_order} of "${campaign.name}" (campaign ${campaign.id})${account === null ? '' : `, sent by ${account.email}`}`,
    ],
    ['Kind', reply.kind === 'reply' ? null : reply.kind.replaceAll('_', ' ')],
    ['Written by', [WRITER_WORDS[reply.writer], reply.because].filter((part) => part !== '').join(': ')],
    ['Matched by', PROOFS[reply.proof]],
    ['Label', reply.label?.replaceAll('_', ' ')],
    ['Assigned to', reply.assigned_to === null ? null : await nameOf(api, reply.assigned_to)],
    ['Answered', reply.answered_at === null ? null : at(reply.answered_at)],
    ['Removal', reply.may_ask_to_be_removed ? removal(reply.id) : null],
  ];
  return `${namedAddress(reply.from_name, reply.from)}: ${reply.subject} (reply ${reply.id}, ${reply.is_read ? 'read' : 'unread'})\n\n${factsText(facts)}`;
}

const removal = (id: number): string =>
  `may ask to be removed; decide with: outreach reply confirm-opt-out ${id} or with: outreach reply dismiss ${id}`;

/** The address of a user; only admins may read it. */
async function nameOf(api: Api, id: number): Promise<string> {
  const user = await unlessUnreadable(api.users.get.query({ id }), null);
  return user?.email ?? `user ${id}`;
}
