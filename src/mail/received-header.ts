import { oneLine } from '../core/errors.ts';

const MAX_SIGNATURES = 5;

/** Returns the values of a field, unfolded, in the order of the header. @param name in lower case */
function valuesOf(header: string, name: string): string[] {
  const fields = header.replaceAll(/\r?\n(?=[ \t])/g, '').split(/\r?\n/);
  return fields.filter((field) => field.toLowerCase().startsWith(`${name}:`)).map((field) => field.slice(name.length + 1));
}

/** Returns the DNS names of the keys that signed a message (RFC 6376 §3.6.2.1), such as `s1._domainkey.example.com`. */
export const dkimKeysIn = (header: string): string[] =>
  valuesOf(header, 'dkim-signature')
    .slice(0, MAX_SIGNATURES)
    .flatMap((value) => {
      const tag = (name: string) => new RegExp(`(?:^|;)\\s*${name}\\s*=\\s*([\\w.-]{1,253})\\s*(?:;|$)`).exec(value)?.[1]?.toLowerCase();
      const [selector, domain] = [tag('s'), tag('d')];
      return selector === undefined || domain === undefined ? [] : [`${selector}._domainkey.${domain}`];
    });

/**
 * Returns the results of SPF, DKIM and DMARC that the receiving server recorded (RFC 8601), such as `spf=pass dkim=pass dmarc=pass`; null
 * if it recorded none. Reads the first such field, because a server puts its own on top.
 */
export function resultsIn(header: string): string | null {
  const [value = ''] = valuesOf(header, 'authentication-results');
  const results = ['spf', 'dkim', 'dmarc'].flatMap(
    (method) => new RegExp(`(?:^|[;\\s])(${method}=[a-z]{1,20})`, 'i').exec(value)?.[1] ?? [],
  );
  return results.length === 0 ? null : oneLine(results.join(' ').toLowerCase());
}
