import { escapeHtml } from '../../html/page.ts';
import { choose } from './choose.ts';
import { linkValue } from './link-values.ts';
import type { MergeValues } from './merge-values.ts';
import { type Mark, marksOf, masked } from './notation.ts';
import { OPT_OUT, SIGNATURE } from './placeholders.ts';
import { type Place, placesAt } from './places.ts';

/** Maximum size of a text after merging, in bytes of UTF-8. Gmail clips messages at 102 KB. */
export const MAX_MERGED = 2 * 1024 * 1024;

export interface Rendering {
  text: string;
  /** Keys that no field has, each once. An email with unknown keys is held, not sent. */
  unknown: string[];
  /** True if the merged text would be larger than the limit; `text` is its beginning. */
  isTooLarge?: true;
  /** True if it contains the unsubscribe link. */
  hasOptOut?: true;
}

export interface RenderOptions {
  /** `html` escapes values and makes them safe inside tags and URLs. */
  escape: 'html' | 'none';
  signatureHtml?: string;
  /** True to take one text of each choice `{a|b}`; otherwise choices are text. */
  spintax?: boolean;
  /** Decides the choices: the same seed takes the same texts. */
  seed?: string;
  /** Maximum size of the text in bytes of UTF-8; `MAX_MERGED` by default. */
  limit?: number;
}

/** Maximum size of a call's merged notes in bytes; longer notes are cut. */
const MAX_NOTES = 256 * 1024;

/** Returns options for the notes of a call to a contact: plain text that only the person who calls reads. */
export const notesOptions = (contactId: number, stepOrder: number, spintax: boolean): RenderOptions => ({
  escape: 'none',
  spintax,
  limit: MAX_NOTES,
  seed: `${contactId} ${stepOrder} notes`,
});

/**
 * Merges a template with the values of one contact in a single pass, so that a value that looks like a placeholder stays unchanged. Takes
 * one text of each choice and the applicable text of each condition. A known field without a value renders as its fallback, or as nothing;
 * fallbacks are the author's own HTML. Reports unknown placeholders anywhere in the template, and those of the signature (also a template)
 * if it is used. Takes time linear in the lengths of template and result.
 */
export function render(template: string, values: MergeValues, options: RenderOptions): Rendering {
  const marks = marksOf(template, options.spintax === true);
  const merge = new Merge(values, options);
  merge.noteUnknown(marks);
  const pieces = choose(template, marks, (key) => merge.isFilled(key), options.seed ?? '');
  const places = options.escape === 'html' ? placesOf(template, pieces) : undefined;
  for (const piece of pieces) {
    if (typeof piece === 'string') merge.add(piece);
    else {
      const place = places?.next();
      merge.add(merge.valueOf(piece, place?.done === false ? place.value : undefined) ?? template.slice(piece.start, piece.end));
    }
    if (merge.isFull) break;
  }
  return merge.result();
}

/** Finds the places of the placeholders in the document that the pieces form. */
function placesOf(template: string, pieces: readonly (string | Mark)[]): Generator<Place> {
  const offsets: number[] = [];
  const texts: string[] = [];
  let length = 0;
  for (const piece of pieces) {
    if (typeof piece !== 'string') offsets.push(length);
    const text = typeof piece === 'string' ? piece : masked(template.slice(piece.start, piece.end));
    texts.push(text);
    length += text.length;
  }
  return placesAt(texts.join(''), offsets);
}

/** A template while it is being rendered. */
class Merge {
  readonly #values: MergeValues;
  readonly #options: RenderOptions;
  readonly #pieces: string[] = [];
  readonly #unknown = new Set<string>();
  readonly #limit: number;
  #length = 0;
  #hasOptOut = false;
  #signature: Rendering | undefined;

  constructor(values: MergeValues, options: RenderOptions) {
    this.#values = values;
    this.#options = options;
    this.#limit = options.limit ?? MAX_MERGED;
  }

  get isFull(): boolean {
    return this.#length > this.#limit;
  }

  add(piece: string): void {
    this.#pieces.push(piece);
    this.#length += piece.length;
  }

  noteUnknown(marks: readonly Mark[]): void {
    for (const { role, key } of marks) {
      const isKey = (role === 'value' || role === 'if') && (key === SIGNATURE || Object.hasOwn(this.#values, key));
      if (!isKey && (role === 'value' || role === 'if' || role === 'brace')) this.#unknown.add(key);
    }
  }

  isFilled(key: string): boolean {
    if (key === SIGNATURE) return (this.#options.signatureHtml ?? '') !== '';
    return Object.hasOwn(this.#values, key) && (this.#values[key] ?? '') !== '';
  }

  /** Returns the text that replaces a placeholder; undefined if it is unknown. */
  valueOf({ key, fallback }: Mark, place: Place | undefined): string | undefined {
    if (key === SIGNATURE) return this.#signatureText();
    if (!Object.hasOwn(this.#values, key)) return undefined;
    if (key === OPT_OUT) this.#hasOptOut = true;
    const value = this.#values[key] ?? '';
    if (value === '') return fallback;
    return place === undefined ? value : safeAt(place, value);
  }

  #signatureText(): string {
    const { signatureHtml, seed = '', ...rest } = this.#options;
    this.#signature ??= render(signatureHtml ?? '', this.#values, { ...rest, seed: `${seed} signature` });
    for (const key of this.#signature.unknown) this.#unknown.add(key);
    this.#hasOptOut ||= this.#signature.hasOptOut === true;
    return this.#signature.text;
  }

  result(): Rendering {
    const text = this.#pieces.join('');
    return {
      text,
      unknown: [...this.#unknown],
      ...(this.isFull || Buffer.byteLength(text) > this.#limit ? { isTooLarge: true } : {}),
      ...(this.#hasOptOut ? { hasOptOut: true } : {}),
    };
  }
}

function safeAt(place: Place, value: string): string {
  if (place.in === 'text' || place.in === 'attribute') return escapeHtml(value);
  if (place.in === 'tag') return unquoted(value);
  // A percent-encoded value has nothing that could end an unquoted attribute value.
  return escapeHtml(linkValue(value, place.part));
}

/** Also escapes characters that would end an unquoted value or begin another attribute (HTML §13.1.2.3). */
const unquoted = (value: string) => escapeHtml(value).replaceAll(/[\s=`/]/g, (character) => `&#${character.charCodeAt(0)};`);
