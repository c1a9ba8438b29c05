import { COPIED } from './copied-text.ts';
import { textWidth } from './text-width.ts';

/** The beginning of a line, with which its continuation is aligned: an indent, then a label before two spaces or the bullet of a list. */
const HANGING = /^ *(?:[^\s]{1,12} {2,}|[-*•] )?/;
/** On a narrow terminal, continuation lines are not indented if less than this width would remain. */
const MIN_WRAPPED_WIDTH = 20;
/** A space at which lines do not break. */
const NO_BREAK = '\u00a0';

/**
 * Wraps the text of one line between words. A word that is longer than the width, such as an address, gets a line of its own. Commands and
 * DNS records count as one word.
 */
export function wrapWords(text: string, width: number): string[] {
  const lines: string[] = [];
  for (const word of text.replaceAll(COPIED, (found) => found.replaceAll(' ', NO_BREAK)).split(' ')) {
    const last = lines.at(-1);
    if (last === undefined) lines.push(word);
    else if (textWidth(`${last} ${word}`) <= width) lines[lines.length - 1] = `${last} ${word}`;
    // Spaces at a line break are dropped.
    else if (word !== '') lines.push(word);
  }
  return lines.map((line) => line.trimEnd().replaceAll(NO_BREAK, ' '));
}

/** Wraps lines that are too long between words, and aligns their continuation. Other lines stay unchanged. */
export function wrapText(text: string, width: number | null): string {
  if (width === null) return text;
  return text
    .split('\n')
    .map((line) => (textWidth(line) <= width ? line : wrapLine(line, width)))
    .join('\n');
}

function wrapLine(line: string, width: number): string {
  const [hanging = ''] = HANGING.exec(line) ?? [];
  const indent = width - hanging.length < MIN_WRAPPED_WIDTH ? 0 : hanging.length;
  const [first = '', ...more] = wrapWords(line.slice(indent), width - indent);
  return [line.slice(0, indent) + first, ...more.map((part) => ' '.repeat(indent) + part)].join('\n');
}
