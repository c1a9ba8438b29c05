import { invalid } from '../core/errors.ts';
import { attributeValue } from './attribute-value.ts';
import { markupProblem } from './markup-limits.ts';
import { tagsOf } from './tags.ts';

/** Attributes by which a reader of an email goes somewhere or sends something. */
const TARGETS = new Set(['href', 'xlink:href', 'action', 'formaction']);

const ALLOWED = /^(?:https?|mailto|tel):/i;
const SCHEME = /^[a-z][a-z0-9+.-]*:/i;
/** A placeholder at the start, up to its fallback; a value itself is made safe when it is merged. */
const PLACEHOLDER_START = /^\{\{[^{}|]*(?:\||\}\})/;

/**
 * Throws `invalid_request` for HTML that no email should have: more tags or deeper nesting than readers handle, and links to
 * anything but http, https, mailto, tel or a place in the page, such as `javascript:`, `data:` and `file:`.
 * @param field its name in the message
 */
export function checkAuthorHtml(field: string, html: string): void {
  const problem = markupProblem(html);
  if (problem !== null) throw invalid(`${field}: ${problem}`);
  for (const { isEnd, attributes } of tagsOf(html)) {
    for (const { name, start, end } of isEnd ? [] : attributes) {
      const target = TARGETS.has(name) ? targetOf(html.slice(start, end)) : '';
      if (SCHEME.test(target) && !ALLOWED.test(target))
        throw invalid(`${field}: a link goes to "${target.slice(0, 60)}"; use http, https, mailto or tel`);
    }
  }
}

/** The target of an attribute as a browser reads it, without control characters (URL §4.4). */
const targetOf = (attribute: string): string =>
  attributeValue(attribute)
    .trimStart()
    .replace(PLACEHOLDER_START, '')
    .replaceAll(/[\p{Cc}\s]/gu, '');
