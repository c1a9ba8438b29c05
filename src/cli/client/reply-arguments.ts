import { Args, Flags } from '@oclif/core';
import { invalid } from '../../core/errors.ts';

export const REPLY_KINDS = ['reply', 'colleague', 'unsubscribe_request', 'auto_reply'] as const;

/** The flag for a kind of replies. */
export const replyKind = Flags.option({ options: REPLY_KINDS });

/** The argument of every command about one reply. */
export const replyArgument = Args.string({ required: true, description: 'id of the reply' });

/** The id in an argument. Throws `invalid_request` for anything else. */
export function replyId(text: string): number {
  if (/^[1-9]\d{0,9}$/.test(text)) return Number(text);
  throw invalid(`"${text}" is not the id of a reply; outreach reply list shows them`);
}

/** The argument of the commands about one drafted answer, and about several. */
export const draftArgument = Args.string({ required: true, description: 'id of the draft' });

export const draftsArgument = Args.string({ required: true, multiple: true, description: 'id of a draft; several may be given' });

/** The id in an argument. Throws `invalid_request` for anything else. */
export function draftId(text: string): number {
  if (/^[1-9]\d{0,9}$/.test(text)) return Number(text);
  throw invalid(`"${text}" is not the id of a draft; outreach reply drafts shows them`);
}
