import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { contactValues } from '../../src/campaigns/content/merge-values.ts';
import { findPlaceholders } from '../../src/campaigns/content/placeholders.ts';
import { render } from '../../src/campaigns/content/render.ts';

const contact = {
  name: 'Ada  King Lovelace',
  email: 'ada@engines.example',
  company: null,
  custom_fields: { colour: 'green', site: 'https://a.example/?x=1&y=2', old: 'of a deleted field' },
};
const values = contactValues(contact, ['colour', 'site', 'size']);
const plain = (template: string) => render(template, values, { escape: 'none' });
const html = (template: string, own: Record<string, string | null> = {}) =>
  render(template, { ...values, ...own }, { escape: 'html' }).text;

describe('placeholders', () => {
  it.each([
    ['{{name}}', 'Ada  King Lovelace'],
    ['{{first_name}}, {{last_name}}', 'Ada, King Lovelace'],
    ['{{email}} at {{domain}}', 'ada@engines.example at engines.example'],
    ['{{ colour }}/{{colour}}', 'green/green'],
    ['[{{company}}]', '[]'],
    ['[{{size}}]', '[]'],
    ['{{company|your company}}', 'your company'],
    ['{{ company | a | b }}', 'a | b'],
    ['{{colour|none}}', 'green'],
    ['{{company|}}', ''],
    ['a { b } {c} }}', 'a { b } {c} }}'],
    ['{{signature}}', ''],
  ])('%s gives %s', (template, text) => {
    expect(plain(template)).toEqual({ text, unknown: [] });
  });

  it.each([
    ['{{nope}} {{nope|x}} {{old}}', ['nope', 'old']],
    ['{{Name}}', ['Name']],
    ['{{first name}}', ['first name']],
    ['{{}} {{ }}', ['']],
    ['{{#if name}}x', ['#if name']],
    ['x{{else}}y{{/if}}', ['else', '/if']],
    ['{{#if}}x{{/if}}', ['#if', '/if']],
    ['{{#if nope}}x{{/if}}', ['nope']],
    ['{{nope|there}, hi', ['nope|there}, hi']],
    ['{{<b>name</b>}}', ['<b>name</b>']],
    ['{{constructor}} {{toString}} {{__proto__}}', ['constructor', 'toString', '__proto__']],
    ['Dear {{name, how are you', ['name, how are you']],
    ['{{{nope}}}', ['{nope}}}', 'nope']],
  ])('%s is unknown, whatever is in double braces: it must not go out', (template, unknown) => {
    expect(plain(template).unknown).toEqual(unknown);
    expect(findPlaceholders(template)).toEqual(unknown);
  });

  it('are found once each, in order, without the signature', () => {
    expect(findPlaceholders('{{b}} {{a|x}} {{signature}} {{b}}')).toEqual(['b', 'a']);
  });

  it('a value that looks like a placeholder stays as it is: one pass', () => {
    expect(render('{{name}}', { name: '{{email}}', email: 'x' }, { escape: 'none' })).toEqual({ text: '{{email}}', unknown: [] });
    expect(html('{{name}}', { name: '$& $1' })).toBe('$&amp; $1');
  });

  it('nothing in double braces is left of a rendering without unknown keys, and nothing of a value is HTML', () => {
    fc.assert(
      fc.property(fc.string(), fc.array(fc.constantFrom('{{', '}}', 'name', '|', ' ', 'x', '{', '}', '<', 'company')), (value, parts) => {
        const { text, unknown } = render(parts.join(''), { name: value.replaceAll('{', ''), company: null }, { escape: 'html' });
        if (unknown.length === 0) expect(text).not.toContain('{{');
        const { text: merged } = render('<p title="{{name}}">{{name}}</p>', { name: value }, { escape: 'html' });
        expect(merged.match(/[<>"]/g)?.join('')).toBe('<""><>');
      }),
    );
  });
});

describe('values in HTML', () => {
  it('are escaped in text and in attributes; fallbacks are HTML of the author', () => {
    expect(html('<p title="{{name}}">{{name}}</p>', { name: `<b>"O'Neil" & Co` })).toBe(
      '<p title="&lt;b&gt;&quot;O&#39;Neil&quot; &amp; Co">&lt;b&gt;&quot;O&#39;Neil&quot; &amp; Co</p>',
    );
    expect(html('{{company|<i>Tom &amp; Co</i>}}')).toBe('<i>Tom &amp; Co</i>');
  });

  it.each([
    ['https://a.example/?x=1&y=2', 'https://a.example/?x=1&amp;y=2'],
    ['HTTP://a.example/ü b', 'HTTP://a.example/%C3%BC%20b'],
    ['https://a.example/a%20b', 'https://a.example/a%20b'],
    ['mailto:x@a.example', 'mailto:x@a.example'],
    ['tel:+49301234', 'tel:+49301234'],
    ['a.example/path', 'https://a.example/path'],
    ['a.example:8080', 'https://a.example:8080'],
    ['javascript:alert(1)', '#'],
    [' JavaScript:alert(1)', '#'],
    ['data:text/html,x', '#'],
    ['vbscript:x', '#'],
    ['java\tscript:alert(1)', 'https://java%09script:alert(1)'],
    ['"><script>', 'https://%22%3E%3Cscript%3E'],
    ['', ''],
  ])('as the whole of a link, %j becomes %s', (value, link) => {
    expect(html('<a href="{{site}}">x</a>', { site: value })).toBe(`<a href="${link}">x</a>`);
    expect(html("<a class=b HREF = '{{site}}'>", { site: value })).toBe(`<a class=b HREF = '${link}'>`);
    expect(html('<a href={{site}}>', { site: value })).toBe(`<a href=${link}>`);
  });

  it('inside a link they stay inside of their part of it', () => {
    const name = 'a b&c=d#e/f?g';
    expect(html('<a href="https://x.example/{{name}}/y">', { name })).toBe('<a href="https://x.example/a%20b&amp;c=d#e/f?g/y">');
    expect(html('<a href="https://x.example/?n={{name}}&m=1">', { name })).toBe(
      '<a href="https://x.example/?n=a%20b%26c%3Dd%23e%2Ff%3Fg&m=1">',
    );
    expect(html('<a href="mailto:{{email}}">{{name}}</a>', { name: 'javascript:x' })).toBe(
      '<a href="mailto:ada@engines.example">javascript:x</a>',
    );
    expect(html('<a href="x">{{site}}</a> {{site}}')).toBe('<a href="x">https://a.example/?x=1&amp;y=2</a> https://a.example/?x=1&amp;y=2');
  });
});

describe('{{signature}}', () => {
  it('is the HTML of the signature, merged too; its unknown placeholders count only where it is used', () => {
    const options = { escape: 'html', signatureHtml: '<b>{{name}}</b>{{nope}}{{signature}}' } as const;
    expect(render('Hi {{signature}}', { name: '<' }, options)).toEqual({ text: 'Hi <b>&lt;</b>{{nope}}', unknown: ['nope'] });
    expect(render('Hi', { name: '<' }, options)).toEqual({ text: 'Hi', unknown: [] });
  });

  it.each([
    ['<p title={{name}}>', 'a onclick=x', '<p title=a&#32;onclick&#61;x>'],
    ['<p {{name}}>', 'onclick=x', '<p onclick&#61;x>'],
    ['<p/{{name}}>', '/onclick', '<p/&#47;onclick>'],
    ['<p title="{{name}}">', 'a onclick=x', '<p title="a onclick=x">'],
    ['<a title="a<b" href="{{name}}">', 'javascript:x', '<a title="a<b" href="#">'],
    ['<button formaction="{{name}}">', 'javascript:x', '<button formaction="#">'],
    ['<button formaction={{name}}>', 'data:x', '<button formaction=#>'],
    ['<object data="{{name}}"><video poster="{{name}}">', 'javascript:x', '<object data="#"><video poster="#">'],
    ['<svg><a xlink:href="{{name}}">', 'javascript:x', '<svg><a xlink:href="#">'],
    ['<a href={{name}}>', 'a.example onclick=x', '<a href=https://a.example%20onclick=x>'],
  ])('in %s, %s can’t become an attribute or a script', (template, name, result) => {
    expect(html(template, { name })).toBe(result);
  });
});
