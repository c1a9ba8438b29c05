import { createRequire } from 'node:module';
import { terminalLine } from '../core/terminal-text.ts';

/** Loaded with the first text that needs it, because compiling its expressions takes a fifth of the time of a command. */
let stringWidth: ((text: string) => number) | undefined;

function load(): (text: string) => number {
  stringWidth ??= (createRequire(import.meta.url)('string-width') as typeof import('string-width')).default;
  return stringWidth;
}

/** A text whose characters take one column each: ASCII, Latin letters, and the signs of our own tables. */
const NARROW = /^[ -~\u00a1-\u00ac\u00ae-\u02ff–—‘’“”…→●◌‖○✓✗]*$/;

/**
 * Characters whose width differs between terminals: those that join or style their neighbours, and the halves of flags. A line that is
 * wider than measured would break the layout.
 */
const JOINING = /[\p{Default_Ignorable_Code_Point}\p{Emoji_Modifier}]/gu;
const FLAGS = /\p{Regional_Indicator}/gu;
const FIRST_FLAG = 0x1f1e6;

/** Returns the text without characters whose width differs between terminals. A flag becomes its two letters. */
export const plainWidth = (text: string): string =>
  NARROW.test(text)
    ? text
    : text.replaceAll(JOINING, '').replaceAll(FLAGS, (half) => String.fromCharCode(65 + (half.codePointAt(0) ?? FIRST_FLAG) - FIRST_FLAG));

/** Sanitizes untrusted text for one line of a terminal, with only characters of known width. */
export const shownLine = (text: string | null): string => plainWidth(terminalLine(text ?? ''));

/** Returns the number of columns that a text on one line takes on a terminal. */
export const textWidth = (text: string): number => (NARROW.test(text) ? text.length : load()(text));

let segmenter: Intl.Segmenter | undefined;

/** Splits a text into characters, as a reader sees them. */
function graphemes(text: string): Iterable<string> {
  if (NARROW.test(text)) return text;
  segmenter ??= new Intl.Segmenter('en', { granularity: 'grapheme' });
  return Array.from(segmenter.segment(text), ({ segment }) => segment);
}

/** Truncates the text to at most this many columns. An ellipsis replaces the rest. */
function cut(text: string, width: number): string {
  if (textWidth(text) <= width) return text;
  let kept = '';
  let used = 0;
  for (const segment of graphemes(text)) {
    used += textWidth(segment);
    if (used > width - 1) break;
    kept += segment;
  }
  return `${kept.trimEnd()}…`;
}

/** Truncates the text, or pads it with spaces, to exactly this many columns. */
export function fill(text: string, width: number, isRight = false): string {
  const fitting = cut(text, width);
  const space = ' '.repeat(Math.max(0, width - textWidth(fitting)));
  return isRight ? space + fitting : fitting + space;
}
