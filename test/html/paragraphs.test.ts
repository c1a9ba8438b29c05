import { expect, it } from 'vitest';
import { paragraphsOf } from '../../src/html/paragraphs.ts';

it.each([
  ['a\nb', '<p>a<br>\nb</p>'],
  ['a  \t\r\n  b', '<p>a<br>\n  b</p>'],
  ['a\n \t\n\n  b\n', '<p>a</p>\n<p>b</p>'],
  ['  \n\n a < b', '<p>a &lt; b</p>'],
  ['see https://example.com/x.', '<p>see <a href="https://example.com/x">https://example.com/x</a>.</p>'],
  ['', '<p></p>'],
])('%j', (text, html) => {
  expect(paragraphsOf(text)).toBe(html);
});

it('takes time in proportion to the text', () => {
  const before = process.cpuUsage().user;
  for (const pump of [' ', '\n', ' \n', '\t ', 'http://', 'http://.']) paragraphsOf(`a${pump.repeat(180_000 / pump.length)}b`);
  expect((process.cpuUsage().user - before) / 1_000).toBeLessThan(2_000);
});
