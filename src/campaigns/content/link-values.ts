/** Part of a URL that a value is inserted into: its start, its path, or its query or fragment. */
export type LinkPart = 'start' | 'path' | 'query';

const SAFE_SCHEME = /^(?:https?|mailto|tel):/i;
/** Not followed by a digit: `example.com:8080` has a port, not a scheme. */
const SCHEME = /^[a-z][a-z0-9+.-]*:(?!\d)/i;

/**
 * Makes a contact's value safe to insert into a URL, before HTML escaping. In a query it can't start another parameter. At
 * the start only http, https, mailto and tel are allowed, any other scheme gives `#`, and a bare host gets https.
 */
export function linkValue(value: string, part: LinkPart): string {
  if (part === 'query') return encodeURIComponent(value.toWellFormed());
  if (part === 'path') return percentEncoded(value);
  const address = value.trim();
  if (SAFE_SCHEME.test(address)) return percentEncoded(address);
  return SCHEME.test(address) ? '#' : `https://${percentEncoded(address)}`;
}

/** Percent-encodes characters that no URL may contain, and keeps what is already encoded. */
const percentEncoded = (text: string) => encodeURI(text.toWellFormed()).replaceAll(/%25([0-9a-f]{2})/gi, '%$1');
