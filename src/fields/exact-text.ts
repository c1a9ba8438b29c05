/**
 * The rules of texts as patterns for the OpenAPI document: ECMA-262, in the part of it that other languages read alike. Where a rule
 * can't be written so, a pattern is narrower than the rule, so that what fits it is always taken.
 */

const CONTROL = String.raw`\u0000-\u001f\u007f-\u009f\u2028\u2029`;

/** One line, which may be empty. White space around it is trimmed. */
export const LINE = `^\\s*[^${CONTROL}]*\\s*$`;

/** One line with something in it. */
export const FILLED_LINE = `^\\s*[^${CONTROL}\\s][^${CONTROL}]*\\s*$`;

/** A URL of a named host, as receivers of webhooks have. */
export const HTTPS_URL =
  '^https?://(?:[a-z0-9](?:[a-z0-9-]{0,40}[a-z0-9])?\\.)+[a-z]{2,24}(?::[1-9]\\d{0,3})?(?:/[A-Za-z0-9._~!$&()*+,;=:@/-]*)?(?:\\?[A-Za-z0-9._~!$&()*+,;=:@/?-]*)?$';

const MONTH_AND_DAY = '(?:(?:0[13578]|1[02])-(?:0[1-9]|[12]\\d|3[01])|(?:0[469]|11)-(?:0[1-9]|[12]\\d|30)|02-(?:0[1-9]|1\\d|2[0-8]))';
const TIME = '(?:[01]\\d|2[0-3]):[0-5]\\d:[0-5]\\d';

/** A day of the years 1900 to 2999, but for 29 February, of which a pattern can't say whether it exists. */
export const DAY_TEXT = `^(?:19|2\\d)\\d\\d-${MONTH_AND_DAY}$`;

/** An instant on such a day: RFC 3339 §5.6 with a zone, or the format of responses. */
export const INSTANT = `^(?:19|2\\d)\\d\\d-${MONTH_AND_DAY}(?:[Tt]${TIME}(?:\\.\\d{1,9})?(?:[Zz]|[+-](?:[01]\\d|2[0-3]):[0-5]\\d)| ${TIME})$`;

/** Any text without NUL, which PostgreSQL can't store. */
export const WITHOUT_NUL = String.raw`^[^\u0000]*$`;

/** The name of a column, which may have line breaks, and of a field. */
export const COLUMN_IS_FIELD = String.raw`^[^\u0000]+=[^=\u0000]+$`;

/** Letters of the alphabets that domains are mostly written in, beside ASCII. They are no escapes, which RE2 lacks. */
const LETTERS = 'ß-öø-žа-џ一-龥가-힣';
const ATOM_CHARACTER = `[A-Za-z0-9!#$%&'*+/=?^_\`{|}~${LETTERS}-]`;
/**
 * A local part of at most 64 characters (RFC 5321 §4.5.3.1.1 says octets, of which a letter beyond ASCII takes more), by the number of its words:
 * one pattern, since generators can't merge two, and without a look ahead, which RE2 lacks.
 */
const LOCAL_PART = `(?:${[64, 31, 20, 15, 12]
  .map((longest, dots) => {
    const word = `${ATOM_CHARACTER}{1,${longest}}`;
    return dots === 0 ? word : `${word}(?:\\.${word}){${dots}}`;
  })
  .join('|')})`;
const LABEL = `[A-Za-z0-9${LETTERS}](?:[A-Za-z0-9${LETTERS}-]{0,40}[A-Za-z0-9${LETTERS}])?`;
/** The last begins with a letter: a number would be an IP address. */
const TOP_LEVEL_DOMAIN = `[A-Za-z${LETTERS}](?:[A-Za-z0-9${LETTERS}-]{0,40}[A-Za-z0-9${LETTERS}])?`;
const DOMAIN = `(?:${LABEL}\\.)*${TOP_LEVEL_DOMAIN}`;

/** A bare address, as `emailAddress` takes it. */
export const EMAIL = `^${LOCAL_PART}@${DOMAIN}$`;

/** An address, or a domain with two labels or more after an @, as `addressOrDomain` takes them. */
export const EMAIL_OR_DOMAIN = `^(?:${LOCAL_PART}@${DOMAIN}|\\*?@(?:${LABEL}\\.)+${TOP_LEVEL_DOMAIN})$`;
