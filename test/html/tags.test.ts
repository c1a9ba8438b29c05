import fc from 'fast-check';
import { type DefaultTreeAdapterMap, parse } from 'parse5';
import { describe, expect, it } from 'vitest';
import { tagsOf } from '../../src/html/tags.ts';
import { processorTime } from '../support/processor-time.ts';

/** The start tags with their attributes; the first of a name counts. */
const startTags = (html: string) =>
  [...tagsOf(html)]
    .filter(({ isEnd }) => !isEnd)
    .map(({ name, start, attributes }) => ({
      ...{ name, start },
      attributes: Object.fromEntries(attributes.map((attribute) => [attribute.name, attribute.value]).reverse()),
    }));

type Node = DefaultTreeAdapterMap['node'];

/** What a browser's parser makes of a document: an element for each of these tags, by the offset of the tag. */
function parsed(html: string): Map<number, { name: string; attributes: Record<string, string> }> {
  const elements = new Map<number, { name: string; attributes: Record<string, string> }>();
  const left: Node[] = [parse(html, { sourceCodeLocationInfo: true, scriptingEnabled: false })];
  for (let node = left.pop(); node !== undefined; node = left.pop()) {
    if ('childNodes' in node) left.push(...node.childNodes);
    if (!('tagName' in node) || node.sourceCodeLocation == null) continue;
    const attributes = Object.fromEntries(node.attrs.map(({ name, value }) => [name, value]));
    elements.set(node.sourceCodeLocation.startOffset, { name: node.tagName, attributes });
  }
  return elements;
}

describe('the tags of a document', () => {
  it('have their names, attributes and offsets, however they are written', () => {
    const html = `<P class=x title='a>b' data-x = "1"/checked><A\nHREF="u" href=v></a ><br/>`;
    expect(startTags(html)).toEqual([
      { name: 'p', start: 0, attributes: { class: 'x', title: 'a>b', 'data-x': '1', checked: '' } },
      { name: 'a', start: 44, attributes: { href: 'u' } },
      { name: 'br', start: 68, attributes: {} },
    ]);
  });

  it('say where the value of an attribute lies, as it is written', () => {
    const html = `<a b='1 &amp; 2' c = "" d=&lt;x e f="&quot;">`;
    const [tag] = tagsOf(html);
    expect(tag?.end).toBe(html.length);
    expect(
      tag?.attributes.map(({ name, value, start, end, valueStart, valueEnd, isQuoted }) => ({
        ...{ name, value, isQuoted },
        written: [html.slice(start, end), html.slice(valueStart, valueEnd)],
      })),
    ).toEqual([
      { name: 'b', value: '1 & 2', isQuoted: true, written: ["b='1 &amp; 2'", '1 &amp; 2'] },
      { name: 'c', value: '', isQuoted: true, written: ['c = ""', ''] },
      { name: 'd', value: '<x', isQuoted: false, written: ['d=&lt;x', '&lt;x'] },
      { name: 'e', value: '', isQuoted: false, written: ['e', ''] },
      { name: 'f', value: '"', isQuoted: true, written: ['f="&quot;"', '&quot;'] },
    ]);
  });

  it('are found in a document of any length', () => {
    for (const before of [65_500, 65_520, 65_530, 65_536]) {
      const html = `${'x'.repeat(before)}<a title="1" href="/a?b&amp;c">y</a>`;
      expect(startTags(html)).toEqual([{ name: 'a', start: before, attributes: { title: '1', href: '/a?b&c' } }]);
    }
  });

  it.each([
    '<!-- <a href="u"> -->',
    '<!--><!---><!-- --!>',
    '<!doctype html><?xml <a>',
    '<style><a href="u"></style>',
    '<textarea><a></TextArea >',
    '<script>"<a>"',
    '</3 <a>',
    'a < b',
    '<a href="u',
    '< a>',
  ])('are none in what is a comment, text or unfinished: %s', (html) => {
    expect(startTags(html).filter(({ name }) => name === 'a')).toEqual([]);
  });

  it('are those that a browser sees', () => {
    const piece = fc.constantFrom(
      ...['<a href="x">', '<a href=x title=">">', "<a title='\"' href=y>", '</a>', '<b>', '</b>', '<p>', '</p>', '<a', ' href=', '"', "'"],
      ...[
        '<',
        '>',
        '/',
        '=',
        ' ',
        'x',
        '<!--',
        '-->',
        '--!>',
        '<!',
        '<?',
        '</',
        '<style>',
        '</style>',
        '<textarea>',
        '</textarea >',
        '\n',
        '&amp;',
        '&lt',
        '<![CDATA[',
        ']]>',
        '<iframe>',
        '</iframe>',
      ],
    );
    fc.assert(
      fc.property(fc.array(piece, { maxLength: 25 }), (pieces) => {
        // Whatever is open ends before the last link, which the parser has to find in any case.
        const html = `<body>${pieces.join('')}`;
        const seen = parsed(html);
        const ours = new Map(startTags(html).map((tag) => [tag.start, tag]));
        for (const [start, element] of seen) {
          if (!['a', 'b', 'p'].includes(element.name) || !html.startsWith(`<${element.name}`, start)) continue;
          expect(ours.get(start)?.name).toBe(element.name);
          expect(ours.get(start)?.attributes.href).toEqual(element.attributes.href);
        }
        for (const { name, start } of ours.values()) if (name === 'a' || name === 'b') expect(seen.get(start)?.name).toBe(name);
      }),
      { numRuns: 2_000 },
    );
  });

  it('cost time that is linear in the length of the document, whatever it is', () => {
    const worst = [
      `<p>${Array.from({ length: 3_000 }, (_, index) => `<b id=${index}>`).join('')}</p>${'<p>x'.repeat(3_000)}`,
      `<a ${Array.from({ length: 200_000 }, (_, index) => `a${index}`).join(' ')}>`,
      '<a href="'.repeat(150_000),
      '<!--'.repeat(400_000),
      '<style>'.repeat(200_000),
      '<'.repeat(2_000_000),
    ];
    for (const html of worst) {
      const { milliseconds } = processorTime(() => {
        for (const _ of tagsOf(html)) void _;
      });
      expect(milliseconds).toBeLessThan(2_000);
    }
  });
});
