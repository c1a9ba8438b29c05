import { tagsOf } from './tags.ts';

/** Attributes that make an email client open a link or submit a form. */
const LINK_ATTRIBUTES = new Set(['href', 'xlink:href', 'action', 'formaction']);

const ALLOWED = /^(?:https?|mailto|tel):/i;
const SCHEME = /^[a-z][a-z0-9+.-]*:/i;
/** A placeholder at the start, up to its fallback. Its value is made safe when it is merged. */
const PLACEHOLDER_START = /^\{\{[^{}|]*(?:\||\}\})/;

interface Target {
  target: string;
  /** The attribute's offsets in the document. */
  start: number;
  end: number;
  name: string;
}

/** Finds the links that lead to anything but http, https, mailto, tel or a place in the page, such as `javascript:`, `data:` and `file:`. */
export function* unsafeLinks(html: string): Generator<Target> {
  for (const { attributes } of tagsOf(html, { withOutlook: true })) {
    for (const { name, value, start, end } of attributes) {
      if (!LINK_ATTRIBUTES.has(name)) continue;
      const target = targetOf(value);
      if (SCHEME.test(target) && !ALLOWED.test(target)) yield { target, start, end, name };
    }
  }
}

/** The target of a link as a browser reads it, without control characters (URL §4.4). */
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
