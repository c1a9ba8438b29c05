import type { Caller } from '../../access/index.ts';
import type { App } from '../../app.ts';
import { mergeForContact, namePlaceholders } from '../../campaigns/index.ts';
import { DAY } from '../../core/clock.ts';
import { invalid } from '../../core/errors.ts';
import type { Tx } from '../../db/transaction.ts';
import { checkAuthorHtml } from '../../html/author-html.ts';
import { paragraphsOf } from '../../html/paragraphs.ts';
import { textOf } from '../../mail/text-alternative.ts';
import type { DraftContent } from '../../outbox/index.ts';
import type { ReplyRow } from '../../replies/index.ts';
import { withSnippets } from '../../templates/index.ts';
import { cleanlyNamed, type NamedFile, storedFiles } from '../../uploads/attachments.ts';
import { inOneLine } from './compose-answer.ts';
import { copyAddresses } from './copies.ts';
import { originOf } from './origin.ts';
import { refuseSuppressedCopies } from './suppressed-copies.ts';

/** A user's answer to a reply. */
export interface AnswerInput {
  /** Either this or `text`. */
  body_html?: string | undefined;
  text?: string | undefined;
  /** Defaults to the subject of the reply, with `Re: `. */
  subject?: string | undefined;
  /** Defaults to now. */
  send_at?: Date | null | undefined;
  /** Addresses that get a visible copy; none by default. */
  cc?: readonly string[] | undefined;
  /** Uploaded files; none by default. */
  attachments?: readonly NamedFile[] | undefined;
}

/** Longest time from now to `send_at`. */
const MAX_AHEAD = 365 * DAY;
/** RFC 5322 §2.1.1. */
const MAX_SUBJECT_OCTETS = 998;

/**
 * Returns the content of an answer to a locked reply. Throws `invalid_request` for content that no email can have, and `conflict` for a
 * copy to a suppressed address.
 * @param draft the current content, if the caller changes a draft
 */
export async function contentOf(
  tx: Tx,
  app: App,
  caller: Caller,
  reply: ReplyRow,
  input: AnswerInput,
  draft?: DraftContent,
): Promise<DraftContent> {
  const { subject, send_at: dueAt, attachments } = input;
  const isSame = draft !== undefined && input.body_html === undefined && input.text === undefined;
  const bodyHtml = isSame ? draft.bodyHtml : await expandTemplates(tx, caller, reply, bodyOf(input));
  if (Buffer.byteLength(subject ?? '') > MAX_SUBJECT_OCTETS) throw invalid(`subject: at most ${MAX_SUBJECT_OCTETS} bytes as UTF-8`);
  const cc = input.cc === undefined ? (draft?.cc ?? []) : copyAddresses(input.cc, reply.from);
  const now = app.clock.now().getTime();
  // Clients may send a draft back as they read it, even after its time has passed.
  if (dueAt != null && draft === undefined && dueAt.getTime() <= now) throw invalid('send_at: must be in the future');
  if (dueAt != null && dueAt.getTime() > now + MAX_AHEAD) throw invalid('send_at: at most a year ahead');
  const files =
    attachments === undefined
      ? (draft?.attachments ?? [])
      : await storedFiles(tx, caller.workspaceId, [], cleanlyNamed(attachments), app.clock.now());
  await refuseSuppressedCopies(tx, app, caller.workspaceId, cc);
  return {
    bodyHtml,
    cc,
    attachments: files,
    subject: subject ?? draft?.subject ?? answerSubject(reply.subject || (await originOf(tx, reply.id)).mailed_subject),
    dueAt: dueAt === undefined ? (draft?.dueAt ?? null) : dueAt,
  };
}

function bodyOf({ body_html, text }: AnswerInput): string {
  if ((body_html === undefined) === (text === undefined)) throw invalid('body_html, text: give one of them');
  if (text?.trim() === '') throw invalid('text: must not be empty');
  if (body_html === undefined) return paragraphsOf(text ?? '');
  checkAuthorHtml('body_html', body_html);
  if (textOf(body_html).trim() === '' && !/<img\b/i.test(body_html)) throw invalid('body_html: must not be empty');
  return body_html;
}

/**
 * Replaces each `{{> name}}` in a body with that template, merged with the contact's values. Throws `invalid_request` for an unknown
 * template name, and for placeholders that an answer has no value for.
 */
async function expandTemplates(tx: Tx, caller: Caller, { contact_id }: ReplyRow, body: string): Promise<string> {
  if (!body.includes('{{')) return body;
  const merge = await mergeForContact(tx, caller, contact_id);
  const { html, missing } = await withSnippets(tx, caller, 'body', body, ({ name, body_html }) => {
    const { text, unknown } = merge(body_html);
    if (unknown.length > 0) throw invalid(`body: the template "${name}" has ${namePlaceholders(unknown)}, which answers have no value for`);
    return text;
  });
  if (missing.length > 0) throw invalid(`body: there is no template named "${missing[0]}"; outreach template list shows all templates`);
  return html;
}

const answerSubject = (subject: string) => inOneLine(/^re:/i.test(subject) ? subject : `Re: ${subject}`);
