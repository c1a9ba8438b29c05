import slugify from '@sindresorhus/slugify';

const MAX_KEY = 64;

/** Keys with another meaning in templates or searches. A field with such a name gets a numbered key. */
const RESERVED = new Set([
  ...['name', 'first_name', 'last_name', 'email', 'company', 'domain', 'signature', 'unsubscribe_url', 'postal_address'],
  ...['constructor', 'prototype'],
]);

/** Returns the name as at most 64 lower-case ASCII letters, digits and underscores; `field` if nothing is left. */
export function slugOf(name: string): string {
  const slug = slugify(name.normalize('NFKC'), { separator: '_', decamelize: false });
  return slug.slice(0, MAX_KEY).replace(/_$/, '') || 'field';
}

/** Returns a key for a new field of that name: its slug, with a number if the slug is taken or has another meaning. */
export function freeKey(name: string, taken: ReadonlySet<string>): string {
  const slug = slugOf(name);
  for (let number = 1; ; number++) {
    const suffix = number === 1 ? '' : `_${number}`;
    const key = `${slug.slice(0, MAX_KEY - suffix.length)}${suffix}`;
    if (!taken.has(key) && !RESERVED.has(key)) return key;
  }
}
