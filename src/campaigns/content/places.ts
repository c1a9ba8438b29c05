import { type Attribute, type Tag, tagsOf } from '../../html/tags.ts';
import type { LinkPart } from './link-values.ts';

/** A place in an HTML document at which a value is inserted. */
export type Place =
  | { in: 'text' }
  /** A tag, outside of its quoted values. */
  | { in: 'tag' }
  /** A quoted value that is not a URL. */
  | { in: 'attribute' }
  | { in: 'link'; part: LinkPart };

/** Attributes whose value is a URL. */
const LINKS = new Set(
  'href src action formaction background poster cite data longdesc lowsrc dynsrc manifest ping srcset xlink:href'.split(' '),
);

const TEXT: Place = { in: 'text' };
const TAG: Place = { in: 'tag' };
const ATTRIBUTE: Place = { in: 'attribute' };

/**
 * Finds the place of each of the ascending offsets in an HTML document, in one pass over both.
 * @param html the document, with text that is not markup at the offsets
 */
export function* placesAt(html: string, offsets: readonly number[]): Generator<Place> {
  const tags = tagsOf(html);
  let tag = tags.next();
  let locate: ((offset: number) => Place) | undefined;
  for (const offset of offsets) {
    while (!tag.done && tag.value.end <= offset) {
      tag = tags.next();
      locate = undefined;
    }
    if (tag.done || tag.value.start > offset) yield TEXT;
    else {
      locate ??= locator(html, tag.value);
      yield locate(offset);
    }
  }
}

/** Returns a function that finds the place of an offset within one tag. Its calls must have ascending offsets. */
function locator(html: string, { attributes }: Tag): (offset: number) => Place {
  let index = 0;
  let link: ((offset: number) => LinkPart) | undefined;
  return (offset) => {
    while (index < attributes.length && (attributes[index] as Attribute).end <= offset) {
      index++;
      link = undefined;
    }
    const attribute = attributes[index];
    if (attribute === undefined || offset < attribute.valueStart || offset >= attribute.valueEnd) return TAG;
    if (!LINKS.has(attribute.name)) return attribute.isQuoted ? ATTRIBUTE : TAG;
    link ??= linkParts(html.slice(attribute.valueStart, attribute.valueEnd));
    return { in: 'link', part: link(offset - attribute.valueStart) };
  };
}

function linkParts(url: string): (offset: number) => LinkPart {
  const [start, query] = [url.search(/\S|$/), url.search(/[?#]|$/)];
  return (offset) => (offset <= start ? 'start' : offset <= query ? 'path' : 'query');
}
