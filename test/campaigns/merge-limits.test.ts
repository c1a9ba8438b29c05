import { describe, expect, it } from 'vitest';
import { alwaysContains } from '../../src/campaigns/content/choose.ts';
import { placeholdersOf } from '../../src/campaigns/content/placeholders.ts';
import { MAX_MERGED, render } from '../../src/campaigns/content/render.ts';
import { renderStep } from '../../src/campaigns/content/render-step.ts';
import { textOf } from '../../src/mail/text-alternative.ts';
import { rewriteLinks } from '../../src/tracking/rewrite.ts';
import { processorTime } from '../support/processor-time.ts';

/** As much as a step of 256 KiB can contain. */
const SOURCE_LENGTH = 52_000;
const QUOTES = '"'.repeat(10_000);

const step = (body_html: string, values: Record<string, string>, signatureHtml: string | null = null) => {
  const content = { subject: 'S', subject_b: null, body_html, body_html_b: null };
  const email = { step: content, opening: content, isB: false, stepOrder: 1, contactId: 1 };
  return renderStep({ ...email, values, spintax: true, signatureHtml, footerHtml: null, threadSubject: null });
};

describe('merging', () => {
  it('stops at 2 MiB, whatever the values: 52,000 placeholders of a field of 10,000 quotes', () => {
    const { result, milliseconds } = processorTime(() => render('{{a}}'.repeat(SOURCE_LENGTH), { a: QUOTES }, { escape: 'html' }));
    expect(result.isTooLarge).toBe(true);
    expect(result.text.length).toBeLessThan(MAX_MERGED + 100_000);
    expect(milliseconds).toBeLessThan(2_000);
  });

  it('counts the signature each time, and its own values', () => {
    const { result } = processorTime(() => step('{{signature}}'.repeat(20_000), { a: QUOTES }, '{{a}}'));
    expect(result.fault).toBe('the email is larger than 2 MiB with its values');
    expect(result.html.length).toBeLessThan(MAX_MERGED + 100_000);
  });

  it('counts bytes of UTF-8, not characters', () => {
    expect(render('{{a}}'.repeat(100), { a: '€'.repeat(10_000) }, { escape: 'html' }).isTooLarge).toBe(true);
    expect(render('{{a}}'.repeat(100), { a: 'e'.repeat(10_000) }, { escape: 'html' }).isTooLarge).toBeUndefined();
  });

  it('costs time that is linear in the length: 256 KiB of placeholders in one link', () => {
    const link = (count: number) => `<a href="${'{{a}}'.repeat(count)}">x</a>`;
    render(link(1_000), { a: 'x' }, { escape: 'html' });
    const { result, milliseconds } = processorTime(() => render(link(SOURCE_LENGTH), { a: 'x' }, { escape: 'html' }));
    expect(result.text).toBe(`<a href="https://${'x'.repeat(SOURCE_LENGTH)}">x</a>`);
    expect(milliseconds).toBeLessThan(1_000);
  });

  it.each([
    ['{a|'],
    ['{'],
    ['{a|b}'],
    ['|'],
    ['}'],
    ['{{#if a}}'],
    ['{{#if a}}{'],
    ['{{#if a}}{{else}}{{/if}}'],
    ['\\{'],
    ['<style>{'],
    ['{{{'],
  ])('choices and conditions cost time that is linear in the length: 256 KiB of %s', (part) => {
    const template = part.repeat((256 * 1024) / part.length);
    expect(processorTime(() => render(template, { a: 'x' }, { escape: 'html' })).milliseconds).toBeLessThan(1_000);
    expect(processorTime(() => placeholdersOf(template)).milliseconds).toBeLessThan(1_000);
    expect(processorTime(() => alwaysContains(template, (key) => key === 'a')).milliseconds).toBeLessThan(1_000);
  });

  it('names the first of many unknown placeholders, and the beginning of a long one', () => {
    const many = Array.from({ length: 20_000 }, (_, index) => `{{x${index}}}`).join('');
    expect(step(many, {}).fault).toBe('unknown placeholder {{x0}}, {{x1}}, {{x2}}, {{x3}}, {{x4}} and 19995 more');
    expect(step(`{{${'y'.repeat(200_000)}}}`, {}).fault).toBe(`unknown placeholder {{${'y'.repeat(60)}…}}`);
  });

  it('holds an email whose markup is too much for readers, with the reason', () => {
    const bomb = `<p>${Array.from({ length: 3_000 }, (_, id) => `<b id=${id}>`).join('')}</p>${'<p>x'.repeat(3_000)}`;
    expect(step(bomb, {}).fault).toBe('the email nests HTML tags more than 200 levels deep');
    expect(step('{{signature}}'.repeat(300), {}, '<b>').fault).toBe('the email nests HTML tags more than 200 levels deep');
  });
});

describe('what is made of the HTML afterwards', () => {
  const bomb = `<p>${Array.from({ length: 3_000 }, (_, id) => `<b id=${id}>`).join('')}</p>${'<p>x'.repeat(3_000)}`;

  it('links are rewritten without a tree, each once', () => {
    const { result, milliseconds } = processorTime(() => rewriteLinks(`${bomb}<a href="https://a.example/">x</a>`, () => 'T'));
    expect(result.endsWith('<a href="T">x</a>')).toBe(true);
    expect(milliseconds).toBeLessThan(1_000);
    // The parser of a browser copies an open link into the next paragraph.
    expect(rewriteLinks('<p><a href="https://a.example/">x</p><p>y</a>', () => 'T')).toBe('<p><a href="T">x</p><p>y</a>');
  });

  it.each([
    ['<li><dd>'],
    ['<b>'],
    ['<blockquote>x'],
    ['<ul><li>'],
  ])('the text part of %s nested 5,000 times is cut, not an error', (tag) => {
    expect(() => textOf(`${tag.repeat(5_000)}x`)).not.toThrow();
  });
});
