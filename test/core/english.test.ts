import { expect, it } from 'vitest';
import { either, grouped, quantity } from '../../src/core/english.ts';

it.each([
  [0, '0 contacts'],
  [1, '1 contact'],
  [2, '2 contacts'],
  [1_204, '1,204 contacts'],
])('%i takes the right form of its noun', (count, text) => {
  expect(quantity(count, 'contact')).toBe(text);
});

it.each([
  [999, '999'],
  [1_000, '1,000'],
  [-12_345, '-12,345'],
  [1_234_567_890, '1,234,567,890'],
])('%i has commas between its thousands, as Intl writes it', (number, text) => {
  expect(grouped(number)).toBe(text);
  expect(grouped(number)).toBe(number.toLocaleString('en-GB'));
});

it('takes a plural that is not the noun with an s', () => {
  expect(quantity(1, 'address', 'addresses')).toBe('1 address');
  expect(quantity(3, 'row was', 'rows were')).toBe('3 rows were');
});

it('lists alternatives', () => {
  expect(either(['admin', 'manager', 'view_only'])).toBe('admin, manager or view_only');
  expect(either(['true'])).toBe('true');
});
