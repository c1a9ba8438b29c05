import { grouped } from '../core/english.ts';
import { tagsOf } from './tags.ts';

/** Most start and end tags in a document. */
const MAX_TAGS = 20_000;
/** Most elements that may be open at the same time. Browsers stop at 512 (Chromium's parser); emails nest tables a few dozen deep. */
const MAX_DEPTH = 200;

/** Void elements (HTML §13.1.2), and elements with an optional end tag. Their start tags do not reliably increase the depth. */
const NOT_NESTING = new Set(
  'area base br col embed hr img input link meta source track wbr p li dt dd tr td th thead tbody tfoot colgroup option optgroup body html head'.split(
    ' ',
  ),
);

/**
 * Returns why email clients may be unable to handle the markup of a document, as a message for users; null if they can. With deep nesting,
 * the time and memory of some parsers grow with the square of the length, even for small documents.
 */
export function markupProblem(html: string): string | null {
  const open: string[] = [];
  const counts = new Map<string, number>();
  let tags = 0;
  for (const { name, isEnd } of tagsOf(html)) {
    if (++tags > MAX_TAGS) return `has more than ${grouped(MAX_TAGS)} HTML tags`;
    if (NOT_NESTING.has(name)) continue;
    if (!isEnd) {
      open.push(name);
      counts.set(name, (counts.get(name) ?? 0) + 1);
      if (open.length > MAX_DEPTH) return `nests HTML tags more than ${MAX_DEPTH} levels deep`;
    } else if ((counts.get(name) ?? 0) > 0) closeTo(name, open, counts);
  }
  return null;
}

function closeTo(name: string, open: string[], counts: Map<string, number>): void {
  for (let closed = open.pop(); closed !== undefined; closed = open.pop()) {
    counts.set(closed, (counts.get(closed) ?? 0) - 1);
    if (closed === name) return;
  }
}
