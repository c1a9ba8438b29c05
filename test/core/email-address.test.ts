import { domainToASCII, domainToUnicode } from 'node:url';
import { array, assert, constantFrom, property, tuple } from 'fast-check';
import { expect, it } from 'vitest';
import { emailAddress } from '../../src/core/email-address.ts';

/** RFC 5321 §4.1.2 without quoted strings, RFC 6532, and a domain that DNS can have. */
function isAddress(text: string): boolean {
  const [, local = '', domain = ''] = /^(.*)@([^@]*)$/su.exec(text) ?? [];
  return (
    local.split('.').every((atom) => /^[^\s"(),:;<>@[\\\]\p{Cc}]+$/u.test(atom)) &&
    domain.split('.').every((label) => /^[\p{L}\p{N}-]{1,63}$/u.test(label) && !label.startsWith('-') && !label.endsWith('-')) &&
    domainToUnicode(domainToASCII(domain))
      .split('.')
      .every((label) => /^.{1,63}$/u.test(label)) &&
    [...local].length <= 64 &&
    [...text].length <= 254
  );
}

const accepts = (text: string) => {
  try {
    return emailAddress(text) !== '';
  } catch {
    return false;
  }
};

it('takes what the rules of addresses allow, and nothing else', () => {
  const parts = (...some: string[]) => array(constantFrom(...some, 'a', 'Z', '0', '.', '-'), { maxLength: 9 }).map((all) => all.join(''));
  const locals = parts('+', "'", '{', 'é', ' ', '(', '"', '@', 'm'.repeat(30));
  const domains = parts('.', 'xn--', 'xn--zca', '0x1', '1.2.3.4', '256', '_', 'ß', 'İ', 'ſ', 'n'.repeat(31), 'com');
  const texts = tuple(locals, constantFrom('@', '@', '@', ''), domains).map((all) => all.join(''));
  assert(
    property(texts, (text) => {
      expect(accepts(text)).toBe(isAddress(text.trim()));
    }),
    { numRuns: 20_000 },
  );
});

it.each([
  'ada@example.com',
  "o'neil+news@mail-1.example.co.uk",
  'a@localhost',
  'zoë@exämple.de',
  'a@xn--exmple-cua.de',
  '=1@b.c',
])('takes %s, trimmed', (address) => {
  expect(emailAddress(` ${address}\n`)).toBe(address);
});

it.each([
  'a@1.2.3.4',
  'a@b.256',
  'a@b.0x1',
  'a@xn--a.de',
  'a@-b.c',
  'a.@b.c',
  '.a@b.c',
  'a..b@c.d',
  'a@b',
  `${'l'.repeat(65)}@b.c`,
])('compares %s with the rules', (address) => {
  expect(accepts(address)).toBe(isAddress(address));
});
