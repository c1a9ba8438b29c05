import { grouped } from '../core/english.ts';

/** Lines that are named for one reason. */
const MAX_NAMED = 5;

/** A text for each reason for which lines of a file were rejected: `lines 2, 3, 4, 5, 6 and 407 more: rejected: email: is empty`. */
export function rejectedTexts(rejected: readonly { line: number; reason: string }[]): string[] {
  const byReason = Map.groupBy(rejected, ({ reason }) => reason);
  return [...byReason].map(([reason, lines]) => {
    const named = lines.slice(0, MAX_NAMED).map(({ line }) => line);
    const more = lines.length > MAX_NAMED ? ` and ${grouped(lines.length - MAX_NAMED)} more` : '';
    return `${lines.length === 1 ? 'line' : 'lines'} ${named.join(', ')}${more}: rejected: ${reason}`;
  });
}
