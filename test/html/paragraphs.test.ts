import { describe, expect, it } from 'vitest';
import { contactValues } from '../../src/campaigns/content/merge-values.ts';
import { render } from '../../src/campaigns/content/render.ts';
import { paragraphsOf } from '../../src/html/paragraphs.ts';

const contact = { name: 'Ada', email: 'ada@tom.example', company: 'Tom & <Jerry>, Inc.', custom_fields: { plan: 'a b' } };
const values = { ...contactValues(contact, ['plan', 'size']), unsubscribe_url: 'https://go.acme.example/u/x?y=1' };
/** The HTML of a text as a contact gets it. */
const sent = (text: string) => render(paragraphsOf(text), values, { escape: 'html' }).text;
const link = (href: string, shown = href) => `<a href="${href}">${shown}</a>`;
const COMPANY = 'Tom &amp; &lt;Jerry&gt;, Inc.';

it('Text becomes paragraphs at empty lines, keeps other line breaks, and what is no placeholder is escaped', () => {
  expect(paragraphsOf('Dear {{name}},\r\nhow < are you?\n \n\nBest\n')).toBe('<p>Dear {{name}},<br>\nhow &lt; are you?</p>\n<p>Best</p>');
});

describe('templates.md: "`https://example.com/?c={{company}}` becomes `https://example.com/?c=Tom%20%26%20%3CJerry%3E`", from text too', () => {
  it.each([
    [
      'Book: https://cal.example/a?email={{email}} or',
      `Book: ${link('https://cal.example/a?email=ada%40tom.example', 'https://cal.example/a?email=ada@tom.example')} or`,
    ],
    [
      'https://a.example/?c={{company}}&p={{ plan }}.',
      `${link('https://a.example/?c=Tom%20%26%20%3CJerry%3E%2C%20Inc.&amp;p=a%20b', `https://a.example/?c=${COMPANY}&amp;p=a b`)}.`,
    ],
    ['(https://a.example/{{plan}}/offer)', `(${link('https://a.example/a%20b/offer', 'https://a.example/a b/offer')})`],
    ['https://{{domain}}/x', link('https://tom.example/x')],
    ['https://a.example/{{size|big size}}!', `${link('https://a.example/big size')}!`],
    ['https://a.example/{{#if size}}s{{else}}n/{{name}}{{/if}}/x', link('https://a.example/n/Ada/x')],
    ['{{#if name}}see https://a.example/{{name}}{{/if}} now', `see ${link('https://a.example/Ada')} now`],
    ['{{#if size}}https://a.example{{else}}https://b.example{{/if}}', link('https://b.example')],
    ['www.acme.example/{{name}}, or', `${link('https://www.acme.example/Ada', 'www.acme.example/Ada')}, or`],
    ['mail info@www.acme.example', 'mail info@www.acme.example'],
    ['Not interested? {{unsubscribe_url}}', `Not interested? ${link('https://go.acme.example/u/x?y=1')}`],
    ['{{ unsubscribe_url }}', link('https://go.acme.example/u/x?y=1')],
    ['https://a.example/x?a="b"', `${link('https://a.example/x?a=', 'https://a.example/x?a=')}&quot;b&quot;`],
  ])('%s', (text, html) => expect(sent(text)).toBe(`<p>${html}</p>`));
});

it('A choice never cuts an address: each of its texts is a link of its own, and an address around it stays text', () => {
  expect(paragraphsOf('{https://a.example/x|https://b.example/y}')).toBe(
    `<p>{${link('https://a.example/x')}|${link('https://b.example/y')}}</p>`,
  );
  expect(paragraphsOf('https://a.example/{x|y}/z')).toBe('<p>https://a.example/{x|y}/z</p>');
});

it.each([
  ['a\nb', '<p>a<br>\nb</p>'],
  ['a  \t\r\n  b', '<p>a<br>\n  b</p>'],
  ['a\n \t\n\n  b\n', '<p>a</p>\n<p>b</p>'],
  ['  \n\n a < b', '<p>a &lt; b</p>'],
  ['', '<p></p>'],
])('%j', (text, html) => {
  expect(paragraphsOf(text)).toBe(html);
});

it('takes time in proportion to the text', () => {
  const before = process.cpuUsage().user;
  for (const pump of [' ', '\n', ' \n', '\t ', 'http://', 'http://.', '{{#if a}}', 'www.{{#if a}}', '{a', 'www.{'])
    paragraphsOf(`a${pump.repeat(180_000 / pump.length)}b`);
  expect((process.cpuUsage().user - before) / 1_000).toBeLessThan(2_000);
});
