import { localPartOf } from './addresses.ts';
import { DATED_SENDER, INTRODUCES, introductionAt, isHeaderBlock, isSeparator, LABEL, MARKED, SEPARATOR } from './introductions.ts';
import { DEVICES, FOOTERS, SENT_FROM, SIGNATURES } from './phrases/signatures.ts';
import { repeatedLines } from './repeated-lines.ts';
import type { SentEmail } from './sent-email.ts';

const DEVICE = new RegExp(`^[<([*_]{0,3}${SENT_FROM.pattern}.{0,60}${DEVICES.pattern}.{0,80}$`, 'iu');
/** Below such a line, programs add more of their kind. */
const NAMES_DEVICE = new RegExp(`^(?!.*\\d{4}).{0,60}(?<!\\p{L})${DEVICES.pattern}.{0,80}$`, 'iu');
/** The line above a signature (RFC 3676 §4.3), also with the dash that editors make of two hyphens. */
const DELIMITER = /^(?:--|—|–)\s?$/;
const RULE = /^_{10,}$/;
/** Matches a trimmed line that the author may not have written. Most lines fail this one test and need no other. */
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
/** Lines of an introduction in a language that we don't know, between where the quotation begins by its structure and its first marked line. */
const MAX_INTRODUCTION = 3;
/** Lines of an introduction, blank ones included. */
const MAX_ABOVE = 12;
/** From our address to the end of the line that introduces a quotation. */
const MAX_REST = 120;

/** A part of the text that the author did not write, and why that is known, for a person. */
export interface Cut {
  reason: string;
  text: string;
}

export interface QuoteParts {
  /** The author's own words, without quotations, signature and footers; empty if there are none. */
  own: string;
  /** What is shown as the author's words: the whole text where `own` is empty. */
  shown: string;
  /** True when the message quotes another one. */
  hasQuote: boolean;
  /** The parts that were left out, in their order. */
  cuts: Cut[];
}

/** A text, and where the HTML structure of the author's email client says that the quotation begins; null if it does not say so. */
interface QuotingText {
  text: string;
  quoteAt: number | null;
}

/**
 * Separates the author's own words from quotations and from what their email client added: first what repeats the email that we sent,
 * then by the structure of email clients, then by words. Pure; one pass over the lines.
 * @param sent the email that was answered; null if it is not known
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
  /** The lines with repeated words, each with what is left of it: null if nothing is. */
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

  /** Walks over the lines: each is the author's own, or begins a part of so many lines that is cut, or ends the text. */
  read(): void {
    for (let index = 0; index < this.#lines.length; ) {
      const next = this.#readLine(index);
      if (next === null) return;
      index = next;
    }
  }

  /** The index of the next line; null if nothing below is the author's. */
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

  /** A quotation follows. The author may go on below one with marked lines; without marks its end is unknown. */
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

  /** Takes back the lines right above the first repeated words that introduce them in a way we don't know. */
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

  /** True if a line has a word of our address: "Zoe wrote:". */
  #isSender(line: string): boolean {
    const words = new Set(line.toLowerCase().match(/\p{L}{3,}/gu) ?? []);
    return this.#ours.some((address) =>
      localPartOf(address)
        .split(/[^\p{L}]+/u)
        .some((word) => words.has(word)),
    );
  }

  /** The rest of a line without the sentence at its end that names us: some programs write all in one line. */
  #withoutIntroduction(line: string): string {
    const at = Math.max(...this.#ours.map((address) => line.toLowerCase().indexOf(address)));
    if (at < 0 || line.length - at > MAX_REST) return line;
    const sentences = line.slice(0, at).search(/(?<=[.!?。！？])[^.!?。！？]*$/);
    return line.slice(0, sentences > 0 ? sentences : at).replace(/(?<![\s<("'])[\s<("']+$/, '');
  }

  /** The line of a device is cut alone; another signature or a footer ends the text, unless there is nothing above it. */
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
