import { MARKED } from './introductions.ts';
import { repeatedParts, type Span } from './repeated.ts';

/** Most letters between two repeated parts of a line that still count as repeated, such as a changed name. */
const MAX_CHANGED = 20;

/** Returns the rest of each line that repeats words of our email; null if there is no rest. */
export function repeatedLines(lines: readonly string[], sent: string): Map<number, string | null> {
  const parts = repeatedParts(lines.join('\n'), sent);
  const left = new Map<number, string | null>();
  let start = 0;
  let first = 0;
  for (const [index, line] of lines.entries()) {
    const end = start + line.length;
    while ((parts[first]?.end ?? Number.POSITIVE_INFINITY) <= start) first++;
    const inLine = [];
    for (let at = first; (parts[at]?.start ?? Number.POSITIVE_INFINITY) < end; at++) inLine.push(parts[at] as Span);
    if (inLine.length > 0) left.set(index, restOf(line, start, inLine));
    start = end + 1;
  }
  return left;
}

/** Returns a line without its repeated parts; null if the rest is not an answer. */
function restOf(line: string, start: number, parts: readonly Span[]): string | null {
  if (MARKED.test(line)) return null;
  const rest: string[] = [];
  let at = 0;
  for (const part of parts) {
    const between = line.slice(at, Math.max(at, part.start - start));
    if (at === 0 || lettersIn(between) > MAX_CHANGED) rest.push(between);
    at = Math.max(at, part.end - start);
  }
  rest.push(line.slice(at));
  const text = rest.join(' ').trim();
  return lettersIn(text) === 0 ? null : text;
}

const lettersIn = (text: string) => text.replaceAll(/\bhttps?:\/\/\S+|[^\p{L}]/gu, '').length;
