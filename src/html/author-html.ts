import { invalid } from '../core/errors.ts';
import { unsafeLinks } from './link-targets.ts';
import { markupProblem } from './markup-limits.ts';

/**
 * Throws `invalid_request` for HTML that an email must not contain: too many tags, nesting that is too deep, and unsafe links.
 * @param field name of the field, for the error message
 */
export function checkAuthorHtml(field: string, html: string): void {
  const problem = markupProblem(html);
  if (problem !== null) throw invalid(`${field}: ${problem}`);
  for (const { target } of unsafeLinks(html))
    throw invalid(`${field}: a link goes to "${target.slice(0, 60)}"; use http, https, mailto or tel`);
}
