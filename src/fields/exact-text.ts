/**
 * Rules for texts as patterns for the OpenAPI document, in the part of ECMA-262 that other languages interpret in the same way. If a
 * pattern can't express a rule exactly, it is narrower, so that every text that matches it is accepted.
 */

const CONTROL = String.raw`\u0000-\u001f\u007f-\u009f\u2028\u2029`;

/** One line, which may be empty. White space around it is trimmed. */
export const LINE = `^\\s*[^${CONTROL}]*\\s*$`;

/** One line that is not empty. */
export const FILLED_LINE = `^\\s*[^${CONTROL}\\s][^${CONTROL}]*\\s*$`;

/** A URL with a host name, as webhook receivers have. */
export const HTTPS_URL =
  '^https?://(?:[a-z0-9](?:[a-z0-9-]{0,40}[a-z0-9])?\\.)+[a-z]{2,24}(?::[1-9]\\d{0,3})?(?:/[A-Za-z0-9._~!$&()*+,;=:@/-]*)?(?:\\?[A-Za-z0-9._~!$&()*+,;=:@/?-]*)?$';

const MONTH_AND_DAY = '(?:(?:0[13578]|1[02])-(?:0[1-9]|[12]\\d|3[01])|(?:0[469]|11)-(?:0[1-9]|[12]\\d|30)|02-(?:0[1-9]|1\\d|2[0-8]))';
const TIME = '(?:[01]\\d|2[0-3]):[0-5]\\d:[0-5]\\d';

/** A day of the years 1900 to 2999, except 29 February, because a pattern can't tell if that exists. */
export const DAY_TEXT = `^(?:19|2\\d)\\d\\d-${MONTH_AND_DAY}$`;

/** An instant on such a day: RFC 3339 §5.6 with a zone, or the format of responses. */
export const INSTANT = `^(?:19|2\\d)\\d\\d-${MONTH_AND_DAY}(?:[Tt]${TIME}(?:\\.\\d{1,9})?(?:[Zz]|[+-](?:[01]\\d|2[0-3]):[0-5]\\d)| ${TIME})$`;

/** Any text without NUL, which PostgreSQL can't store. */
export const WITHOUT_NUL = String.raw`^[^\u0000]*$`;

/** The name of a column, which may have line breaks, and of a field. */
export const COLUMN_IS_FIELD = String.raw`^[^\u0000]+=[^=\u0000]+$`;

/** Letters of the alphabets in which most domains are written, besides ASCII. They are not escapes, because RE2 has none for them. */
const LETTERS = 'ß-öø-žа-џ一-龥가-힣';
const ATOM_CHARACTER = `[A-Za-z0-9!#$%&'*+/=?^_\`{|}~${LETTERS}-]`;
/**
 * A local part of at most 64 characters (RFC 5321 §4.5.3.1.1 says octets, and a letter beyond ASCII takes several), by the number of its
 * words. It is one pattern, because generators can't merge two, and has no lookahead, because RE2 lacks it.
 */
const LOCAL_PART = `(?:${[64, 31, 20, 15, 12]
  .map((longest, dots) => {
    const word = `${ATOM_CHARACTER}{1,${longest}}`;
    return dots === 0 ? word : `${word}(?:\\.${word}){${dots}}`;
  })
  .join('|')})`;
const LABEL = `[A-Za-z0-9${LETTERS}](?:[A-Za-z0-9${LETTERS}-]{0,40}[A-Za-z0-9${LETTERS}])?`;
/** The last label begins with a letter: a number would be an IP address. */
const TOP_LEVEL_DOMAIN = `[A-Za-z${LETTERS}](?:[A-Za-z0-9${LETTERS}-]{0,40}[A-Za-z0-9${LETTERS}])?`;
const DOMAIN = `(?:${LABEL}\\.)*${TOP_LEVEL_DOMAIN}`;

/** A bare address that `emailAddress` accepts. */
export const EMAIL = `^${LOCAL_PART}@${DOMAIN}$`;

/** An address, or a domain with two labels or more after an @, that `addressOrDomain` accepts. */
export const EMAIL_OR_DOMAIN = `^(?:${LOCAL_PART}@${DOMAIN}|\\*?@(?:${LABEL}\\.)+${TOP_LEVEL_DOMAIN})$`;
