import { readFileSync } from 'node:fs';
import { expect, it } from 'vitest';
import { readResults, resultsSection } from '../../bench/results.ts';

it('the table of results shows what was measured last', () => {
  expect(readFileSync('bench/README.md', 'utf8')).toContain(resultsSection(readResults()));
});
