import { type DefaultTreeAdapterMap, parseFragment } from 'parse5';

type Node = DefaultTreeAdapterMap['node'];
type Element = DefaultTreeAdapterMap['element'];

interface Cut {
  start: number;
  end: number;
  text: string;
}

/**
 * Puts our links in the place of the author's in the HTML of one email, after merging. Only http and https targets of
 * `a` elements are replaced; mailto, tel, anchors in the page and links marked `data-no-track` stay. The rest of the
 * document keeps its bytes: links are found by an HTML parser and exchanged at their positions.
 */
export function rewriteLinks(html: string, linkFor: (url: string) => string): string {
  const cuts: Cut[] = [];
  walk(parseFragment(html, { sourceCodeLocationInfo: true }), (element) => {
    const url = trackableTarget(element);
    const place = element.sourceCodeLocation?.attrs?.href;
    if (url !== undefined && place !== undefined)
      cuts.push({ start: place.startOffset, end: place.endOffset, text: `href="${linkFor(url)}"` });
  });
  let result = '';
  let at = 0;
  for (const cut of cuts.sort((a, b) => a.start - b.start)) {
    result += html.slice(at, cut.start) + cut.text;
    at = cut.end;
  }
  return result + html.slice(at);
}

function walk(node: Node, visit: (element: Element) => void): void {
  if ('tagName' in node) visit(node);
  if ('childNodes' in node) for (const child of node.childNodes) walk(child, visit);
}

function trackableTarget(element: Element): string | undefined {
  if (element.tagName !== 'a' && element.tagName !== 'area') return undefined;
  if (element.attrs.some((attribute) => attribute.name === 'data-no-track')) return undefined;
  const href = element.attrs.find((attribute) => attribute.name === 'href')?.value.trim();
  if (href === undefined || !/^https?:\/\//i.test(href) || !URL.canParse(href)) return undefined;
  return href;
}

/** Adds the image whose loading means that the email was opened, at the end of the body where there is one. */
export function addPixel(html: string, url: string): string {
  const image = `<img src="${url}" width="1" height="1" alt="" style="border:0">`;
  const end = html.search(/<\/body\s*>/i);
  return end === -1 ? html + image : html.slice(0, end) + image + html.slice(end);
}
