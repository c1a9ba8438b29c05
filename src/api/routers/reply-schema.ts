import { z } from 'zod';
import { timestampText, untrusted } from '../../fields/fields.ts';
import { REPLY_KINDS } from '../../replies/index.ts';

/** The kind of a reply. */
export const kind = z.enum(REPLY_KINDS);

const fields = {
  id: z.number().int(),
  kind: kind.meta({
    description: 'reply: of the contact; colleague: of somebody else there; unsubscribe_request; auto_reply: of a program',
  }),
  campaign_id: z.number().int(),
  contact_id: z.number().int(),
  account_id: z.number().int().meta({ description: 'The account that sent the email that was answered' }),
  step_order: z.number().int(),
  from: z.string().meta({ example: 'ada@example.org' }),
  from_name: z.string().meta({ ...untrusted, example: 'Ada Lovelace' }),
  subject: z.string().meta({ ...untrusted, example: 'Re: A question, Ada' }),
  snippet: z.string().meta({ ...untrusted, example: 'Yes, let us talk.', description: 'What the author wrote, up to 500 characters' }),
  may_ask_to_be_removed: z.boolean().meta({
    example: false,
    description: 'It may ask for no more email: its contact is held in all campaigns until a person confirms or dismisses that',
  }),
  label: z.string().nullable().meta({ example: 'interested' }),
  is_read: z.boolean(),
  assigned_to: z.number().int().nullable().meta({ example: null, description: 'A user' }),
  received_at: timestampText,
  answered_at: timestampText.nullable().meta({ example: null }),
};
/** A reply in a list. */
export const replySchema = z.object(fields).meta({ id: 'Reply' });

const threadMessage = z
  .object({
    type: z
      .enum(['step', 'answer', ...REPLY_KINDS])
      .meta({ description: 'step: an email of the sequence; answer: one of a person, to a reply; else a reply of that kind' }),
    reply_id: z.number().int().nullable().meta({ example: null, description: 'The reply, or the one that was answered' }),
    step_order: z.number().int(),
    from: z.string().meta({ example: 'zoe@example.com' }),
    to: z.string().meta({ example: 'ada@example.org' }),
    subject: z.string().meta({ ...untrusted, example: 'A question, Ada' }),
    text: z
      .string()
      .nullable()
      .meta({ ...untrusted, example: null, description: 'Null for an email of the sequence' }),
    state: z.enum(['queued', 'sent', 'unknown', 'failed']).nullable().meta({ example: null, description: 'The delivery of an answer' }),
    error: z
      .string()
      .nullable()
      .meta({ ...untrusted, example: null, description: 'What the server said of an answer that is not sent' }),
    at: timestampText,
  })
  .meta({ id: 'ThreadMessage' });

/** A reply with its text and its thread. */
export const detailsSchema = z
  .object({
    ...fields,
    text: z
      .string()
      .meta({ ...untrusted, example: 'Yes, let us talk.', description: 'The whole text with its quotations, up to 50,000 characters' }),
    own_text: z.string().meta({
      ...untrusted,
      example: 'Yes, let us talk.',
      description:
        'What the author wrote, without quotations and signature, up to 20,000 characters; the whole text where nothing else is left',
    }),
    attachments: z
      .array(
        z.object({
          name: z.string().meta({ ...untrusted, example: 'offer.pdf' }),
          size: z.number().int().meta({ example: 48_211, description: 'Bytes' }),
        }),
      )
      .meta({ description: 'Only the mailbox keeps their content' }),
    writer: z.enum(['contact', 'colleague', 'stranger', 'copied']).meta({
      example: 'contact',
      description: 'Whom its author is taken for: `copied` is somebody who answers a copy of the email',
    }),
    because: z.string().meta({ example: 'a name in common, and the same domain', description: 'Why its author is taken for that' }),
    thread: z.array(threadMessage).meta({ description: 'Every email to and from the contact in this campaign, oldest first' }),
  })
  .meta({ id: 'ReplyDetails' });
