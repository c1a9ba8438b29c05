import { Args, Flags, type Interfaces } from '@oclif/core';
import { eachRecord } from '../../client/pages.ts';
import { invalid } from '../../core/errors.ts';
import { listedId } from '../argument.ts';
import { instantText, PAST_TIMES } from '../instant.ts';
import type { Api } from './api.ts';
import { idOf } from './names.ts';
import { timeFrame } from './time-frame.ts';

export const REPLY_KINDS = ['reply', 'colleague', 'unsubscribe_request', 'auto_reply'] as const;

/** The flag for a kind of replies. */
export const replyKind = Flags.option({ options: REPLY_KINDS });

/** The argument of the commands about several replies. */
export const repliesArgument = Args.string({ multiple: true, description: 'id of a reply; several may be given' });

/** The argument of every command about one reply. */
export const replyArgument = Args.string({ required: true, description: 'id of the reply' });

/** The id of a reply in an argument. Throws `invalid_request` for anything else. */
export const replyId = (text: string): number => listedId(text, 'a reply', 'reply list');

/** The argument of the commands about one drafted answer, and about several. */
export const draftArgument = Args.string({ required: true, description: 'id of the draft' });

export const draftsArgument = Args.string({ required: true, multiple: true, description: 'id of a draft; several may be given' });

/** The id of a draft in an argument. Throws `invalid_request` for anything else. */
export const draftId = (text: string): number => listedId(text, 'a draft', 'reply drafts');

/** The flags that choose replies: of the list, and of the commands that change several. */
export const replyFilters = {
  account: Flags.string({ description: 'only replies to emails of this account, by id or email address', helpValue: 'A' }),
  campaign: Flags.string({ description: 'only replies to this campaign, by id or name', helpValue: 'C' }),
  kind: replyKind({ description: 'only replies of this kind' }),
  label: Flags.string({ description: 'only replies with this label', helpValue: 'L' }),
  search: Flags.string({ description: 'words in sender, subject or what the author wrote', helpValue: 'WORDS' }),
  since: Flags.string({ description: `only replies received since then, ${PAST_TIMES}`, helpValue: 'TIME' }),
  unread: Flags.boolean({ description: 'only replies that nobody has read' }),
};

type ReplyFilters = Interfaces.InferredFlags<typeof replyFilters>;

/** Returns the API's filter for the flags. Throws `not_found`, and `invalid_request` for a malformed time. */
export const replyFilter = async (api: Api, { account, campaign, kind, label, search, since, unread }: ReplyFilters) => ({
  ...{ kind, label, q: search, is_read: unread ? false : undefined },
  account_id: account === undefined ? undefined : await idOf(api, 'account', account),
  campaign_id: campaign === undefined ? undefined : await idOf(api, 'campaign', campaign),
  since: since === undefined ? undefined : instantText(since, '--since', await timeFrame(api, 'past')),
});

/** Returns the ids of the replies that arguments name or filters find. Throws `invalid_request` unless one of the two is given, or if none match. */
export async function chosenReplies(api: Api, words: readonly string[], flags: ReplyFilters): Promise<number[]> {
  const given = Object.keys(replyFilters).filter(
    (name) => !(flags[name as keyof ReplyFilters] === undefined || flags[name as keyof ReplyFilters] === false),
  );
  if (words.length > 0 === given.length > 0)
    throw invalid('name the replies by their ids, or choose them by --campaign, --label, --search …');
  if (words.length > 0) return [...new Set(words.map(replyId))];
  const filter = await replyFilter(api, flags);
  const found = await Array.fromAsync(eachRecord((page) => api.replies.list.query({ ...page, ...filter })));
  if (found.length === 0) throw invalid(`no reply is found by ${given.map((name) => `--${name}`).join(' and ')}`);
  return found.map(({ id }) => id);
}
