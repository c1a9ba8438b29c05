import { escapeHtml } from '../../html/page.ts';
import { linkPartAt, linkValue } from './link-values.ts';

/** `{{key}}` or `{{key|fallback}}`; anything else after `{{`, closed or not, is an unknown placeholder. */
const PLACEHOLDER = /\{\{(?:([^{}]*)\}\})?/g;

/** The placeholder of the sending account's signature. */
const SIGNATURE = 'signature';

export interface Rendering {
  text: string;
  /** Keys of no known field, each once. An email with any is held, not sent. */
  unknown: string[];
}

/** Values to merge into a template. A key that is present is known, even if its value is null. */
export type MergeValues = Readonly<Record<string, string | null>>;

interface Placeholder {
  key: string;
  fallback: string;
}

function parse(inside: string | undefined, rest: string): Placeholder {
  // Unclosed: named by the text after it, so that its author can find it.
  if (inside === undefined) return { key: rest.slice(0, 20).trim(), fallback: '' };
  const bar = inside.indexOf('|');
  return bar === -1 ? { key: inside.trim(), fallback: '' } : { key: inside.slice(0, bar).trim(), fallback: inside.slice(bar + 1).trim() };
}

/** Lists the keys that a text uses, each once, in the order of their first use, without `signature`. */
export function findPlaceholders(text: string): string[] {
  const keys = [...text.matchAll(PLACEHOLDER)].map((match) => parse(match[1], text.slice(match.index + 2)).key);
  return [...new Set(keys)].filter((key) => key !== SIGNATURE);
}

/**
 * Merges a template with the values of one contact in a single pass, so that a value that looks like a placeholder stays as
 * it is. A known field without a value renders as its fallback, or as nothing. With `html`, values are escaped, and made safe
 * inside URLs; fallbacks are the author's own HTML. The signature is a template too: its unknown placeholders count where it
 * is used.
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
  const part = linkPartAt(template, offset);
  return escapeHtml(part === undefined ? value : linkValue(value, part));
}

/** The fields of a contact that templates can use. */
export interface MergeSource {
  name: string;
  email: string;
  company: string | null;
  custom_fields: Readonly<Record<string, string>>;
}

/**
 * Builds the merge values of a contact: `name`, `first_name`, `last_name`, `email`, `company`, `domain`, and every live custom
 * field of the workspace, null if the contact has no value for it.
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
