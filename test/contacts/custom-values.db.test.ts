import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { customValue } from '../../src/contacts/custom-values.ts';
import { FIELD_TYPES, type FieldType } from '../../src/contacts/field-types.ts';
import { sql } from '../../src/db/statement.ts';
import { testInstallation } from '../support/database.ts';

const refusalOf = (type: FieldType, value: unknown): string => {
  try {
    return `accepted as ${customValue('key', type, value)}`;
  } catch (error) {
    expect(error).toMatchObject({ code: 'invalid_request' });
    return (error as Error).message;
  }
};

const ACCEPTED: [FieldType, unknown, string | null][] = [
  ['text', ' two  words ', ' two  words '],
  ['text', 'line\nbreak', 'line\nbreak'],
  ['number', 7, '7'],
  ['number', -0.5, '-0.5'],
  ['number', 1e21, '1e+21'],
  ['number', '007', '007'],
  ['number', ' 3.14 ', '3.14'],
  ['number', '-1e3', '-1e3'],
  ['email', ' A@b.example ', 'A@b.example'],
  ['phone', '+49 (0)30 / 123-45.6', '+49 (0)30 / 123-45.6'],
  ['url', 'example.org', 'https://example.org'],
  ['url', 'example.org:8080/a?b=c#d', 'https://example.org:8080/a?b=c#d'],
  ['url', 'localhost:3000', 'https://localhost:3000'],
  ['url', 'http://example.org', 'http://example.org'],
  ['url', 'HTTPS://Example.org/x', 'HTTPS://Example.org/x'],
  ['date', '2024-02-29', '2024-02-29'],
  ['datetime', '2026-01-31T09:00:00Z', '2026-01-31T09:00:00Z'],
  ['datetime', '2026-01-31t23:59:59.123456789+05:30', '2026-01-31t23:59:59.123456789+05:30'],
  ['boolean', true, 'true'],
  ['boolean', false, 'false'],
  ['boolean', 'TRUE', 'true'],
  ['boolean', ' false ', 'false'],
];

const REFUSED: [FieldType, unknown][] = [
  ...[7, true, {}, ['x'], 'nul\0', '\ud800'].map((value): [FieldType, unknown] => ['text', value]),
  ...['seven', '1,5', '0x10', '1e', 'NaN', 'Infinity', '1e400', true, [], '--1', '1 2'].map((value): [FieldType, unknown] => [
    'number',
    value,
  ]),
  ...['nobody', 'a@b.example, c@d.example', 'A <a@b.example>', 5].map((value): [FieldType, unknown] => ['email', value]),
  ...['12', 'call me', '1'.repeat(21), '49+30', 4_930_123].map((value): [FieldType, unknown] => ['phone', value]),
  ...['javascript:alert(1)', 'mailto:a@b.example', 'ftp://x.example', 'two words', 'https://', '//x.example', '/path', 5].map(
    (value): [FieldType, unknown] => ['url', value],
  ),
  ...['2026-02-29', '2026-13-01', '2026-00-10', '2026-01-00', '0000-01-01', '26-01-01', '2026-1-1', '31.01.2026', 20_260_131].map(
    (value): [FieldType, unknown] => ['date', value],
  ),
  ...['2026-01-31', '2026-01-31T09:00:00', '2026-01-31 09:00:00Z', '2026-01-31T24:00:00Z', '2026-01-31T09:60:00Z'].map(
    (value): [FieldType, unknown] => ['datetime', value],
  ),
  ...['2026-02-30T09:00:00Z', '2026-01-31T09:00:00+23:00', '0000-01-01T00:00:00Z', '2026-01-31T09:00Z', 5].map(
    (value): [FieldType, unknown] => ['datetime', value],
  ),
  ...['yes', 'no', '1', 0, 1, {}].map((value): [FieldType, unknown] => ['boolean', value]),
];

describe('a custom value', () => {
  it.each(ACCEPTED)('%s takes %j', (type, value, stored) => {
    expect(customValue('key', type, value)).toBe(stored);
  });

  it.each(REFUSED)('%s refuses %j, naming the key', (type, value) => {
    expect(refusalOf(type, value)).toMatch(/^custom_fields\.key: /);
  });

  it('text is at most 10,000 characters, an address 2,048 with its scheme', () => {
    expect(customValue('key', 'text', 'x'.repeat(10_000))).toHaveLength(10_000);
    expect(refusalOf('text', 'x'.repeat(10_001))).toBe('custom_fields.key: at most 10,000 characters');
    const host = 'example.org/';
    expect(customValue('key', 'url', host.padEnd(2_048 - 8, 'x'))).toHaveLength(2_048);
    expect(refusalOf('url', host.padEnd(2_048 - 7, 'x'))).toContain('at most 2,048 characters');
  });

  it.each(FIELD_TYPES)('null and the empty string take away a value of %s', (type) => {
    expect([customValue('key', type, null), customValue('key', type, '')]).toEqual([null, null]);
  });

  it('whatever is stored is stored the same when it is sent back', () => {
    const value = fc.oneof(fc.string(), fc.webUrl(), fc.domain(), fc.double().map(String), fc.date({ noInvalidDate: true }).map(String));
    fc.assert(
      fc.property(fc.constantFrom(...FIELD_TYPES), value, (type, sent) => {
        let stored: string | null;
        try {
          stored = customValue('key', type, sent);
        } catch {
          return;
        }
        expect(customValue('key', type, stored)).toBe(stored);
      }),
    );
  });
});

it('PostgreSQL reads every number, date and timestamp that is accepted: a search casts them', async () => {
  const { app } = await testInstallation();
  const casts: Partial<Record<FieldType, string[]>> = { number: [], date: [], datetime: [] };
  const digit = fc.integer({ min: 0, max: 9 });
  const number = fc.stringMatching(/^[+-]?\d{0,20}(\.\d{0,20})?([eE][+-]?\d{1,3})?$/);
  const date = fc.tuple(fc.stringMatching(/^[0-9]{4}$/), fc.nat(13), fc.nat(32)).map(([y, m, d]) => `${y}-${two(m)}-${two(d)}`);
  const zone = fc.oneof(
    fc.constant('Z'),
    fc.tuple(fc.constantFrom('+', '-'), fc.nat(24), fc.nat(60)).map(([s, h, m]) => `${s}${two(h)}:${two(m)}`),
  );
  const datetime = fc.tuple(date, fc.nat(24), fc.nat(60), fc.nat(60), fc.array(digit, { maxLength: 9 }), zone);
  const written = datetime.map(
    ([day, h, m, s, parts, at]) => `${day}T${two(h)}:${two(m)}:${two(s)}${parts.length > 0 ? `.${parts.join('')}` : ''}${at}`,
  );
  const samples: [FieldType, string[]][] = [
    ['number', fc.sample(number, { numRuns: 3_000, seed: 1 })],
    ['date', fc.sample(date, { numRuns: 3_000, seed: 2 })],
    ['datetime', fc.sample(written, { numRuns: 3_000, seed: 3 })],
  ];
  for (const [type, texts] of samples)
    casts[type]?.push(...texts.filter((text) => text !== '' && refusalOf(type, text).startsWith('accepted')));
  for (const values of Object.values(casts)) expect(values.length).toBeGreaterThan(500);
  await app.db.query(sql`select v::numeric from unnest(${casts.number}::text[]) v`);
  await app.db.query(sql`select v::date from unnest(${casts.date}::text[]) v`);
  await app.db.query(sql`select v::timestamptz from unnest(${casts.datetime}::text[]) v`);
});

const two = (value: number) => String(value).padStart(2, '0');
