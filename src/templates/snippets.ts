import { type Caller, visible } from '../access/index.ts';
import { invalid } from '../core/errors.ts';
import { type Queryable, sql } from '../db/statement.ts';
import { MAX_HTML } from '../fields/fields.ts';
import { unescapeHtml } from '../html/page.ts';

/**
 * Matches `{{> name}}`, alone in its paragraph or not, and the tags that begin and end paragraphs. In HTML that was converted from text,
 * the sign is `&gt;`.
 */
const MARK =
  /<p>\{\{ ?(?:>|&gt;)(?<alone>[^{}]{1,1000})\}\}<\/p>|\{\{ ?(?:>|&gt;)(?<name>[^{}]{1,1000})\}\}|<(?<end>\/?)p\b[^<>]{0,1000}>/gi;

export interface WithSnippets {
  html: string;
  /** Names without a template that the caller can see, each once; their marks stay in the text. */
  missing: string[];
}

/**
 * Replaces template names by the templates: `{{> Prices}}` becomes the present body of the template Prices. Later changes of the template
 * have no effect here. Marks within a template stay unchanged. Throws `invalid_request` for a name of several templates, and for a text
 * that becomes too long. Index: templates_page.
 * @param field name of the field, for the error message
 * @param bodyOf returns the replacement for a template's name; its body by default
 */
export async function withSnippets(
  db: Queryable,
  caller: Caller,
  field: string,
  html: string,
  bodyOf: (snippet: { name: string; body_html: string }) => string = ({ body_html }) => body_html,
): Promise<WithSnippets> {
  const names = [...new Set(Array.from(html.matchAll(MARK), ({ groups }) => nameIn(groups)).filter((name) => name !== undefined))];
  if (names.length === 0) return { html, missing: [] };
  const templates = await db.query<{ name: string; body_html: string }>(sql`
    select t.name, t.body_html from templates t
    where t.name = any(${names}) and t.type = 'template' and not t.is_archived and ${visible(caller, 'templates', 't')}`);
  const bodies = new Map<string, string>();
  for (const template of templates) {
    if (bodies.has(template.name)) throw invalid(`${field}: several templates are named "${template.name}"; rename all but one`);
    bodies.set(template.name, bodyOf(template));
  }
  const tooLong = () => invalid(`${field}: at most 256 KiB of UTF-8 with its templates`);
  let isInParagraph = false;
  let length = 0;
  const written = html.replaceAll(MARK, (...match) => {
    const [mark, groups] = [match[0] as string, match.at(-1) as Marked];
    if (groups.end !== undefined) isInParagraph = groups.end === '';
    const body = bodies.get(nameIn(groups) ?? '');
    if (body === undefined) return mark;
    const put = groups.name !== undefined && isInParagraph ? inlined(body) : body;
    // Checked before the text is built: a long template in thousands of places would take gigabytes.
    length += put.length;
    if (length > MAX_HTML) throw tooLong();
    return put;
  });
  if (Buffer.byteLength(written) > MAX_HTML) throw tooLong();
  return { html: written, missing: names.filter((name) => !bodies.has(name)) };
}

type Marked = Partial<Record<'alone' | 'name' | 'end', string>>;

/** Returns the name of a template, from text or from HTML; undefined for the begin or end of a paragraph. */
const nameIn = ({ alone, name = alone }: Marked = {}): string | undefined => name && unescapeHtml(name.trim());

/** Returns a body of a single paragraph without its tags, to be part of another paragraph. */
function inlined(body: string): string {
  const inner = body
    .trim()
    .replace(/^<p>/, '')
    .replace(/<\/p>$/, '');
  return /<\/?p\b/i.test(inner) ? body : inner;
}
