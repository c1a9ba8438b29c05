/**
 * Characters that do more on a terminal than appear: controls (ECMA-48: C0, DEL and C1, with ESC and CSI among them), the
 * bidirectional formatting characters, which reorder what is read (UAX #9), line separators and the byte order mark.
 */
const UNSAFE = '\\p{Cc}\\u061c\\u200e\\u200f\\u2028-\\u202e\\u2066-\\u2069\\ufeff';

const UNSAFE_CHARACTER = new RegExp(`(?![\\n\\t])[${UNSAFE}]`, 'gu');
const UNSAFE_RUN = new RegExp(`[${UNSAFE}]+`, 'gu');

/** Makes a text of any number of lines safe for a terminal: each unsafe character becomes U+FFFD. Tabs and line feeds stay. */
export const terminalText = (text: string): string => text.replaceAll('\r\n', '\n').replaceAll(UNSAFE_CHARACTER, '\ufffd');

/** Makes a text safe for one line of a terminal: each run of unsafe characters and line breaks becomes a space. */
export const terminalLine = (text: string): string => text.replaceAll(UNSAFE_RUN, ' ').trim();

/** Makes serialized JSON safe for a terminal: unsafe characters are escaped, so that parsing it gives the same value. */
export const terminalJson = (json: string): string =>
  json.replaceAll(UNSAFE_CHARACTER, (character) => `\\u${character.charCodeAt(0).toString(16).padStart(4, '0')}`);
