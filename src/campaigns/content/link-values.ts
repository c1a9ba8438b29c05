/** Where in a link a value stands: it is the whole address so far, part of the way, or part of the query or fragment. */
type Place = 'start' | 'way' | 'query';

const OPEN_LINK = /\s(?:href|src|action|background)\s*=\s*(?:"([^"]*)|'([^']*)|([^\s"'>]*))$/i;

/** Where in a link the text at that offset of an HTML document stands; undefined when it is in none. */
export function placeInLink(html: string, offset: number): Place | undefined {
  const tag = html.lastIndexOf('<', offset);
  const link = tag === -1 ? null : OPEN_LINK.exec(html.slice(tag, offset));
  if (link === null) return undefined;
  const before = link[1] ?? link[2] ?? link[3] ?? '';
  if (before.trim() === '') return 'start';
  return /[?#]/.test(before) ? 'query' : 'way';
}

const SAFE_SCHEME = /^(?:https?|mailto|tel):/i;
/** `example.com:8080` has a port, not a scheme. */
const SCHEME = /^[a-z][a-z0-9+.-]*:(?!\d)/i;

/**
 * A contact's value as it may stand in a link, before HTML escaping: in a query nothing in it can begin another
 * parameter, at the start nothing but http, https, mailto and tel is followed (`#` else), and a bare host gets https.
 */
export function linkValue(value: string, place: Place): string {
  if (place === 'query') return encodeURIComponent(value.toWellFormed());
  if (place === 'way') return percentEncoded(value);
  const address = value.trim();
  if (SAFE_SCHEME.test(address)) return percentEncoded(address);
  return SCHEME.test(address) ? '#' : `https://${percentEncoded(address)}`;
}

/** Percent-encodes what no address may contain, and leaves what is encoded already. */
const percentEncoded = (text: string) => encodeURI(text.toWellFormed()).replaceAll(/%25([0-9a-f]{2})/gi, '%$1');
