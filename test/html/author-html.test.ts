import { describe, expect, it } from 'vitest';
import { checkAuthorHtml } from '../../src/html/author-html.ts';
import { withoutUnsafeLinks } from '../../src/html/link-targets.ts';
import { markupProblem } from '../../src/html/markup-limits.ts';
import { processorTime } from '../support/processor-time.ts';

const check = (html: string) => () => checkAuthorHtml('body_html', html);

describe('links of an author', () => {
  it.each([
    '<a href="https://a.example/?x=data:1">x</a>',
    '<a href="HTTP://a.example">x</a>',
    '<a href="mailto:a@b.example">x</a><a href=tel:+49>x</a>',
    '<a href="#top">x</a><a href="/relative">x</a><a href="page.html">x</a><a href="">x</a>',
    '<a href="{{site}}">x</a><a href="{{site|https://a.example/}}">x</a>',
    '<img src="data:image/png;base64,AAAA"><img src="cid:logo">',
    '<!-- <a href="javascript:x"> --><p title="javascript:x">javascript:x</p>',
  ])('may be %s', (html) => {
    expect(check(html)).not.toThrow();
  });

  it.each([
    ['<a href="javascript:alert(1)">x</a>', 'javascript:alert(1)'],
    ["<a class=b HREF = ' JavaScript:x'>x</a>", 'JavaScript:x'],
    ['<a href=javascript:x>x</a>', 'javascript:x'],
    ['<!--[if mso]><a href="javascript:x">x</a><![endif]-->', 'javascript:x'],
    ['<a href="java&#x73;cript:x">x</a>', 'javascript:x'],
    ['<a href="java\tscript&colon;x">x</a>', 'javascript:x'],
    ['<a href="data:text/html,x">x</a>', 'data:text/html,x'],
    ['<a href="file:///etc/passwd">x</a>', 'file:///etc/passwd'],
    ['<area href="vbscript:x">', 'vbscript:x'],
    ['<form action="javascript:x"><button formaction="data:x">x</button></form>', 'javascript:x'],
    ['<button formaction="data:x">x</button>', 'data:x'],
    ['<svg><a xlink:href="javascript:x">x</a></svg>', 'javascript:x'],
    ['<a href="{{site|javascript:x}}">x</a>', 'javascript:x}}'],
    ['<a href="a.example:8080/x">x</a>', 'a.example:8080/x'],
  ])('%s is refused: only http, https, mailto and tel are targets', (html, target) => {
    expect(check(html)).toThrow(`body_html: a link goes to "${target}"; use http, https, mailto or tel`);
  });
});

describe('links of an email', () => {
  it('that are unsafe after merging lead nowhere; the rest of the document keeps its bytes', () => {
    const html = (link: string, other: string) =>
      `<P>a<A HREF=${link} class=x>b</A> <form action=${other}><a href='https://a.example/?a=1&amp;b'>c</a>`;
    expect(withoutUnsafeLinks(html('java&#115;cript:x', '"data:x"'))).toBe(html('"#"', '"#"').replace('HREF', 'href'));
    const safe = html('"MAILTO:a@b.example"', '"//a.example"');
    expect(withoutUnsafeLinks(safe)).toBe(safe);
  });
});

describe('the markup of an author', () => {
  it('may be as large as an email ever is: nested tables, lists and paragraphs without end tags', () => {
    const table = (inside: string) => `<table><tbody><tr><td>${inside}</td></tr></tbody></table>`;
    let html = '<p>Hello<br>there<li>one<li>two';
    for (let depth = 0; depth < 60; depth++) html = table(html);
    expect(markupProblem(`<html><body>${html.repeat(5)}${'<p>x<br><img src=x>'.repeat(3_000)}</body></html>`)).toBeNull();
  });

  it.each([
    [
      `<p>${Array.from({ length: 3_000 }, (_, id) => `<b id=${id}>`).join('')}</p>${'<p>x'.repeat(3_000)}`,
      'nests HTML tags more than 200 levels deep',
    ],
    ['<div>'.repeat(201), 'nests HTML tags more than 200 levels deep'],
    ['<b></b>'.repeat(10_001), 'has more than 20,000 HTML tags'],
    ['<br>'.repeat(20_001), 'has more than 20,000 HTML tags'],
  ])('is refused when it costs parsers more than its length: %s', (html, problem) => {
    const { milliseconds } = processorTime(() => expect(check(html)).toThrow(`body_html: ${problem}`));
    expect(milliseconds).toBeLessThan(500);
  });
});
