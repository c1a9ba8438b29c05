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

/** The answer of a person to a reply. */
export interface AnswerInput {
  /** One of the two. */
  body_html?: string | undefined;
  text?: string | undefined;
  /** The subject of the reply, with `Re: `, if it is left out. */
  subject?: string | undefined;
  /** At once if it is left out. */
  send_at?: Date | null | undefined;
  /** Who gets a copy, for everybody to see; nobody if it is left out. */
  cc?: readonly string[] | undefined;
  /** Files that were uploaded; none if it is left out. */
  attachments?: readonly NamedFile[] | undefined;
}

/** The longest time for which an answer waits. */
const MAX_AHEAD = 365 * DAY;
/** RFC 5322 §2.1.1. */
const MAX_SUBJECT_OCTETS = 998;

/**
 * The content of an answer to a locked reply. Throws `invalid_request` for what no email can be, and `conflict` for a copy to a suppressed
 * address.
 * @param draft its content so far, if it is a draft that is changed
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
  const bodyHtml = isSame ? draft.bodyHtml : await writtenOut(tx, caller, reply, bodyOf(input));
  if (Buffer.byteLength(subject ?? '') > MAX_SUBJECT_OCTETS) throw invalid(`subject: at most ${MAX_SUBJECT_OCTETS} bytes as UTF-8`);
  const cc = input.cc === undefined ? (draft?.cc ?? []) : copyAddresses(input.cc, reply.from);
  const now = app.clock.now().getTime();
  // A draft may be given back as it was read, after its time.
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
 * A body with templates in the place of `{{> name}}`, merged with the values of the contact. Throws `invalid_request` for a name that no
 * template has, and for placeholders that an answer has no value for.
 */
async function writtenOut(tx: Tx, caller: Caller, { contact_id }: ReplyRow, body: string): Promise<string> {
  if (!body.includes('{{')) return body;
  const merge = await mergeForContact(tx, caller, contact_id);
  const { html, missing } = await withSnippets(tx, caller, 'body', body, ({ name, body_html }) => {
    const { text, unknown } = merge(body_html);
    if (unknown.length > 0) throw invalid(`body: the template "${name}" has ${namePlaceholders(unknown)}, which answers have no value for`);
    return text;
  });
  if (missing.length > 0)
    throw invalid(`body: there is no template named "${missing[0]}"; outreach template list shows those that there are`);
  return html;
}

const answerSubject = (subject: string) => inOneLine(/^re:/i.test(subject) ? subject : `Re: ${subject}`);
