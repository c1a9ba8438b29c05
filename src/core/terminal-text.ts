/**
 * Characters that do more on a terminal than appear: controls (ECMA-48: C0, DEL and C1, with ESC and CSI among them), the
 * bidirectional formatting characters, which reorder what is read (UAX #9), line separators and the byte order mark.
 */
const UNSAFE = '\\p{Cc}\\u061c\\u200e\\u200f\\u2028-\\u202e\\u2066-\\u2069\\ufeff';

const BUT_LINES = new RegExp(`(?![\\n\\t])[${UNSAFE}]`, 'gu');
const RUNS = new RegExp(`[${UNSAFE}]+`, 'gu');

/** The text, of any number of lines, as it can be shown on a terminal: each unsafe character is U+FFFD. Tabs and line feeds stay. */
export const terminalText = (text: string): string => text.replaceAll('\r\n', '\n').replaceAll(BUT_LINES, '\ufffd');

/** The text on one line of a terminal: unsafe characters and line breaks become spaces, a run of them one. */
export const terminalLine = (text: string): string => text.replaceAll(RUNS, ' ').trim();

/** Serialized JSON that can be shown on a terminal: unsafe characters are escaped, so that parsing it gives the same value. */
export const terminalJson = (json: string): string =>
  json.replaceAll(BUT_LINES, (character) => `\\u${character.charCodeAt(0).toString(16).padStart(4, '0')}`);
