/** True if a text has more words than the limit. Counting stops at the limit, so a long text takes no longer than a short one. */
export function hasMoreWords(text: string, most: number): boolean {
  let count = 0;
  let wasSpace = true;
  for (let index = 0; index < text.length; index++) {
    const isSpace = isSpaceAt(text, index);
    if (wasSpace && !isSpace && ++count > most) return true;
    wasSpace = isSpace;
  }
  return false;
}

function isSpaceAt(text: string, index: number): boolean {
  const code = text.charCodeAt(index);
  return code <= 0x20 || code === 0xa0 || code === 0x3000;
}
