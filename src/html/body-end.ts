import { tagsOf } from './tags.ts';

/** Adds HTML at the end of the body if the document has one, otherwise at the end of the document. Ignores a `</body>` inside a comment. */
export function addAtBodyEnd(html: string, addition: string): string {
  const end = endOfBody(html);
  return end === undefined ? html + addition : html.slice(0, end) + addition + html.slice(end);
}

function endOfBody(html: string): number | undefined {
  if (!/<\/body\s*>/i.test(html)) return undefined;
  for (const { name, isEnd, start } of tagsOf(html)) if (isEnd && name === 'body') return start;
  return undefined;
}
