/** Returns the beginning of a text on one line, without characters that reorder it. @param most characters */
export const shortLine = (text: string, most: number): string =>
  [...text.replaceAll(/[\p{Cc}\p{Cf}\u2028\u2029]+/gu, ' ').trim()].slice(0, most).join('');
