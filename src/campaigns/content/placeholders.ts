import { escapeHtml } from '../../html/page.ts';
import { linkValue, placeInLink } from './link-values.ts';

/** `{{key}}` or `{{key|fallback}}`; whatever else is in double braces, closed or not, is a placeholder nobody knows. */
const PLACEHOLDER = /\{\{(?:([^{}]*)\}\})?/g;

/** Stands for the sending account's signature. */
const SIGNATURE = 'signature';

export interface Rendering {
  text: string;
  /** Keys that no field has, each once. A mail with any is held, not sent. */
  unknown: string[];
}

/** What a template is merged with; a key that is there is known, also when its value is null. */
export type MergeValues = Readonly<Record<string, string | null>>;

interface Placeholder {
  key: string;
  fallback: string;
}

function parse(inside: string | undefined, rest: string): Placeholder {
  // Unclosed: named by the text that follows, so that its author can find it.
  if (inside === undefined) return { key: rest.slice(0, 20).trim(), fallback: '' };
  const bar = inside.indexOf('|');
  return bar === -1 ? { key: inside.trim(), fallback: '' } : { key: inside.slice(0, bar).trim(), fallback: inside.slice(bar + 1).trim() };
}

/** The keys that a text uses, each once, in the order of their first use; `signature` aside. */
export function findPlaceholders(text: string): string[] {
  const keys = [...text.matchAll(PLACEHOLDER)].map((match) => parse(match[1], text.slice(match.index + 2)).key);
  return [...new Set(keys)].filter((key) => key !== SIGNATURE);
}

/**
 * Merges a template with the values of one contact, in one pass: a value that looks like a placeholder stays as it is.
 * A known field without a value gives its fallback, or nothing. With `html` values are escaped, and made safe where
 * they stand in a link; fallbacks are the author's own HTML. The signature is a template too, and its own unknown
 * placeholders count only where it is used.
 */
export function render(template: string, values: MergeValues, options: { escape: 'html' | 'none'; signatureHtml?: string }): Rendering {
  const unknown = new Set<string>();
  const text = template.replaceAll(PLACEHOLDER, (whole, inside: string | undefined, offset: number) => {
    const { key, fallback } = parse(inside, template.slice(offset + 2));
    if (key === SIGNATURE) {
      const signature = render(options.signatureHtml ?? '', values, { escape: options.escape });
      for (const name of signature.unknown) unknown.add(name);
      return signature.text;
    }
    if (!Object.hasOwn(values, key)) {
      unknown.add(key);
      return whole;
    }
    const value = values[key] ?? '';
    if (value === '') return fallback;
    return options.escape === 'html' ? safeInHtml(value, template, offset) : value;
  });
  return { text, unknown: [...unknown] };
}

function safeInHtml(value: string, template: string, offset: number): string {
  const place = placeInLink(template, offset);
  return escapeHtml(place === undefined ? value : linkValue(value, place));
}

/** A contact as far as templates know it. */
export interface MergeSource {
  name: string;
  email: string;
  company: string | null;
  custom_fields: Readonly<Record<string, string>>;
}

/**
 * What a template can say of a contact: `name`, `first_name`, `last_name`, `email`, `company`, `domain`, and every live
 * custom field of the workspace, empty where the contact has no value.
 * @param fieldKeys keys of the workspace's live custom fields
 */
export function contactValues(contact: MergeSource, fieldKeys: readonly string[]): MergeValues {
  const [first = '', ...rest] = contact.name.trim().split(/\s+/);
  const values: Record<string, string | null> = Object.create(null);
  for (const key of fieldKeys) values[key] = contact.custom_fields[key] ?? null;
  return Object.assign(values, {
    name: contact.name,
    first_name: first,
    last_name: rest.join(' '),
    email: contact.email,
    company: contact.company,
    domain: contact.email.slice(contact.email.lastIndexOf('@') + 1),
  });
}
