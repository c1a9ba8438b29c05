import { escapeHtml } from '../../html/page.ts';
import { linkValue } from './link-values.ts';
import type { MergeValues } from './merge-values.ts';
import { OPT_OUT, type Placeholder, placeholdersOf, SIGNATURE, withoutPlaceholders } from './placeholders.ts';
import { type Place, placesAt } from './places.ts';

/** Bytes of UTF-8 that a text may have after merging. Gmail clips messages at 102 KB. */
export const MAX_MERGED = 2 * 1024 * 1024;

export interface Rendering {
  text: string;
  /** Keys of no known field, each once. An email with any is held, not sent. */
  unknown: string[];
  /** The merged text would be larger than the limit; `text` is its beginning. */
  isTooLarge?: true;
  /** It contains the unsubscribe link. */
  hasOptOut?: true;
}

export interface RenderOptions {
  /** `html` escapes values and makes them safe inside tags and URLs. */
  escape: 'html' | 'none';
  signatureHtml?: string;
  /** Bytes of UTF-8 that the text may have; `MAX_MERGED` by default. */
  limit?: number;
}

/**
 * Merges a template with the values of one contact in a single pass, so that a value that looks like a placeholder stays as
 * it is. A known field without a value renders as its fallback, or as nothing; fallbacks are the author's own HTML. The
 * signature is a template too: its unknown placeholders count where it is used. The cost is linear in the lengths of template
 * and result.
 */
export function render(template: string, values: MergeValues, options: RenderOptions): Rendering {
  const placeholders = placeholdersOf(template);
  const places = options.escape === 'html' ? placesOf(template, placeholders) : undefined;
  const merge = new Merge(values, options);
  let at = 0;
  for (const placeholder of placeholders) {
    merge.add(template.slice(at, placeholder.start));
    at = placeholder.end;
    const place = places?.next();
    const whole = template.slice(placeholder.start, at);
    merge.add(merge.valueOf(placeholder, place?.done === false ? place.value : undefined) ?? whole);
    if (merge.isFull) break;
  }
  if (!merge.isFull) merge.add(template.slice(at));
  return merge.result();
}

const placesOf = (template: string, placeholders: readonly Placeholder[]) =>
  placesAt(
    withoutPlaceholders(template),
    placeholders.map(({ start }) => start),
  );

/** One template on its way to its rendering. */
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

  /** The text in place of a placeholder; undefined, and noted, if it is unknown. */
  valueOf({ key, fallback }: Placeholder, place: Place | undefined): string | undefined {
    if (key === SIGNATURE) return this.#signatureText();
    if (key === OPT_OUT) this.#hasOptOut = true;
    if (!Object.hasOwn(this.#values, key)) {
      this.#unknown.add(key);
      return undefined;
    }
    const value = this.#values[key] ?? '';
    if (value === '') return fallback;
    return place === undefined ? value : safeAt(place, value);
  }

  #signatureText(): string {
    this.#signature ??= render(this.#options.signatureHtml ?? '', this.#values, { escape: this.#options.escape });
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
  // Percent-encoded, it has nothing that could end an unquoted value.
  return escapeHtml(linkValue(value, place.part));
}

/** Escapes what would end an unquoted value or begin another attribute (HTML §13.1.2.3) as well. */
const unquoted = (value: string) => escapeHtml(value).replaceAll(/[\s=`/]/g, (character) => `&#${character.charCodeAt(0)};`);
