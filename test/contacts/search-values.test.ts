import { describe, expect, it } from 'vitest';
import type { Term } from '../../src/contacts/search/ast.ts';
import { integersOf } from '../../src/contacts/search/numbers.ts';
import { parse } from '../../src/contacts/search/parse.ts';
import { patternOf } from '../../src/contacts/search/patterns.ts';
import { spanOf } from '../../src/contacts/search/spans.ts';

const NOW = new Date('2026-03-31T15:30:00.500Z');

const readValue = (written: string) => {
  const [value] = (parse(`x:${written}`) as Term).values;
  if (value === undefined) throw new Error('no value');
  return value;
};
const iso = (milliseconds: number | null) => (milliseconds === null ? null : new Date(milliseconds).toISOString().replace('.000Z', 'Z'));
const span = (written: string) => {
  const { from, to } = spanOf('created', readValue(written), NOW);
  return [iso(from), iso(to)];
};

describe('dates', () => {
  it.each([
    ['2026-01-31', '2026-01-31T00:00:00Z', '2026-02-01T00:00:00Z'],
    ['=2026-01-31', '2026-01-31T00:00:00Z', '2026-02-01T00:00:00Z'],
    ['"2026-01-31"', '2026-01-31T00:00:00Z', '2026-02-01T00:00:00Z'],
    ['>2026-01-31', '2026-02-01T00:00:00Z', null],
    ['>=2026-01-31', '2026-01-31T00:00:00Z', null],
    ['<2026-01-31', null, '2026-01-31T00:00:00Z'],
    ['<=2026-01-31', null, '2026-02-01T00:00:00Z'],
    ['2024-02-29', '2024-02-29T00:00:00Z', '2024-03-01T00:00:00Z'],
    ['today', '2026-03-31T00:00:00Z', '2026-04-01T00:00:00Z'],
    ['Yesterday', '2026-03-30T00:00:00Z', '2026-03-31T00:00:00Z'],
    ['>=yesterday', '2026-03-30T00:00:00Z', null],
  ])('%s means whole UTC days', (written, from, to) => expect(span(written)).toEqual([from, to]));

  it.each([
    ['>2026-01-31T10:00:00Z', '2026-01-31T10:00:01Z', null],
    ['>=2026-01-31T10:00:00+02:00', '2026-01-31T08:00:00Z', null],
    ['<2026-01-31t10:00:00z', null, '2026-01-31T10:00:00Z'],
    ['<=2026-01-31T10:00:00.25Z', null, '2026-01-31T10:00:00.251Z'],
    ['=2026-01-31T10:00:00Z', '2026-01-31T10:00:00Z', '2026-01-31T10:00:01Z'],
    ['2026-01-31T23:30:00-01:00', '2026-02-01T00:00:00Z', '2026-02-02T00:00:00Z'],
  ])('%s is exact with an operator and its UTC day without', (written, from, to) => expect(span(written)).toEqual([from, to]));

  /** The decision about timestamps: where a parameter takes a time, it takes RFC 3339 and the API's own format. */
  it.each([
    ['>"2026-01-31 10:00:00"', '2026-01-31T10:00:01Z', null],
    ['"2026-01-31 10:00:00"', '2026-01-31T00:00:00Z', '2026-02-01T00:00:00Z'],
    ['"2026-01-31 10:00:00"..*', '2026-01-31T10:00:00Z', null],
  ])('%s is a time as a response has it', (written, from, to) => expect(span(written)).toEqual([from, to]));

  it.each([
    ['>=7d', '2026-03-24T15:30:00.500Z', null],
    ['<2w', null, '2026-03-17T15:30:00.500Z'],
    ['>=1m', '2026-02-28T15:30:00.500Z', null],
    ['>=1Y', '2025-03-31T15:30:00.500Z', null],
    ['>0d', '2026-03-31T15:30:00.501Z', null],
    ['7d', '2026-03-24T00:00:00Z', '2026-03-25T00:00:00Z'],
  ])('%s is an age: that instant ago, and its UTC day without an operator', (written, from, to) =>
    expect(span(written)).toEqual([from, to]));

  it.each([
    ['2026-01-01..2026-01-31', '2026-01-01T00:00:00Z', '2026-02-01T00:00:00Z'],
    ['2026-01-01..*', '2026-01-01T00:00:00Z', null],
    ['*..yesterday', null, '2026-03-31T00:00:00Z'],
    ['30d..7d', '2026-03-01T15:30:00.500Z', '2026-03-24T15:30:00.501Z'],
    ['*..*', null, null],
  ])('%s is a range with both ends', (written, from, to) => expect(span(written)).toEqual([from, to]));

  it.each([
    '2026-13-01',
    '2026-02-29',
    '2026-1-1',
    '0000-01-01',
    'tomorrow',
    '7',
    '7h',
    '2026y',
    '999999d',
    '2026-01-31T10:00:00',
    '2026-01-31T24:00:00Z',
    '2026-01-31T10:00Z',
    '2026-02-30T10:00:00Z',
    '12.01.2026',
    '"2026-01-31 24:00:00"',
    '"2026-02-30 10:00:00"',
  ])('%s is malformed', (written) =>
    expect(() => span(written)).toThrow(
      `malformed date "${written.replaceAll('"', '')}" for created; use YYYY-MM-DD, RFC 3339, or an age such as 7d`,
    ));

  it('a range that runs backwards is refused, since it could match nothing', () => {
    expect(() => span('7d..30d')).toThrow('the range 7d..30d for created runs backwards');
    expect(() => span('2026-02-01..2026-01-31')).toThrow('runs backwards');
  });
});

describe('integers', () => {
  const MAX = 2 ** 31 - 1;
  const NONE = { from: 1, to: 0 };
  it.each([
    ['5', { from: 5, to: 5 }],
    ['=5', { from: 5, to: 5 }],
    ['+5.0', { from: 5, to: 5 }],
    ['5.5', NONE],
    ['>5', { from: 6, to: MAX }],
    ['>5.5', { from: 6, to: MAX }],
    ['>=5.5', { from: 6, to: MAX }],
    ['<5', { from: -(2 ** 31), to: 4 }],
    ['<5.5', { from: -(2 ** 31), to: 5 }],
    ['<=5', { from: -(2 ** 31), to: 5 }],
    ['2..4', { from: 2, to: 4 }],
    ['1.5..1.7', NONE],
    ['2..*', { from: 2, to: MAX }],
    ['99999999999999999999', NONE],
    ['<=99999999999999999999', { from: -(2 ** 31), to: MAX }],
    ['>1e300', NONE],
    ['<-1e300', NONE],
  ])('%s', (written, range) => expect(integersOf('step', readValue(written))).toEqual(range));

  it('anything else is no number', () => {
    for (const text of ['abc', '1x', '0x10', '1e9999', 'NaN', 'Infinity', '１'])
      expect(() => integersOf('step', readValue(text))).toThrow(`"${text}" is not a number for step`);
    expect(() => integersOf('step', readValue('4..2'))).toThrow('the range 4..2 for step runs backwards');
  });
});

describe('text', () => {
  const pattern = (written: string, wholly = false) => {
    const { literal, anythingBefore, anythingAfter } = patternOf('name', readValue(written), wholly);
    return `${anythingBefore ? '…' : ''}${literal}${anythingAfter ? '…' : ''}`;
  };

  it('is a substring, whole with =, and fixed at the end that has no * when bare', () => {
    expect(pattern('ada')).toBe('…ada…');
    expect(pattern('=ada')).toBe('ada');
    expect(pattern('="ada l"')).toBe('ada l');
    expect(pattern('ada*')).toBe('ada…');
    expect(pattern('*ada')).toBe('…ada');
    expect(pattern('*ada*')).toBe('…ada…');
    expect(pattern('"ada*"')).toBe('…ada*…');
    expect(pattern('a*a')).toBe('…a*a…');
    expect(pattern('**')).toBe('……');
  });

  it('fields that are compared as a whole need no =', () => {
    expect(pattern('acme.com', true)).toBe('acme.com');
    expect(pattern('*.acme.com', true)).toBe('….acme.com');
    expect(pattern('"*.acme.com"', true)).toBe('*.acme.com');
  });

  it('has no order', () => {
    expect(() => pattern('>a')).toThrow('">" does not apply to name; quote the value to search for it literally');
    expect(() => pattern('a..b')).toThrow('a range does not apply to name; quote the value to search for it literally');
    expect(pattern('">a"')).toBe('…>a…');
  });
});
