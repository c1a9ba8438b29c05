import { addAtBodyEnd } from '../html/body-end.ts';
import { type Tag, tagsOf } from '../html/tags.ts';

/**
 * Puts our links in the place of the author's in the HTML of one email, after merging. Only http and https targets of
 * `a` and `area` elements are replaced, and of the shapes that buttons for Outlook consist of, in its conditional comments; mailto, tel, anchors in the page, links marked `data-no-track`, very long ones and the link
 * `untouched`, whatever the author has put behind it, stay. The rest of the document keeps its bytes. The cost is linear in the length of the document.
 */
export function rewriteLinks(html: string, linkFor: (url: string) => string, untouched?: string): string {
  let result = '';
  let at = 0;
  for (const tag of tagsOf(html, { withOutlook: true })) {
    const href = trackableHref(tag);
    if (href === undefined) continue;
    const url = targetOf(href.value);
    if (url === undefined || (untouched !== undefined && url.startsWith(untouched))) continue;
    result += `${html.slice(at, href.start)}href="${linkFor(url)}"`;
    at = href.end;
  }
  return result + html.slice(at);
}

function trackableHref({ name, attributes }: Tag) {
  if (name !== 'a' && name !== 'area' && !name.startsWith('v:')) return undefined;
  if (attributes.some((attribute) => attribute.name === 'data-no-track')) return undefined;
  return attributes.find((attribute) => attribute.name === 'href');
}

/** Longer targets would make links of ours that web servers refuse, with 431: Node takes 16 KiB for the header of a request. */
const MAX_TARGET = 6_000;

/** The http or https target of a link. */
function targetOf(href: string): string | undefined {
  const target = href.trim();
  return target.length <= MAX_TARGET && /^https?:\/\//i.test(target) && URL.canParse(target) ? target : undefined;
}

/** Adds the image whose loading means that the email was opened, at the end of the body where there is one. */
export const addPixel = (html: string, url: string): string =>
  addAtBodyEnd(html, `<img src="${url}" width="1" height="1" alt="" style="border:0">`);
