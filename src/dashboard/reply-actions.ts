import { once } from '../client/repeat-cut-off.ts';
import { requireUnchanged } from '../client/unchanged-draft.ts';
import { DAY } from '../core/clock.ts';
import { parseTimestamp } from '../core/timestamp-text.ts';
import { writeAnswer } from '../editor/write-answer.ts';
import type { CampaignLine } from '../live/index.ts';
import { localText } from '../terminal/local-text.ts';
import { shownLine } from '../terminal/text-width.ts';
import type { Action } from './action.ts';
import type { Api } from './connection.ts';
import type { ReplyDetails, ReplyFilter, ReplyLine } from './reply-book.ts';
import { whileSuspended } from './while-suspended.ts';

/** The users to whom a reply can be assigned. */
export interface People {
  me: number | null;
  users: readonly { id: number; name: string; email: string }[];
}

/** One line of a menu: a change, a filter, or a label to type. */
export interface Option {
  title: string;
  action?: Action;
  filter?: ReplyFilter;
  isTyped?: boolean;
  /** The menu that the option opens. */
  next?: readonly Option[];
}

const LABELS = ['interested', 'meeting', 'question', 'later', 'wrong_person', 'not_interested'] as const;

/** Delays, in days, after which a postponed reply can come back. */
const DELAYS = { tomorrow: 1, 'in 3 days': 3, 'in a week': 7, 'in 2 weeks': 14, 'in a month': 30, 'in 3 months': 91 } as const;

const KINDS = {
  reply: 'a reply of the contact',
  colleague: 'a reply of a colleague',
  unsubscribe_request: 'a request not to be emailed again',
  auto_reply: 'an auto-reply',
} as const;
type Kind = keyof typeof KINDS;
const ALL_KINDS = Object.keys(KINDS) as Kind[];

/** Opens the editor, with the oldest draft in it if there is one, and sends what was written there. */
export function answerAction({ id, from }: ReplyLine): Action {
  return {
    question: `Answer ${from}?`,
    done: `the answer to ${from} is queued`,
    async run(api, suspend) {
      const reply = await api.replies.get.query({ id });
      const begun = reply.drafts[0]?.body_text ?? '';
      await whileSuspended(suspend, () => writeAnswer(id, reply, sendWith(api, reply), { begun }));
    },
  };
}

/** Returns a function that sends a text as an answer; if there is a draft, as that draft. */
function sendWith(api: Api, { id, drafts: [draft] }: ReplyDetails): (text: string) => Promise<unknown> {
  if (draft === undefined) return (text) => api.replies.answer.mutate({ id, text }, once());
  return async (text) => {
    await requireUnchanged(api, draft);
    if (text !== draft.body_text) await api.draft.update.mutate({ id: draft.id, text });
    return api.draft.approve.mutate({ id: draft.id }, once());
  };
}

/** Makes a change to the oldest drafted answer: sends it or discards it. */
const draftAction = (done: string, change: (api: Api, draftId: number) => Promise<unknown>, { id }: ReplyLine): Action => ({
  question: '',
  done,
  async run(api) {
    const [draft] = (await api.replies.get.query({ id })).drafts;
    return draft === undefined ? 'the draft is gone' : change(api, draft.id).then(() => done);
  },
});

export const approveAction = (reply: ReplyLine): Action =>
  draftAction(`the drafted answer to ${reply.from} is queued`, (api, id) => api.draft.approve.mutate({ id }, once()), reply);

export const discardAction = (reply: ReplyLine): Action =>
  draftAction(`the drafted answer to ${reply.from} is discarded`, (api, id) => api.draft.remove.mutate({ id }), reply);

type UpdateOfReply = Omit<Parameters<Api['replies']['update']['mutate']>[0], 'id'>;

const update = (id: number, done: string, patch: UpdateOfReply): Action => ({
  question: '',
  done,
  run: (api) => api.replies.update.mutate({ id, ...patch }),
});

/** Marks a reply as read, or a read one as unread. */
export const readAction = ({ id, from, is_read }: ReplyLine): Action =>
  update(id, `the reply of ${from} is marked as ${is_read ? 'unread' : 'read'}`, { is_read: !is_read });

/** Asks once more before suppressing the author of a reply. */
export const suppressOptions = ({ id, from }: ReplyLine): Option[] => [
  {
    title: `yes, suppress ${shownLine(from)}`,
    action: {
      question: '',
      done: `${from} is suppressed`,
      run: (api) => api.suppressions.add.mutate({ email: from, reason: `because of a reply (reply show ${id})` }),
    },
  },
  { title: 'no' },
];

/** Gives a reply a label, and marks it as read. */
export const labelAction = ({ id, from }: ReplyLine, label: string): Action =>
  update(id, `${from} is labelled "${label.replaceAll('_', ' ')}"`, { label, is_read: true });

/** Offers the usual labels, or a label to type; `later` asks for a time. @param now time of the daemon */
export function labelOptions(reply: ReplyLine, now: string): Option[] {
  const { id, from, label } = reply;
  const option = (name: (typeof LABELS)[number]): Option =>
    name === 'later'
      ? { title: 'later …', next: laterOptions(reply, now) }
      : { title: name.replaceAll('_', ' '), action: labelAction(reply, name) };
  const none = { title: '(no label)', action: update(id, `${from} has no label`, { label: null }) };
  return [...LABELS.map(option), { title: 'another label …', isTyped: true }, ...(label === null ? [] : [none])];
}

/** Offers times at which a postponed reply becomes unread again and comes first. */
function laterOptions(reply: ReplyLine, now: string): Option[] {
  const dated = Object.entries(DELAYS).map(([title, days]): Option => {
    const until = new Date(parseTimestamp(now).getTime() + days * DAY).toISOString();
    const done = `the reply of ${reply.from} comes back at ${localText(until, 'UTC')}`;
    return { title, action: update(reply.id, done, { later_until: until }) };
  });
  return [...dated, { title: 'without a time: only the label', action: labelAction(reply, 'later') }];
}

/** Offers the owner of the key, nobody, and all other users whom the key may list. */
export function assignOptions({ id, from }: ReplyLine, { me, users }: People): Option[] {
  const option = (user: number | null, title: string): Option => ({
    title,
    action: update(id, `the reply of ${from} is assigned to ${title}`, { assigned_to: user }),
  });
  const others = users
    .filter((user) => user.id !== me)
    .map((user) => option(user.id, `${shownLine(user.name)} (${shownLine(user.email)})`));
  return [...(me === null ? [] : [option(me, 'me')]), option(null, 'nobody'), ...others];
}

/** Decides on a reply that may ask to be removed. */
export const decideAction = ({ id, from }: ReplyLine, isRequest: boolean): Action => ({
  question: '',
  done: isRequest ? `${from} asks to be removed, and is suppressed` : `${from} does not ask to be removed, and continues`,
  run: (api) => (isRequest ? api.replies.confirmOptOut : api.replies.dismissOptOut).mutate({ id }),
});

export const kindOptions = ({ id, kind }: ReplyLine): Option[] =>
  ALL_KINDS.filter((other) => other !== kind).map((other) => ({
    title: `it is ${KINDS[other]}`,
    action: {
      question: '',
      done: `the reply is now ${KINDS[other]}, and its effect was redone`,
      run: (api) => api.replies.reclassify.mutate({ id, kind: other }),
    },
  }));

/** The filters that are offered. */
export const filterOptions = ({ me }: People, campaigns: readonly CampaignLine[]): Option[] => [
  { title: 'all replies of people', filter: {} },
  { title: 'answer drafted', filter: { has_draft: true } },
  ...LABELS.map((label) => ({ title: `label ${label.replaceAll('_', ' ')}`, filter: { label } })),
  ...(me === null ? [] : [{ title: 'assigned to me', filter: { assigned_to: me } }]),
  ...ALL_KINDS.map((kind) => ({ title: `kind ${kind.replaceAll('_', ' ')}`, filter: { kind } })),
  ...campaigns.map(({ id, name }) => ({ title: `campaign "${shownLine(name)}"`, filter: { campaign_id: id } })),
];
