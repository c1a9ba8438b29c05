import { tagsOf } from './tags.ts';

/** Attributes that make an email client open a link or submit a form. */
const LINK_ATTRIBUTES = new Set(['href', 'xlink:href', 'action', 'formaction']);

const ALLOWED = /^(?:https?|mailto|tel):/i;
const SCHEME = /^[a-z][a-z0-9+.-]*:/i;
/** A placeholder at the start of a target, up to its fallback. Merging makes its value safe. */
const PLACEHOLDER_START = /^\{\{[^{}|]*(?:\||\}\})/;

interface Target {
  target: string;
  /** The attribute's offsets in the document. */
  start: number;
  end: number;
  name: string;
}

/**
 * Finds the links whose scheme is not http, https, mailto or tel, such as `javascript:`, `data:` and `file:`. Links without a scheme are
 * safe.
 */
export function* unsafeLinks(html: string): Generator<Target> {
  for (const { attributes } of tagsOf(html, { withOutlook: true })) {
    for (const { name, value, start, end } of attributes) {
      if (!LINK_ATTRIBUTES.has(name)) continue;
      const target = targetOf(value);
      if (SCHEME.test(target) && !ALLOWED.test(target)) yield { target, start, end, name };
    }
  }
}

/** Returns the target of a link as a browser parses it, without control characters (URL §4.4), and without a placeholder at its start. */
const targetOf = (value: string): string =>
  value
    .trimStart()
    .replace(PLACEHOLDER_START, '')
    .replaceAll(/[\p{Cc}\s]/gu, '');

/** Replaces the targets of unsafe links by `#`. */
export function withoutUnsafeLinks(html: string): string {
  let [result, at] = ['', 0];
  for (const { name, start, end } of unsafeLinks(html)) {
    result += `${html.slice(at, start)}${name}="#"`;
    at = end;
  }
  return result + html.slice(at);
}
