/** Adds HTML at the end of the body if the document has one, otherwise at the end of the document. */
export function addAtBodyEnd(html: string, addition: string): string {
  const end = html.search(/<\/body\s*>/i);
  return end === -1 ? html + addition : html.slice(0, end) + addition + html.slice(end);
}
