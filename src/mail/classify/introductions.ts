import { FROM_LABELS, HEADER_LABELS } from './phrases/copied-headers.ts';
import { QUOTE_CAPTIONS } from './phrases/quotation-captions.ts';
import { ON, WROTE } from './phrases/quotation-introductions.ts';

/** A quoted line, optionally with the initials of its author before the mark. Does not match `>> text <<`. */
export const MARKED = /^\s*(?:[A-Z]{0,3}>|[|＞])(?!.*<<\s*$)/;
/** The start of a line that introduces a quotation: "On", a weekday or a date. */
export const INTRODUCES = new RegExp(
  `^(?:${ON.pattern}|\\p{L}{2,5}\\.?,? \\d{1,2}\\.?|\\d{1,4}[-/.]\\d{1,2}\\S*|\\d{1,2} \\p{L}+\\.?|\\d{4}年\\S*)(?=[\\s,.])`,
  'iu',
);
const ENDS_IN_WROTE = new RegExp(`(?<!\\p{L})${WROTE.pattern}(?:[^\\p{L}]{0,12}$|(?!\\p{L}).{0,150}[:：]\\s*$)`, 'iu');
const SAYS_WROTE = new RegExp(`(?<!\\p{L})${WROTE.pattern}(?!\\p{L})`, 'iu');
const NAMED_WROTE = new RegExp(
  `^.{0,200}<[^<>\\s]{1,320}@[^<>\\s]{1,255}>.{0,40}${WROTE.pattern}(?!\\p{L})(?:.{0,60}[:：]|[^\\p{L}]{0,12})\\s*$`,
  'iu',
);
export const DATED_SENDER =
  /^\d{4}[-/]\d{1,2}[-/]\d{1,2}[ T]\d{1,2}:\d{2}.{0,120}(<.*>:?|GMT[+-]\d.{0,80})$|^\d{4}\/\d{1,2}\/\d{1,2} .{1,80}<[^<>]+@[^<>]+>:?$/;
/** "Sally <sally@example.com>, 4. 9. 2026 10:00:" in any language: an address, a day and a time, and a colon at the end. */
const NAMED_AND_DATED = /[:：]\s*$/;
const ADDRESS = /[^\s<>()"',:;@]@[^\s<>()"',:;@]+\.\p{L}{2}/u;
const DAY = /(?<!\d)(?:19|20)\d\d(?!\d)|(?<!\d)\d{1,2}[./-]\s?\d{1,2}[./-]|\d年/u;
const TIME = /(?<!\d)\d{1,2}[:.h]\d{2}(?!\d)/;

/** A line between an answer and the message that it answers, or above a forwarded message. */
export const SEPARATOR = new RegExp(`^[\\s*>_-]{0,80}[-_*=]{2,}\\s*${QUOTE_CAPTIONS.pattern}|^begin forwarded message:?$|^_{20,}$`, 'iu');
/** A caption between dashes, in any language. */
const CAPTION = /^[-_*=]{3,80}\s*\p{L}[^\n]{1,150}?\s*[-_*=]{3,80}$/u;
const WROTE_BETWEEN_DASHES = new RegExp(`^-{2,80}.{1,150}(?<!\\p{L})${WROTE.pattern}(?!\\p{L}).{0,40}-{2,80}$`, 'iu');
const KNOWN_LABEL = new RegExp(`^[\\s>*_|]*(?:${FROM_LABELS.pattern}|${HEADER_LABELS.pattern})\\s?\\*?\\s?[:：]`, 'iu');
/** "Feladó: …": a word or a few, and a colon. */
export const LABEL = /^[\s>*_|]*\p{L}[\p{L}\p{M} .'’/-]{0,30}\*?\s?[:：](?!\/\/)/u;

const MAX_INTRODUCTION = 400;

/**
 * Returns the number of lines from here that introduce a quotation; 0 if none do. "On … <a@b> wrote:" often wraps to two or three lines.
 */
export function introductionAt(lines: readonly string[], index: number): number {
  const first = lines[index] as string;
  if (first.length < 5 || first.length > MAX_INTRODUCTION) return 0;
  const trimmed = first.trim();
  if (DATED_SENDER.test(trimmed) || WROTE_BETWEEN_DASHES.test(trimmed)) return 1;
  const isOpening = INTRODUCES.test(trimmed);
  const isNamed = ADDRESS.test(first);
  if (!isOpening && !isNamed) return 0;
  let joined = '';
  for (let count = 1; count <= 5 && index + count <= lines.length; count++) {
    const line = lines[index + count - 1] as string;
    if (count > 1 && (/^\s*>/.test(line) || (line.trim() === '' && !isOpening) || joined.length > MAX_INTRODUCTION)) return 0;
    joined += ` ${line}`;
    if (isOpening && /\d/.test(joined) && ENDS_IN_WROTE.test(joined)) return count;
    // The rest of the introduction may already be marked as quoted.
    if (isOpening && ADDRESS.test(joined) && /^\s*[A-Z]{0,3}>/.test(lines[index + count] ?? '') && SAYS_WROTE.test(joined)) return count;
    if (isNamed && NAMED_WROTE.test(joined)) return count;
    if (NAMED_AND_DATED.test(joined) && ADDRESS.test(joined) && DAY.test(joined) && TIME.test(joined)) return count;
  }
  return 0;
}

/** Most lines of a copied header, including blank ones between them. */
const MAX_HEADER = 14;

/**
 * True if a copied header begins here, such as Outlook and others put above a quotation: "From: … Sent: … To: …". It needs three labels.
 * They must be in a known language; or the first one has an address and another one a day and a time; or a label contains one of our
 * addresses, and there are four labels or one with a day and a time.
 */
export function isHeaderBlock(lines: readonly string[], index: number, ours: readonly string[] = []): boolean {
  if (!LABEL.test(lines[index] as string)) return false;
  const labels = labelsFrom(lines, index);
  if (labels.length < 3) return false;
  if (labels.filter((line) => KNOWN_LABEL.test(line)).length >= 3) return true;
  const [first = '', ...rest] = labels;
  const isDated = (line: string) => DAY.test(line) && TIME.test(line);
  const namesUs = labels.some((line) => ours.some((address) => line.toLowerCase().includes(address)));
  return namesUs ? labels.some(isDated) || labels.length >= 4 : ADDRESS.test(first) && rest.some(isDated);
}

/** Returns the lines with a label from here on. One line without a label may come between them, because a long list of recipients wraps. */
function labelsFrom(lines: readonly string[], index: number): string[] {
  const labels: string[] = [];
  let other = 0;
  for (const line of lines.slice(index, index + MAX_HEADER)) {
    const isLabel = LABEL.test(line);
    if (isLabel) labels.push(line);
    other = isLabel ? 0 : other + 1;
    if (other > 1) break;
  }
  return labels;
}

/** True for a line that announces another message, by itself or together with the header or introduction below it. */
export function isSeparator(lines: readonly string[], index: number): boolean {
  const line = lines[index] as string;
  if (SEPARATOR.test(line)) return true;
  if (!CAPTION.test(line.trim())) return false;
  const next = lines.slice(index + 1, index + 5).findIndex((other) => other.trim() !== '');
  const below = index + 1 + next;
  return next >= 0 && (isHeaderBlock(lines, below) || introductionAt(lines, below) > 0);
}
