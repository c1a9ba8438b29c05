import { z } from 'zod';
import { WITHOUT_NUL } from '../../fields/exact-text.ts';
import { filledLine, htmlText, sha256Text, timestampText, untrusted } from '../../fields/fields.ts';
import { REPLY_KINDS } from '../../replies/index.ts';
import { MAX_COPIES } from '../../sending/index.ts';
import { MAX_ATTACHMENTS } from '../../uploads/attachments.ts';

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
  from: z.string().meta({ ...untrusted, example: 'ada@example.org' }),
  from_name: z.string().meta({ ...untrusted, example: 'Ada Lovelace' }),
  subject: z.string().meta({ ...untrusted, example: 'Re: A question, Ada' }),
  snippet: z.string().meta({ ...untrusted, example: 'Yes, let us talk.', description: 'Of `own_text`, up to 500 characters' }),
  may_ask_to_be_removed: z.boolean().meta({
    example: false,
    description: 'The contact is held in all campaigns until a person confirms or dismisses that',
  }),
  label: z.string().nullable().meta({ example: 'interested' }),
  is_read: z.boolean(),
  later_until: timestampText.nullable().meta({ example: null, description: 'Until then it is put off' }),
  has_returned: z
    .boolean()
    .meta({ example: false, description: 'It was put off until now; lists begin with it until somebody acts on it' }),
  assigned_to: z.number().int().nullable().meta({ example: null, description: 'A user' }),
  received_at: timestampText,
  answered_at: timestampText.nullable().meta({ example: null }),
  has_draft: z.boolean().meta({ example: false, description: "An answer to it waits for a person's approval" }),
};
/** A reply in a list. */
export const replySchema = z.object(fields).meta({ id: 'Reply' });

const files = z.array(
  z.object({
    name: z.string().meta({ ...untrusted, example: 'offer.pdf' }),
    size: z.number().int().meta({ example: 48_211, description: 'Bytes' }),
  }),
);

const threadMessage = z
  .object({
    type: z
      .enum(['step', 'answer', ...REPLY_KINDS])
      .meta({ description: 'step: an email of the sequence; answer: one of a person, to a reply; else a reply of that kind' }),
    reply_id: z.number().int().nullable().meta({ example: null, description: 'The reply, or the one that was answered' }),
    step_order: z.number().int(),
    from: z.string().meta({ ...untrusted, example: 'zoe@example.com' }),
    to: z.string().meta({ ...untrusted, example: 'ada@example.org' }),
    cc: z.array(z.string()).meta({ example: [], description: 'Who gets a copy of an answer' }),
    subject: z.string().meta({ ...untrusted, example: 'A question, Ada' }),
    text: z
      .string()
      .nullable()
      .meta({ ...untrusted, example: null, description: 'Null for an email of the sequence' }),
    attachments: files.meta({ description: 'Of an answer, or of a reply' }),
    state: z.enum(['queued', 'sent', 'unknown', 'failed']).nullable().meta({ example: null, description: 'The delivery of an answer' }),
    error: z
      .string()
      .nullable()
      .meta({ ...untrusted, example: null, description: 'What the server said about an answer, or a copy of it, that was not sent' }),
    at: timestampText,
  })
  .meta({ id: 'ThreadMessage' });

const answerText = z
  .string('must be a string')
  .min(1, 'must not be empty')
  .max(50_000, 'at most 50,000 characters')
  .refine((text) => !text.includes('\0'), 'must not contain NUL')
  .refine((text) => text.isWellFormed(), 'must be well-formed Unicode')
  .meta({ id: 'PlainText', pattern: WITHOUT_NUL, description: 'In place of `body_html`; blank lines separate paragraphs' });
const subject = filledLine(500).meta({ id: 'AnswerSubject', example: 'Re: A question, Ada' });
const copies = z
  .array(z.string('must be a string'))
  .max(MAX_COPIES, `at most ${MAX_COPIES} addresses`)
  .meta({
    id: 'Copies',
    example: ['boss@example.org'],
    description: 'Addresses that get a copy, which every recipient sees. None may be suppressed',
  });
const filesToSend = z
  .array(
    z
      .strictObject({
        name: filledLine(200).meta({ description: 'Its name in the email', example: 'offer.pdf' }),
        sha256: sha256Text,
        size: z.number().int().optional().meta({ description: 'Ignored: it is that of the file', examples: [] }),
      })
      .meta({ id: 'FileToSend' }),
  )
  .max(MAX_ATTACHMENTS, `at most ${MAX_ATTACHMENTS} files`)
  .meta({ id: 'FilesToSend', description: 'Files that were uploaded with `POST /attachments`, of 15 MiB in all' });

/** The content of an answer. */
export const answerFields = {
  body_html: htmlText.optional().meta({ example: '<p>Tuesday suits me.</p>' }),
  text: answerText.optional().meta({ examples: [] }),
  subject: subject.optional(),
  cc: copies.optional(),
  attachments: filesToSend.optional().meta({ examples: [] }),
};

const draftFields = {
  id: z.number().int().meta({ example: 12 }),
  reply_id: z.number().int(),
  subject: z.string().meta({ example: 'Re: A question, Ada' }),
  body_html: z.string().meta({ example: '<p>Tuesday suits me.</p>' }),
  body_text: z.string().meta({ example: 'Tuesday suits me.', description: 'The body as plain text' }),
  cc: z.array(z.string()).meta({ example: [], description: 'Who gets a copy' }),
  attachments: z
    .array(
      z.object({ name: z.string(), size: z.number().int().meta({ description: 'Bytes' }), sha256: sha256Text }).meta({ id: 'DraftFile' }),
    )
    .meta({ example: [] }),
  send_at: timestampText.nullable().meta({ example: null, description: 'Null: as soon as it is approved' }),
  created_by: z.number().int().nullable().meta({ description: 'Null for the operator' }),
  created_at: timestampText,
  updated_at: timestampText,
};

/** A draft, with the reply that it answers. */
export const draftSchema = z
  .object({
    ...draftFields,
    campaign_id: z.number().int(),
    contact_id: z.number().int(),
    to: z.string().meta({ ...untrusted, example: 'ada@example.org', description: 'Who wrote the reply' }),
  })
  .meta({ id: 'Draft' });

/** A reply with its text and its thread. */
export const detailsSchema = z
  .object({
    ...fields,
    text: z.string().meta({ ...untrusted, example: 'Yes, let us talk.', description: 'With quotations, up to 50,000 characters' }),
    own_text: z.string().meta({
      ...untrusted,
      example: 'Yes, let us talk.',
      description: 'Without quotations and signature, up to 20,000 characters; the whole text where nothing else is left',
    }),
    attachments: files.meta({ description: 'Only the mailbox keeps their content' }),
    writer: z.enum(['contact', 'colleague', 'stranger', 'copied']).meta({
      example: 'contact',
      description: 'Who its author is taken to be: `copied` is somebody who answers a copy of the email',
    }),
    because: z.string().meta({ example: 'a name in common, and the same domain', description: 'Why its author is taken for that' }),
    proof: z.enum(['token', 'id', 'ref', 'thread', 'sender']).meta({
      example: 'id',
      description:
        'How the email that it answers was recognised: by the address to unsubscribe (`token`), its Message-ID (`id`), its X-Entity-Ref-ID ' +
        '(`ref`), the conversation (`thread`), or its sender and subject',
    }),
    drafts: z
      .array(z.object(draftFields).meta({ id: 'DraftAnswer' }))
      .meta({ description: 'Answers that wait for approval, oldest first' }),
    thread: z.array(threadMessage).meta({ description: 'Every email to and from the contact in this campaign, oldest first' }),
  })
  .meta({ id: 'ReplyDetails' });
