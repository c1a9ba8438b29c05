import { parseFragment } from 'parse5';

/** The value of one attribute as it stands in a document, name and quotes included, with its character references decoded. */
export function attributeValue(source: string): string {
  const [element] = parseFragment(`<a ${source}>`).childNodes;
  return element !== undefined && 'attrs' in element ? (element.attrs[0]?.value ?? '') : '';
}
