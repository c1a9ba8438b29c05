import { readFileSync } from 'node:fs';
import { expect, it } from 'vitest';
// @ts-expect-error plain JavaScript, run before anything is built
import { renderOptions } from '../../bin/options.js';

it('docs/options.md says what the declarations of the options say; npm run docs writes it', () => {
  expect(readFileSync('docs/options.md', 'utf8')).toBe(renderOptions());
});
