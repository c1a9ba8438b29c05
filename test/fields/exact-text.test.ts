import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { addressOrDomain, emailAddress } from '../../src/core/email-address.ts';
import { DAY_TEXT, EMAIL, EMAIL_OR_DOMAIN, FILLED_LINE, HTTPS_URL, INSTANT, LINE } from '../../src/fields/exact-text.ts';
import { dayText, filledLine, instantText, singleLine, zoneName } from '../../src/fields/fields.ts';
import { zoneNames } from '../../src/fields/zone-names.ts';
import { receiverUrl } from '../../src/webhooks/address-guard.ts';

/** Domains that are short enough as A-labels too, which take more. */
const isAddress = (text: string) => [...text].length <= 60;

/** Every text that the pattern generates is taken. */
function taken(pattern: string, take: (text: string) => unknown, fits = (_text: string) => true): void {
  fc.assert(
    fc.property(fc.stringMatching(new RegExp(pattern, 'u'), { maxLength: 300 }).filter(fits), (text) => {
      take(text);
    }),
    { numRuns: 300, seed: 7 },
  );
}

describe('what fits a pattern of the document is taken by the rule', () => {
  it('an address with 64 letters before the @, of whatever script, and no longer one', () => {
    for (const letter of ['a', 'ö', '醷', '𝒶']) {
      for (const [length, fits] of [
        [64, true],
        [65, false],
      ] as const) {
        const address = `${letter.repeat(length)}@example.com`;
        // No pattern has every letter.
        expect(new RegExp(EMAIL, 'u').test(address)).toBe(fits && letter !== '𝒶');
        if (fits) expect(emailAddress(address)).toBe(address);
        else expect(() => emailAddress(address)).toThrow('at most 64 before the @');
      }
    }
  });

  it('addresses', () => taken(EMAIL, emailAddress, isAddress));
  it('addresses and domains', () => taken(EMAIL_OR_DOMAIN, addressOrDomain, isAddress));
  it('lines', () => taken(LINE, (text) => singleLine(300).parse(text)));
  it('lines that are not empty', () => taken(FILLED_LINE, (text) => filledLine(300).parse(text)));
  it('instants', () => taken(INSTANT, (text) => instantText.parse(text)));
  it('days', () => taken(DAY_TEXT, (text) => expect(new Date(`${text}T00:00:00Z`).toISOString().slice(0, 10)).toBe(text)));
  it('receivers of webhooks', () => taken(HTTPS_URL, (text) => receiverUrl(text.replace(/^http:/, 'https:'), { allowPrivate: true })));
  it('time zones', () => expect(zoneNames().filter((name) => !zoneName.safeParse(name).success)).toEqual([]));
});

/** The contract: `timezone` is a "zone name". An offset is none, and an abbreviation may be several. */
describe('A time zone', () => {
  const isTaken = (text: string) => zoneName.safeParse(text).success;

  it.each(['+02:00', '-05', '+0200', 'PST', 'IST', 'ACT', 'AET', 'SystemV/EST5', 'UTC+2', 'local', ''])('is not %j', (text) =>
    expect(isTaken(text)).toBe(false));
  it.each(['europe/berlin', 'utc', 'Etc/GMT+2', 'US/Pacific'])('is %j', (text) => expect(isTaken(text)).toBe(true));
});

it.each([
  ['zoe@example.com', EMAIL],
  ['first.last+tag@mail.example.co.uk', EMAIL],
  ['jürgen@bücher.example', EMAIL],
  ['@example.com', EMAIL_OR_DOMAIN],
  ['  Ada Lovelace ', FILLED_LINE],
  ['', LINE],
  ['2026-01-31T09:00:00Z', INSTANT],
  ['2026-01-31t09:00:00.123+05:30', INSTANT],
  ['2026-01-31 09:00:00', INSTANT],
  ['https://crm.example.com:8443/hooks?key=1', HTTPS_URL],
])('%j fits its pattern', (text, pattern) => expect(text).toMatch(new RegExp(pattern, 'u')));

it.each([
  ['a@b@c.de', EMAIL],
  ['a@1.2.3.4', EMAIL],
  ['.a@example.com', EMAIL],
  ['one\ntwo', LINE],
  [' ', FILLED_LINE],
  ['2026-02-30T09:00:00Z', INSTANT],
  ['2026-01-31', INSTANT],
  ['yesterday', INSTANT],
])('%j does not fit', (text, pattern) => expect(text).not.toMatch(new RegExp(pattern, 'u')));

// "An instant on such a day": of the years 1900 to 2999. What followed from others had no form in a response: status 500, for every reader.
it.each(['0000-01-01', '0001-01-01', '1899-12-31', '3000-01-01', '9999-12-31'])('%s is no day that a request can name', (day) => {
  for (const [rule, text] of [
    [dayText('must be a day'), day],
    [instantText, `${day}T23:59:59-12:00`],
    [instantText, `${day} 23:59:59`],
  ] as const)
    expect(rule.safeParse(text).error?.issues[0]?.message).toBe('must lie in the years 1900 to 2999');
});
