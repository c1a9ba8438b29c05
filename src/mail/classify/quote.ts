import { FROM_LABELS, HEADER_LABELS } from './phrases/copied-headers.ts';
import { QUOTE_CAPTIONS } from './phrases/quotation-captions.ts';
import { ON, WROTE } from './phrases/quotation-introductions.ts';
import { DEVICES, FOOTERS, SENT_FROM, SIGNATURES } from './phrases/signatures.ts';

/** Start of a line that introduces a quotation: "On", a weekday or a date. */
const INTRODUCES = new RegExp(
  `^(?:${ON.pattern}|\\p{L}{2,5}\\.?,? \\d{1,2}\\.?|\\d{1,4}[-/.]\\d{1,2}\\S*|\\d{1,2} \\p{L}+\\.?|\\d{4}年\\S*)(?=[\\s,.])`,
  'iu',
);
const ENDS_IN_WROTE = new RegExp(`(?<!\\p{L})${WROTE.pattern}(?:[^\\p{L}]{0,12}$|(?!\\p{L}).{0,150}[:：]\\s*$)`, 'iu');
const NAMED_WROTE = new RegExp(
  `^.{0,200}<[^<>\\s]{1,320}@[^<>\\s]{1,255}>.{0,40}${WROTE.pattern}(?!\\p{L})(?:.{0,60}[:：]|[^\\p{L}]{0,12})\\s*$`,
  'iu',
);
const DATED_SENDER =
  /^\d{4}[-/]\d{1,2}[-/]\d{1,2}[ T]\d{1,2}:\d{2}.{0,120}(<.*>:?|GMT[+-]\d.{0,80})$|^\d{4}\/\d{1,2}\/\d{1,2} .{1,80}<[^<>]+@[^<>]+>:?$/;

/** A line between an answer and the message that it answers, or above a message that is forwarded. */
const SEPARATOR = new RegExp(`^[\\s*>_-]{0,80}[-_*=]{2,}\\s*${QUOTE_CAPTIONS.pattern}|^begin forwarded message:?$|^_{20,}$`, 'iu');
const FROM_LABEL = new RegExp(`^[\\s>*_|]*${FROM_LABELS.pattern}\\s?\\*?\\s?[:：]`, 'iu');
const HEADER_LABEL = new RegExp(`^[\\s>*_|]*${HEADER_LABELS.pattern}\\s?\\*?\\s?[:：]`, 'iu');
const DEVICE = new RegExp(`^${SENT_FROM.pattern}.{0,60}${DEVICES.pattern}.{0,60}$`, 'iu');
/** The line above a signature (RFC 3676 §4.3), also with the dash that editors make of two hyphens. */
const DELIMITER = /^(?:--|—|–)\s?$/;
const RULE = /^_{10,}$/;
/** Matches a trimmed line that the author may not have written. Most lines fail this one test and need no other. */
const MAYBE_NOT_OWN = new RegExp(
  [
    ...[/^[>|＞]/, INTRODUCES, DATED_SENDER, SEPARATOR, FROM_LABEL, DELIMITER, DEVICE, RULE].map(({ source }) => source),
    ...[SIGNATURES, FOOTERS].map(({ pattern }) => pattern),
  ].join('|'),
  'iu',
);

const MAX_LINES = 1_500;

export interface QuoteParts {
  /** The author's own words, without quotations, signature and footers. */
  own: string;
  /** True when the message quotes another one. */
  hasQuote: boolean;
}

/** Separates the author's own words from quotations and from what their mail program added. Pure; one pass over the lines. */
export function splitQuote(text: string): QuoteParts {
  const lines = text.split('\n', MAX_LINES).map((line) => line.slice(0, 2_000).trimEnd());
  const own: string[] = [];
  let hasQuote = false;
  for (let index = 0; index < lines.length; index++) {
    const line = lines[index] as string;
    if (!line.includes('@') && !MAYBE_NOT_OWN.test(line.trim())) {
      own.push(line);
      continue;
    }
    if (/^\s*[>|＞]/.test(line)) {
      hasQuote = true;
      continue;
    }
    const introduction = introductionAt(lines, index);
    if (introduction > 0) {
      hasQuote = true;
      const next = nextText(lines, index + introduction);
      // The author's words may continue after a quotation whose lines are marked. Without marks, its end is ambiguous.
      const isTop = own.every((written) => written === '');
      if (!/^\s*[>|＞]/.test(next) && !isTop) break;
      index += introduction - 1;
      continue;
    }
    if (SEPARATOR.test(line) || isHeaderBlock(lines, index)) {
      hasQuote = true;
      break;
    }
    if (isEnd(line)) {
      hasQuote ||= lines.slice(index).some((rest, offset) => /^\s*>/.test(rest) || introductionAt(lines, index + offset) > 0);
      break;
    }
    own.push(line);
  }
  return { own: tidy(own), hasQuote };
}

/** True for a line that ends the author's words: the start of a signature or footer. */
function isEnd(line: string): boolean {
  const text = line.trim();
  return DELIMITER.test(text) || DEVICE.test(text) || SIGNATURES.matches(text) || RULE.test(line) || FOOTERS.matches(line);
}

/** The number of lines from here that introduce a quotation: "On … <a@b> wrote:" often wraps to two or three lines. 0 for none. */
function introductionAt(lines: readonly string[], index: number): number {
  const first = lines[index] as string;
  if (first.length < 5 || first.length > 400) return 0;
  if (DATED_SENDER.test(first.trim()) || (first.includes('@') && NAMED_WROTE.test(first))) return 1;
  if (!INTRODUCES.test(first.trimStart())) return 0;
  let joined = '';
  for (let count = 1; count <= 5 && index + count <= lines.length; count++) {
    const line = lines[index + count - 1] as string;
    if (count > 1 && (/^\s*>/.test(line) || joined.length > 400)) return 0;
    joined += ` ${line}`;
    if (/\d/.test(joined) && ENDS_IN_WROTE.test(joined)) return count;
  }
  return 0;
}

/** A copied header ("From: … Sent: … To: …"), which Outlook puts above a quotation. */
function isHeaderBlock(lines: readonly string[], index: number): boolean {
  if (!FROM_LABEL.test(lines[index] as string)) return false;
  const labels = lines.slice(index + 1, index + 8).filter((line) => HEADER_LABEL.test(line));
  return labels.length >= 2;
}

const nextText = (lines: readonly string[], from: number) => lines.slice(from, from + 6).find((line) => line.trim() !== '') ?? '';

function tidy(lines: string[]): string {
  const text = lines.join('\n').replaceAll(/\n{3,}/g, '\n\n');
  let end = text.length;
  while (end > 0 && /[\s_*=~#+-]/.test(text.charAt(end - 1))) end--;
  return text.slice(0, end).trim();
}
