import { describe, expect, it } from 'vitest';
import { textOfHtml } from '../../../src/mail/classify/html-text.ts';

const text = (html: string) => textOfHtml(html, 100_000);

describe('the text of an HTML body', () => {
  it.each<[name: string, html: string, text: string]>([
    ['white space is one space', '<p>Yes,\n   let us\t talk</p>', 'Yes, let us talk'],
    ['inline elements do not part words', 'un<b>sub</b>scribe <i>me</i>', 'unsubscribe me'],
    ['blocks stand on lines of their own', '<div>one</div><div>two</div>three', 'one\ntwo\nthree'],
    ['paragraphs have a blank line between them', '<p>one</p><p>two</p>', 'one\n\ntwo'],
    ['each break counts', 'one<br>two<br><br>three', 'one\ntwo\n\nthree'],
    ['cells of a row are words of a line', '<table><tr><td>a</td><td>b</td></tr><tr><td>c</td></tr></table>', 'a b\nc'],
    ['items have a mark', '<ul><li>a</li><li>b</li></ul>', '* a\n* b'],
    [
      'lines of a quotation are marked, also inside another',
      '<p>own</p><blockquote>a<br>b<blockquote>c</blockquote></blockquote>',
      'own\n\n> a\n> b\n>\n> > c',
    ],
    ['the end of a quotation is seen', '<blockquote>a</blockquote>own', '> a\n\nown'],
    ['preformatted text keeps its lines', '<pre>a\n  b</pre>', 'a\n  b'],
    ['entities are decoded, also broken ones', 'R&amp;D &lt;ada&gt; &eacute; &#8364; &nope; &', 'R&D <ada> é € &nope; &'],
    ['what nobody sees is left out', '<head><title>t</title><style>p{}</style></head><script>x</script><!-- c -->own', 'own'],
    ['a link is its text', '<a href="https://example.com/">here</a><img src="x" alt="logo">', 'here'],
    ['a rule is a line', 'own<hr>footer', `own\n${'-'.repeat(40)}\nfooter`],
    ['nothing', '', ''],
  ])('%s', (_, html, expected) => {
    expect(text(html)).toBe(expected);
  });

  it('broken HTML gives what is there', () => {
    expect(text('<div><p>one</b></div>two</p></blockquote>three<table><td>x')).toMatch(/^one\n+two\n+three\nx$/);
    expect(text('one <b two="')).toBe('one');
    expect(text('<html><head><title>t</title><body>own')).toBe('own');
  });

  it('is cut to the length asked for, and takes time in proportion to the HTML', () => {
    expect(textOfHtml('<p>word</p>'.repeat(10_000), 1_000).length).toBeLessThan(1_010);
    const begin = process.cpuUsage();
    for (const piece of ['<blockquote>a', '<div>', '</div>', '<', '&', '<br>', '<pre>a\n', '<li>']) text(piece.repeat(20_000));
    const { user, system } = process.cpuUsage(begin);
    expect((user + system) / 1_000_000).toBeLessThan(4);
  });
});
