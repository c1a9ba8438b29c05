import { addAtBodyEnd } from '../html/body-end.ts';
import { type Tag, tagsOf } from '../html/tags.ts';

/**
 * Replaces the links in the merged HTML of one email with ours. Only http and https targets are replaced, of `a` and `area` elements and of
 * the shapes of Outlook buttons in conditional comments. It keeps mailto, tel, anchors in the page, links marked `data-no-track`, very long
 * links, and links that begin with `untouched`. The rest of the document keeps its bytes. Runs in linear time.
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

/** Longer targets would produce links that web servers refuse with 431: Node accepts request headers of up to 16 KiB. */
const MAX_TARGET = 6_000;

/** Returns the http or https target of a link; undefined for any other. */
function targetOf(href: string): string | undefined {
  const target = href.trim();
  return target.length <= MAX_TARGET && /^https?:\/\//i.test(target) && URL.canParse(target) ? target : undefined;
}

/** Adds the image that tracks opens, at the end of the body if there is one. */
export const addPixel = (html: string, url: string): string =>
  addAtBodyEnd(html, `<img src="${url}" width="1" height="1" alt="" style="border:0">`);
