import { Args, Flags } from '@oclif/core';
import { eachRecord } from '../../client/pages.ts';
import { invalid } from '../../core/errors.ts';
import type { Api } from './api.ts';

export const REPLY_KINDS = ['reply', 'colleague', 'unsubscribe_request', 'auto_reply'] as const;

/** The flag for a kind of replies. */
export const replyKind = Flags.option({ options: REPLY_KINDS });

/** The argument of the commands about several replies. */
export const repliesArgument = Args.string({ multiple: true, description: 'id of a reply; several may be given' });

/** The argument of every command about one reply. */
export const replyArgument = Args.string({ required: true, description: 'id of the reply' });

/** The id of a reply in an argument. Throws `invalid_request` for anything else. */
export const replyId = (text: string): number => idOf(text, 'reply', 'list');

/** The argument of the commands about one drafted answer, and about several. */
export const draftArgument = Args.string({ required: true, description: 'id of the draft' });

export const draftsArgument = Args.string({ required: true, multiple: true, description: 'id of a draft; several may be given' });

/** The id of a draft in an argument. Throws `invalid_request` for anything else. */
export const draftId = (text: string): number => idOf(text, 'draft', 'drafts');

function idOf(text: string, what: string, command: string): number {
  if (/^[1-9]\d{0,9}$/.test(text)) return Number(text);
  throw invalid(`"${text}" is not the id of a ${what}; outreach reply ${command} shows them`);
}

/** The flag that chooses replies by words instead of ids. */
export const replySearch = Flags.string({
  description: 'every reply with these words in sender, subject or what the author wrote',
  helpValue: 'WORDS',
});

/** The ids of replies that arguments name, or a search finds; one of the two. Throws `invalid_request`. */
export async function chosenReplies(api: Api, words: readonly string[], search: string | undefined): Promise<number[]> {
  if (words.length > 0 === (search !== undefined)) throw invalid('name the replies by their ids, or pass --search WORDS');
  if (search === undefined) return [...new Set(words.map(replyId))];
  const found = await Array.fromAsync(eachRecord((page) => api.replies.list.query({ ...page, q: search })));
  if (found.length === 0) throw invalid(`--search: no reply has the words "${search}"`);
  return found.map(({ id }) => id);
}
