import { localPartOf } from './addresses.ts';
import { DATED_SENDER, INTRODUCES, introductionAt, isHeaderBlock, isSeparator, LABEL, MARKED, SEPARATOR } from './introductions.ts';
import { DEVICES, FOOTERS, SENT_FROM, SIGNATURES } from './phrases/signatures.ts';
import { repeatedLines } from './repeated-lines.ts';
import type { SentEmail } from './sent-email.ts';

const DEVICE = new RegExp(`^[<([*_]{0,3}${SENT_FROM.pattern}.{0,60}${DEVICES.pattern}.{0,80}$`, 'iu');
/** A line that names a device. Programs add such lines below the signature of a device. */
const NAMES_DEVICE = new RegExp(`^(?!.*\\d{4}).{0,60}(?<!\\p{L})${DEVICES.pattern}.{0,80}$`, 'iu');
/** The line above a signature (RFC 3676 §4.3). Editors turn its two hyphens into a dash. */
const DELIMITER = /^(?:--|—|–)\s?$/;
const RULE = /^_{10,}$/;
/** Matches a trimmed line that may not be the author's own. Most lines don't match and need no further test. */
const MAYBE_NOT_OWN = new RegExp(
  [
    ...[/^(?:[A-Z]{0,3}>|[|＞])/, INTRODUCES, DATED_SENDER, SEPARATOR, LABEL, /^[-_*=]{2}/, DELIMITER, DEVICE, RULE].map(
      ({ source }) => source,
    ),
    ...[SIGNATURES, FOOTERS].map(({ pattern }) => pattern),
  ].join('|'),
  'iu',
);

const MAX_LINES = 1_500;
const MAX_LINE = 2_000;
/** Most lines of an introduction in an unknown language, between the structural start of the quotation and its first marked line. */
const MAX_INTRODUCTION = 3;
/** Most lines of an introduction above repeated text, including blank ones. */
const MAX_ABOVE = 12;
/** Most characters between our address and the end of a line that introduces a quotation. */
const MAX_REST = 120;

/** A part of the text that the author did not write, with the reason, for display. */
export interface Cut {
  reason: string;
  text: string;
}

export interface QuoteParts {
  /** The author's own words, without quotations, signature and footers; empty if there are none. */
  own: string;
  /** The text to display as the author's: the whole text if `own` is empty. */
  shown: string;
  /** True if the message quotes another one. */
  hasQuote: boolean;
  /** The parts that were removed, in order. */
  cuts: Cut[];
}

/** A text, and the index at which the quotation begins according to the HTML structure; null if that shows no quotation. */
interface QuotingText {
  text: string;
  quoteAt: number | null;
}

/**
 * Separates the author's own words from quotations and from lines that their email client added. First removes text that repeats our email,
 * then follows the HTML structure, then known phrases. Pure. Makes one pass over the lines.
 * @param sent the email that was answered; null if unknown
 */
export function splitQuote({ text, quoteAt }: QuotingText, sent: SentEmail | null = null): QuoteParts {
  const splitter = new Splitter(text, quoteAt, sent);
  splitter.read();
  const own = tidy(splitter.own);
  return { own, shown: own === '' ? tidy(text.split('\n', MAX_LINES)) : own, hasQuote: splitter.hasQuote, cuts: splitter.cuts };
}

class Splitter {
  readonly own: string[] = [];
  readonly cuts: Cut[] = [];
  hasQuote = false;
  #isBelowDevice = false;
  readonly #lines: string[];
  /** The lines that repeat words of our email, each with the rest of it; null if there is no rest. */
  readonly #repeated: ReadonlyMap<number, string | null>;
  readonly #structureAt: number;
  readonly #ours: readonly string[];

  constructor(text: string, quoteAt: number | null, sent: SentEmail | null) {
    this.#lines = text.split('\n', MAX_LINES).map((line) => line.slice(0, MAX_LINE).trimEnd());
    this.#repeated = sent === null ? new Map() : repeatedLines(this.#lines, sent.text);
    const above = quoteAt === null ? null : text.slice(0, quoteAt).trimEnd();
    this.#structureAt = above === null ? -1 : above === '' ? 0 : above.split('\n').length;
    this.#ours = sent === null ? [] : sent.ours.map((address) => address.toLowerCase());
  }

  get #hasWritten(): boolean {
    return this.own.some((line) => line !== '');
  }

  /** Walks over the lines. Each is the author's own, begins a part that is cut, or ends the text. */
  read(): void {
    for (let index = 0; index < this.#lines.length; ) {
      const next = this.#readLine(index);
      if (next === null) return;
      index = next;
    }
  }

  /** Reads a line. Returns the index of the next one; null if nothing below is the author's. */
  #readLine(index: number): number | null {
    const line = this.#lines[index] as string;
    if (index === this.#structureAt) {
      const next = this.#announce(index, 0, 'quotation by the structure of the email client');
      if (next !== index) return next;
    }
    const left = this.#repeated.get(index);
    if (left !== undefined) {
      if (!this.hasQuote) this.#dropIntroduction();
      this.hasQuote = true;
      this.#cut('repeats our email', index, index + 1);
      if (left !== null) this.own.push(this.#withoutIntroduction(left));
      return index + 1;
    }
    if (!line.includes('@') && !this.#isBelowDevice && !MAYBE_NOT_OWN.test(line.trim())) return this.#keep(line, index);
    if (MARKED.test(line)) {
      this.hasQuote = true;
      this.#cut('marked as a quotation', index, index + 1);
      return index + 1;
    }
    const introduction = introductionAt(this.#lines, index);
    if (introduction > 0) return this.#announce(index, introduction, 'introduces a quotation');
    if (isSeparator(this.#lines, index) || isHeaderBlock(this.#lines, index, this.#ours)) {
      this.hasQuote = true;
      return this.#end('copied header', index);
    }
    return this.#readSignature(line, index);
  }

  #keep(line: string, index: number): number {
    this.own.push(line);
    return index + 1;
  }

  /**
   * Handles the start of a quotation. The author may continue below a quotation whose lines are marked. Without marks, its end is unknown.
   */
  #announce(index: number, length: number, reason: string): number | null {
    this.hasQuote = true;
    const marked = this.#lines.findIndex((line, at) => at >= index + length && MARKED.test(line));
    const between = this.#lines.slice(index + length, marked).filter((line) => line.trim() !== '').length;
    if (marked >= 0 && between <= (length === 0 ? MAX_INTRODUCTION : 0)) {
      this.#cut(reason, index, marked);
      return marked;
    }
    if (this.#hasWritten) return this.#end(reason, index);
    this.#cut(reason, index, index + length);
    return index + length;
  }

  /** Removes lines right above the first repeated words that introduce them in an unknown form. */
  #dropIntroduction(): void {
    let first = this.own.length;
    for (let at = first - 1; at >= 0 && this.own.length - at <= MAX_ABOVE; at--) {
      const line = (this.own[at] as string).trim();
      if (line === '') continue;
      const namesUs = this.#ours.some((address) => line.toLowerCase().includes(address)) || (/[:：]$/.test(line) && this.#isSender(line));
      if (!namesUs && !/^[-_*=]{3}/.test(line) && !(LABEL.test(line) && first < this.own.length) && !/\d.{0,80}[:：]$/.test(line)) break;
      first = at;
    }
    const taken = this.own.splice(first);
    if (taken.length > 0) this.cuts.push({ reason: 'introduces a quotation', text: taken.join('\n').trim() });
  }

  /** True if a line contains a word of one of our addresses: "Zoe wrote:". */
  #isSender(line: string): boolean {
    const words = new Set(line.toLowerCase().match(/\p{L}{3,}/gu) ?? []);
    return this.#ours.some((address) =>
      localPartOf(address)
        .split(/[^\p{L}]+/u)
        .some((word) => words.has(word)),
    );
  }

  /**
   * Removes the sentence with our address from the end of a line. Some programs put the answer, the introduction and the quotation on one
   * line.
   */
  #withoutIntroduction(line: string): string {
    const at = Math.max(...this.#ours.map((address) => line.toLowerCase().indexOf(address)));
    if (at < 0 || line.length - at > MAX_REST) return line;
    const sentences = line.slice(0, at).search(/(?<=[.!?。！？])[^.!?。！？]*$/);
    return line.slice(0, sentences > 0 ? sentences : at).replace(/(?<![\s<("'])[\s<("']+$/, '');
  }

  /**
   * Handles signatures. Only the line itself is cut if it names a device. Any other signature or footer ends the text, unless there is
   * nothing above it.
   */
  #readSignature(line: string, index: number): number | null {
    const text = line.trim();
    const isDevice = DEVICE.test(text) || SIGNATURES.matches(text) || (this.#isBelowDevice && NAMES_DEVICE.test(text));
    this.#isBelowDevice ||= isDevice;
    if (!isDevice && !DELIMITER.test(text) && !RULE.test(line) && !FOOTERS.matches(line)) return this.#keep(line, index);
    if (isDevice || !this.#hasWritten) {
      this.#cut(isDevice ? 'line of a device' : 'signature', index, index + 1);
      return index + 1;
    }
    this.hasQuote ||= this.#lines.slice(index).some((rest, offset) => MARKED.test(rest) || introductionAt(this.#lines, index + offset) > 0);
    return this.#end('signature or footer', index);
  }

  #end(reason: string, index: number): null {
    this.#cut(reason, index, this.#lines.length);
    return null;
  }

  #cut(reason: string, from: number, to: number): void {
    if (to === from) return;
    const text = this.#lines.slice(from, to).join('\n');
    const last = this.cuts.at(-1);
    if (last?.reason === reason) last.text += `\n${text}`;
    else this.cuts.push({ reason, text });
  }
}

function tidy(lines: readonly string[]): string {
  const joined = lines.join('\n');
  const text = joined.includes('\n\n\n') ? joined.replaceAll(/\n{3,}/g, '\n\n') : joined;
  let end = text.length;
  while (end > 0 && /[\s_*=~#+-]/.test(text.charAt(end - 1))) end--;
  return text.slice(0, end).trim();
}
