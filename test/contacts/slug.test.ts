import fc from 'fast-check';
import { expect, it } from 'vitest';
import { slugOf } from '../../src/contacts/field-key.ts';
import { anyText } from '../support/any-text.ts';

it.each([
  ['Favourite colour', 'favourite_colour'],
  ['  --Shoe.Size (EU)--  ', 'shoe_size_eu'],
  ['Æther Øre Łódź Straße', 'aether_ore_lodz_strasse'],
  ['İstanbul ılık', 'istanbul_ilik'],
  ['½ price', '1_2_price'],
  ['Größe', 'groesse'],
  ['Город', 'gorod'],
  ['R&D', 'r_and_d'],
  ['会社', 'field'],
  ['', 'field'],
  [`${'k'.repeat(63)} x`, 'k'.repeat(63)],
])('%j becomes %s', (name, slug) => {
  expect(slugOf(name)).toBe(slug);
});

it('is made of lower-case letters, digits and underscores between them, at most 64, and is its own slug', () => {
  fc.assert(
    fc.property(anyText({ maxLength: 255 }), (name) => {
      const slug = slugOf(name);
      expect(slug).toMatch(/^[a-z0-9]+(_[a-z0-9]+)*$/);
      expect(slug.length).toBeLessThanOrEqual(64);
      expect(slugOf(slug)).toBe(slug);
    }),
  );
});
