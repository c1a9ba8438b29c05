import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { alwaysContains } from '../../src/campaigns/content/choose.ts';
import { placeholdersOf } from '../../src/campaigns/content/placeholders.ts';
import { render } from '../../src/campaigns/content/render.ts';
import { renderStep } from '../../src/campaigns/content/render-step.ts';
import { blocksOf } from '../support/docs.ts';

const VALUES = { name: 'Ada', company: null, site: 'a.example', city: '{x|y}' };

const merged = (template: string, seed = '') => render(template, VALUES, { spintax: true, escape: 'none', seed }).text;

/** Lists all texts that a template becomes for a hundred recipients. */
const outcomes = (template: string, escaping: 'html' | 'none' = 'none') =>
  [
    ...new Set(
      Array.from({ length: 100 }, (_, seed) => render(template, VALUES, { spintax: true, escape: escaping, seed: `${seed}` }).text),
    ),
  ].sort();

describe('choices: {a|b|c} takes one of its texts', () => {
  it.each([
    '{a|b}',
    'a \\{b\\|c\\} {d}',
    '{a|{{name}}}',
    '{{{name}}}',
    '{{name|{a|b}}}',
    '{{#if name}}{a|b}{{/if}}',
  ])('where the campaign does not ask for that, they are text as before: %s', (template) => {
    const text = template.replace('{{#if name}}', '').replace('{{/if}}', '').replace('{{name}}', 'Ada');
    expect(render(template, VALUES, { escape: 'none' }).text).toBe(text);
  });

  it.each([
    ['{a|b|c}', ['a', 'b', 'c']],
    ['{Hi|Hello} {{name}}', ['Hello Ada', 'Hi Ada']],
    ['{Hi {{name}}|Hello}', ['Hello', 'Hi Ada']],
    ['{{{name}}|you}', ['Ada', 'you']],
    ['{a|{b|c}d}', ['a', 'bd', 'cd']],
    ['{{a|b}c|d}', ['ac', 'bc', 'd']],
    ['{|x}', ['', 'x']],
    ['{a\\|b|\\{c\\}}', ['a|b', '{c}']],
    ['{{city}} {a|a}', ['{x|y} a']],
    ['{{#if name}}{a|b}{{else}}{c|d}{{/if}}', ['a', 'b']],
    ['{{{#if company}}x{{else}}y{{/if}}|z}', ['y', 'z']],
    ['{a{{#if name}}|{{/if}}|b}', ['a|', 'b']],
  ])('%s becomes one of %j', (template, texts) => {
    expect(outcomes(template)).toEqual(texts);
    expect(render(template, VALUES, { spintax: true, escape: 'none' }).unknown).toEqual([]);
  });

  it.each([
    ['a { b } {c} }}', 'a { b } {c} }}'],
    ['a | b', 'a | b'],
    ['{a|b', '{a|b'],
    ['a|b}', 'a|b}'],
    ['\\{a|b}', '{a|b}'],
    ['\\{\\{name}}', '{{name}}'],
    ['C:\\{{name}} \\| \\}', 'C:\\Ada \\| \\}'],
  ])('%s is text: %s', (template, text) => {
    expect(outcomes(template)).toEqual([text]);
  });

  it('braces of style and script elements are theirs', () => {
    const style = '<style>a{content:"|"} @media x{b|c{}}</style>';
    expect(outcomes(`${style}{a|b}<p>{{name}}</p>`, 'html')).toEqual([`${style}a<p>Ada</p>`, `${style}b<p>Ada</p>`]);
    expect(outcomes('<style>p{color:{{name}}|}</style>', 'html')).toEqual(['<style>p{color:Ada|}</style>']);
  });

  it('a value is made safe for the place that it has in what is taken', () => {
    expect(outcomes('<a href="{https://x.example/?q={{city}}|{{site}}}">x</a>', 'html')).toEqual([
      '<a href="https://a.example">x</a>',
      '<a href="https://x.example/?q=%7Bx%7Cy%7D">x</a>',
    ]);
  });

  it('is stable for one contact and step, differs between contacts, and takes each text as often', () => {
    const email = (contactId: number, stepOrder: number) => {
      const content = { subject: '{a|b|c|d}', subject_b: null, body_html: '{a|b|c|d}', body_html_b: null };
      const parts = { step: content, opening: content, isB: false, contactId, stepOrder, values: VALUES };
      return renderStep({ ...parts, spintax: true, signatureHtml: null, footerHtml: null, threadSubject: null });
    };
    expect(email(7, 2)).toEqual(email(7, 2));
    const counts = new Map<string, number>();
    for (let contact = 1; contact <= 4_000; contact++) {
      const text = `${email(contact, 1).subject}${email(contact, 1).html}${email(contact, 2).html}`;
      counts.set(text, (counts.get(text) ?? 0) + 1);
    }
    // 64 outcomes with 62.5 expected for each; six standard deviations.
    expect(counts.size).toBe(64);
    expect(Math.min(...counts.values())).toBeGreaterThan(62.5 - 6 * 8);
    expect(Math.max(...counts.values())).toBeLessThan(62.5 + 6 * 8);
    // A follow-up that opens a thread has the subject that the first email would have.
    expect(email(7, 3).subject).toBe(email(7, 1).subject);
  });
});

describe('conditions: {{#if key}}…{{else}}…{{/if}}', () => {
  it.each([
    ['{{#if name}}yes{{/if}}', 'yes'],
    ['[{{#if company}}yes{{/if}}]', '[]'],
    ['{{#if company}}yes{{else}}no{{/if}}', 'no'],
    ['{{ #if name }}a{{ else }}b{{ /if }}', 'a'],
    ['{{#if name}}{{#if company}}a{{else}}b{{/if}}c{{else}}d{{/if}}', 'bc'],
    ['{{#if company}}{{#if name}}a{{else}}b{{/if}}{{else}}d{{/if}}', 'd'],
    ['{{#if signature}}a{{else}}b{{/if}}', 'b'],
  ])('%s gives %s', (template, text) => {
    expect(merged(template)).toBe(text);
  });

  it('docs/templates.md shows one', () => {
    const [{ text = '' } = {}] = blocksOf('docs/templates.md', 'text');
    const to = (company: string | null) => render(text.trim(), { company }, { spintax: true, escape: 'none' }).text;
    expect([to('Acme'), to(null)]).toEqual(['How are things at Acme?', 'How are things?']);
  });

  it('an unknown key holds the email even in a text that is not taken', () => {
    expect(render('{{#if company}}{{nope}}{{/if}}', VALUES, { spintax: true, escape: 'none' }).unknown).toEqual(['nope']);
  });

  it('what is not closed holds the email, and says so', () => {
    const fault = (body_html: string) => {
      const content = { subject: '', subject_b: null, body_html, body_html_b: null };
      const email = { step: content, opening: content, isB: false, contactId: 1, stepOrder: 1, values: VALUES };
      return renderStep({ ...email, spintax: true, signatureHtml: null, footerHtml: null, threadSubject: null }).fault;
    };
    expect(fault('{{#if name}}x')).toBe('{{#if name}} without its {{/if}}');
    expect(fault('x{{/if}}')).toBe('{{/if}} without its {{#if key}}');
    expect(fault('{{#if name}}a{{else}}b{{else}}c{{/if}}')).toBe('{{else}} without its {{#if key}}');
  });

  it('a placeholder needs no fallback where its condition says that it has a value', () => {
    const optional = (text: string) => placeholdersOf(text).map(({ key, isOptional }) => `${key} ${isOptional}`);
    expect(optional('{{#if a}}{{a}}{{b}}{{else}}{{a}}{{/if}}{{a}}')).toEqual(['a true', 'a true', 'b false', 'a false', 'a false']);
  });
});

describe('what is in every outcome', () => {
  it.each([
    ['{{x}}', true],
    ['{{{x}}|{{x}}}', true],
    ['{{{x}}|b}', false],
    ['{{#if a}}{{x}}{{/if}}', false],
    ['{{#if a}}{{x}}{{else}}{b|{{x}}}{{/if}}', false],
    ['{{#if a}}{{x}}{{else}}<p>{{x}}{{/if}}', true],
    ['{a|b}{{x}}', true],
  ])('%s: %s', (template, isAlways) => {
    expect(alwaysContains(template, (key) => key === 'x')).toBe(isAlways);
  });
});

it('nothing of the notation is left of an email that may go out', () => {
  const parts = fc.constantFrom(
    '{{',
    '}}',
    'name',
    'company',
    '{',
    '}',
    '|',
    'x',
    '{{#if name}}',
    '{{#if company}}',
    '{{else}}',
    '{{/if}}',
  );
  fc.assert(
    fc.property(fc.array(parts, { maxLength: 30 }), fc.string(), (template, seed) => {
      const { text, unknown } = render(template.join(''), VALUES, { spintax: true, escape: 'html', seed });
      if (unknown.length === 0) expect(text).not.toMatch(/\{\{|#if|\/if/);
    }),
    { numRuns: 2_000 },
  );
});
