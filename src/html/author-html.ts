import { invalid } from '../core/errors.ts';
import { unsafeLinks } from './link-targets.ts';
import { markupProblem } from './markup-limits.ts';

/**
 * Throws `invalid_request` for HTML that no email should have: more tags or deeper nesting than readers handle, and unsafe links.
 * @param field its name in the message
 */
export function checkAuthorHtml(field: string, html: string): void {
  const problem = markupProblem(html);
  if (problem !== null) throw invalid(`${field}: ${problem}`);
  for (const { target } of unsafeLinks(html))
    throw invalid(`${field}: a link goes to "${target.slice(0, 60)}"; use http, https, mailto or tel`);
}
