import { grouped } from '../core/english.ts';

/** Maximum number of lines that are named for one reason. */
const MAX_NAMED = 5;

/**
 * Returns a text for each reason why lines of a file were rejected: `lines 2, 3, 4, 5, 6 and 407 more: rejected: email: is empty`.
 * @param total number of rejected lines; if it is more than are given, the text does not count the others by reason
 */
export function rejectedTexts(rejected: readonly { line: number; reason: string }[], total = rejected.length): string[] {
  const byReason = Map.groupBy(rejected, ({ reason }) => reason);
  return [...byReason].map(([reason, lines]) => {
    const named = lines.slice(0, MAX_NAMED).map(({ line }) => line);
    const others = total > rejected.length ? 'more' : `${grouped(lines.length - MAX_NAMED)} more`;
    const more = lines.length > MAX_NAMED ? ` and ${others}` : '';
    return `${lines.length === 1 ? 'line' : 'lines'} ${named.join(', ')}${more}: rejected: ${reason}`;
  });
}
