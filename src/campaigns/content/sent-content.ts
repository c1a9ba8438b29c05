import { createHash } from 'node:crypto';
import { raw, type Sql, sql } from '../../db/statement.ts';
import { withoutUnsafeLinks } from '../../html/link-targets.ts';
import type { MergeValues } from './merge-values.ts';
import { OPT_OUT, placeholdersOf } from './placeholders.ts';
import { type BodyContent, renderBody } from './render-body.ts';

/** The sources of an email, as they are kept: its content once for all emails of the step, and its own values. */
export interface KeptContent {
  key: string;
  content: BodyContent;
  values: MergeValues;
}

/** The link to unsubscribe is the recipient's own: what is shown to others leads nowhere, and a text has words in its place. */
const SHOWN_OPT_OUT = 'https://unsubscribe.invalid/';
const OPT_OUT_IN_WORDS = '[link to unsubscribe]';

/** The part of an email that is kept: the values that its content uses, without the recipient's link to unsubscribe. */
export function keptContent(content: BodyContent, values: MergeValues): KeptContent {
  const texts = [content.body, content.signature ?? '', content.footer ?? ''];
  const used = new Set(texts.flatMap((text) => placeholdersOf(text).map(({ key }) => key)));
  const own = Object.entries(values).filter(([key]) => used.has(key) && key !== OPT_OUT);
  const key = createHash('sha256').update(JSON.stringify(content)).digest('base64url').slice(0, 22);
  return { key, content, values: Object.fromEntries(own) };
}

/** The columns of a row of the outbox by which its text is written again. */
export interface SentRow {
  contact_id: number;
  step_order: number;
  /** Null for an answer, and for an email whose content was erased. */
  content: BodyContent | null;
  content_values: MergeValues | null;
  /** The words of an answer, with its signature; null for an email of a step. */
  answer: string | null;
}

/** The columns of `SentRow` of row `alias` of the outbox. Indexes: steps_pkey, answers_pkey. */
export const sentColumns = (alias: string): Sql => {
  const o = raw(alias);
  return sql`${o}.contact_id, ${o}.step_order, ${o}.content_values,
    (select s.sent_contents -> ${o}.content_key from steps s where s.id = ${o}.step_id) as content,
    (select w.body_html || coalesce(w.signature_html, '') from answers w where w.outbox_id = ${o}.id) as answer`;
};

/**
 * The contents that email `alias` may have been written from, where its recipient's data were erased: all that were kept with its step. They
 * are the sender's own words and hold nothing of a recipient. Null for an email whose own content is known. Index: steps_pkey.
 */
export const possibleContents = (alias: string): Sql => {
  const o = raw(alias);
  return sql`case when ${o}.content_key is null then
    (select jsonb_agg(c.value) from steps s, jsonb_each(s.sent_contents) c where s.id = ${o}.step_id) end`;
};

/** The body of an email as it was sent, without the marks of tracking; null if it is not kept. */
export function sentHtml({ answer, content, content_values: values, contact_id, step_order }: SentRow): string | null {
  if (answer !== null) return answer;
  if (content === null || values === null) return null;
  const merged = { ...values, [OPT_OUT]: SHOWN_OPT_OUT };
  return withoutUnsafeLinks(renderBody(content, { values: merged, contactId: contact_id, stepOrder: step_order }).text);
}

/** The text of an email as it was sent; null if it is not kept. */
export async function sentWords(row: SentRow): Promise<string | null> {
  const html = sentHtml(row);
  if (html === null) return null;
  // Loaded with the first text: a contact who was sent nothing is shown without it.
  const { textOf } = await import('../../mail/text-alternative.ts');
  return textOf(html).replaceAll(`[${SHOWN_OPT_OUT}]`, OPT_OUT_IN_WORDS).replaceAll(SHOWN_OPT_OUT, OPT_OUT_IN_WORDS);
}
