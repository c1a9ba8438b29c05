import { grouped } from '../core/english.ts';
import { invalid } from '../core/errors.ts';
import { unsafeLinks } from './link-targets.ts';
import { markupProblem } from './markup-limits.ts';

/**
 * Most opening braces in a text. Each may begin a placeholder, a condition or a choice, and a preview reads every text of a campaign: 20
 * bodies with 260,000 braces each took 48 seconds of processor time, with 4,000 half a second.
 */
const MAX_BRACES = 4_000;

/**
 * Throws `invalid_request` for HTML that an email must not contain: too many tags or braces, nesting that is too deep, and unsafe links.
 * @param field name of the field, for the error message
 */
export function checkAuthorHtml(field: string, html: string): void {
  const problem = markupProblem(html);
  if (problem !== null) throw invalid(`${field}: ${problem}`);
  if (html.split('{', MAX_BRACES + 2).length > MAX_BRACES + 1) throw invalid(`${field}: has more than ${grouped(MAX_BRACES)} braces`);
  for (const { target } of unsafeLinks(html))
    throw invalid(`${field}: a link goes to "${target.slice(0, 60)}"; use http, https, mailto or tel`);
}
