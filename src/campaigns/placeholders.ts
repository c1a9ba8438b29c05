import { escapeHtml } from '../html-page.ts';

/** `{{key}}` or `{{key|fallback}}`, with spaces inside if one likes. */
const PLACEHOLDER = /\{\{\s*([\p{L}\p{N}_.-]+)\s*(?:\|([^{}]*))?\}\}/gu;

/** Replaced by the sending account's signature, in bodies only. */
const SIGNATURE = 'signature';

export interface Rendering {
  text: string;
  /** Keys that no field has, each once. A mail with any is held, not sent. */
  unknown: string[];
}

/** The keys that a text uses, each once, `signature` aside. */
export function findPlaceholders(text: string): string[] {
  return [...new Set([...text.matchAll(PLACEHOLDER)].map((match) => match[1] ?? ''))].filter((key) => key !== SIGNATURE);
}

/**
 * Merges a template with the values of one contact, in one pass: a value that looks like a placeholder stays as it is.
 * A known field without a value gives its fallback, or nothing. With `html`, values and fallbacks are escaped; the
 * signature is HTML already.
 */
export function render(
  template: string,
  values: Readonly<Record<string, string | null>>,
  options: { escape: 'html' | 'none'; signatureHtml?: string },
): Rendering {
  const unknown = new Set<string>();
  const escaped = options.escape === 'html' ? escapeHtml : (text: string) => text;
  const text = template.replaceAll(PLACEHOLDER, (whole, key: string, fallback: string | undefined) => {
    if (key === SIGNATURE) return options.signatureHtml ?? '';
    if (!Object.hasOwn(values, key)) {
      unknown.add(key);
      return whole;
    }
    const value = values[key] ?? '';
    return escaped(value === '' ? (fallback ?? '').trim() : value);
  });
  return { text, unknown: [...unknown] };
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
export function contactValues(contact: MergeSource, fieldKeys: readonly string[]): Record<string, string | null> {
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
