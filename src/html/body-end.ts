/** Adds HTML at the end of the body where the document has one, otherwise at its end. */
export function addAtBodyEnd(html: string, addition: string): string {
  const end = html.search(/<\/body\s*>/i);
  return end === -1 ? html + addition : html.slice(0, end) + addition + html.slice(end);
}
