import { COPIED } from './copied-text.ts';
import { textWidth } from './text-width.ts';

/** The beginning of a line, after which its continuation is aligned: an indent, and a label before two spaces or the sign of a list. */
const HANGING = /^ *(?:[^\s]{1,12} {2,}|[-*•] )?/;
/** No line of a narrow terminal is all indent. */
const LEAST = 20;
/** A space that is no place to break. */
const NO_BREAK = '\u00a0';

/**
 * The text of one line in lines of whole words. A word that is longer than the width, as an address is, has a line of its own, and so has
 * what is copied.
 */
export function wrapWords(text: string, width: number): string[] {
  const lines: string[] = [];
  for (const word of text.replaceAll(COPIED, (found) => found.replaceAll(' ', NO_BREAK)).split(' ')) {
    const last = lines.at(-1);
    if (last === undefined) lines.push(word);
    else if (textWidth(`${last} ${word}`) <= width) lines[lines.length - 1] = `${last} ${word}`;
    // Spaces at a break are not shown.
    else if (word !== '') lines.push(word);
  }
  return lines.map((line) => line.trimEnd().replaceAll(NO_BREAK, ' '));
}

/** Breaks the lines that are too long between words, and aligns their continuation. Other lines stay as they are. */
export function wrapText(text: string, width: number | null): string {
  if (width === null) return text;
  return text
    .split('\n')
    .map((line) => (textWidth(line) <= width ? line : wrapLine(line, width)))
    .join('\n');
}

function wrapLine(line: string, width: number): string {
  const [hanging = ''] = HANGING.exec(line) ?? [];
  const indent = width - hanging.length < LEAST ? 0 : hanging.length;
  const [first = '', ...more] = wrapWords(line.slice(indent), width - indent);
  return [line.slice(0, indent) + first, ...more.map((part) => ' '.repeat(indent) + part)].join('\n');
}
