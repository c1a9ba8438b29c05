import { createHash } from 'node:crypto';
import { raw, type Sql, sql } from '../../db/statement.ts';
import { withoutUnsafeLinks } from '../../html/link-targets.ts';
import type { MergeValues } from './merge-values.ts';
import { OPT_OUT, placeholdersOf } from './placeholders.ts';
import { type BodyContent, renderBody } from './render-body.ts';

/** The sources of an email as they are stored: content that all emails of the step share, and the email's own values. */
export interface KeptContent {
  key: string;
  content: BodyContent;
  values: MergeValues;
}

/** Stand-ins for the recipient's own unsubscribe link where others read the email: a link that leads nowhere, and words in plain text. */
const SHOWN_OPT_OUT = 'https://unsubscribe.invalid/';
const OPT_OUT_IN_WORDS = '[link to unsubscribe]';

/**
 * Returns the part of an email that is stored: its content and the values that the content uses, without the recipient's unsubscribe link.
 */
export function keptContent(content: BodyContent, values: MergeValues): KeptContent {
  const texts = [content.body, content.signature ?? '', content.footer ?? ''];
  const used = new Set(texts.flatMap((text) => placeholdersOf(text).map(({ key }) => key)));
  const own = Object.entries(values).filter(([key]) => used.has(key) && key !== OPT_OUT);
  const key = createHash('sha256').update(JSON.stringify(content)).digest('base64url').slice(0, 22);
  return { key, content, values: Object.fromEntries(own) };
}

/** Columns of an outbox row from which the text of its email can be rendered again. */
export interface SentRow {
  contact_id: number;
  step_order: number;
  /** Null for an answer, and for an email whose content was erased. */
  content: BodyContent | null;
  content_values: MergeValues | null;
  /** The body of an answer, with its signature; null for an email of a step. */
  answer: string | null;
}

/** Selects the columns of `SentRow` for row `alias` of the outbox. Indexes: steps_pkey, answers_pkey. */
export const sentColumns = (alias: string): Sql => {
  const o = raw(alias);
  return sql`${o}.contact_id, ${o}.step_order, ${o}.content_values,
    (select s.sent_contents -> ${o}.content_key from steps s where s.id = ${o}.step_id) as content,
    (select w.body_html || coalesce(w.signature_html, '') from answers w where w.outbox_id = ${o}.id) as answer`;
};

/**
 * Selects the contents that email `alias` may have been written from if its recipient's data were erased: all that are stored with its
 * step. They are the sender's own words and contain nothing about a recipient. Null for an email whose own content is known. Index:
 * steps_pkey.
 */
export const possibleContents = (alias: string): Sql => {
  const o = raw(alias);
  return sql`case when ${o}.content_key is null then
    (select jsonb_agg(c.value) from steps s, jsonb_each(s.sent_contents) c where s.id = ${o}.step_id) end`;
};

/** Renders the body of an email as it was sent, without tracking; null if it is not stored. */
export function sentHtml({ answer, content, content_values: values, contact_id, step_order }: SentRow): string | null {
  if (answer !== null) return answer;
  if (content === null || values === null) return null;
  const merged = { ...values, [OPT_OUT]: SHOWN_OPT_OUT };
  return withoutUnsafeLinks(renderBody(content, { values: merged, contactId: contact_id, stepOrder: step_order }).text);
}

/** Renders a sent email as plain text; null if it is not stored. */
export async function sentWords(row: SentRow): Promise<string | null> {
  const html = sentHtml(row);
  if (html === null) return null;
  // Loaded on first use: a contact who was sent nothing is shown without it.
  const { textOf } = await import('../../mail/text-alternative.ts');
  return textOf(html).replaceAll(`[${SHOWN_OPT_OUT}]`, OPT_OUT_IN_WORDS).replaceAll(SHOWN_OPT_OUT, OPT_OUT_IN_WORDS);
}
