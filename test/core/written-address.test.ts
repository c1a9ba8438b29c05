import { describe, expect, it } from 'vitest';
import { writtenAddress } from '../../src/core/written-address.ts';

describe('D3.6: "cleans what is unambiguous (`mailto:`, `Name <a@b>`, `<a@b>`, a final dot or comma, white space)"', () => {
  it.each([
    'a@b.example',
    ' a@b.example ',
    'mailto:a@b.example',
    'MAILTO:a@b.example?subject=Hi',
    'Ann Lee <a@b.example>',
    '"Lee, Ann" <a@b.example>',
    '<a@b.example>',
    '< mailto:a@b.example >;',
    'a@b.example.',
    'a@b.example, ',
    'a@b.example;',
  ])('%s', (text) => expect(writtenAddress(text)).toBe('a@b.example'));

  it.each([
    'a@b.example;c@d.example',
    'a@b.example, c@d.example',
    'n/a',
    '',
    'Ann <a@b.example> <c@d.example>',
  ])('and leaves %j', (text) => {
    expect(writtenAddress(text)).toBe(text);
  });
});
