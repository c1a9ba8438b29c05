import { describe, expect, it } from 'vitest';
import { emailText, filledLine, nameText, singleLine } from '../../src/fields/fields.ts';

// "The OpenAPI document is exact: every length, pattern and enum that is enforced stands in it."
describe('the length of a line', () => {
  const padded = (length: number) => `  ${'x'.repeat(length - 4)}  `;
  it.each([
    ['one line', singleLine(50)],
    ['a filled line', filledLine(50)],
  ])('counts the white space around %s, as maxLength of the document does', (_, line) => {
    expect(line.safeParse(padded(50))).toEqual({ success: true, data: 'x'.repeat(46) });
    expect(line.safeParse(padded(51)).success).toBe(false);
  });

  // "any name: 255 characters after trim, ≥1 where required"; "e-mail uniqueness: case-insensitive on the whole address, trimmed".
  it('counts only what is left of a name and of an address', () => {
    expect(nameText.safeParse(`  ${'x'.repeat(255)}  `).success).toBe(true);
    expect(nameText.safeParse('x'.repeat(256)).success).toBe(false);
    expect(emailText.safeParse(`  ${'x'.repeat(254)}  `).success).toBe(true);
  });
});
