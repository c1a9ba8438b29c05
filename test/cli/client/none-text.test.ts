import { globSync, readFileSync } from 'node:fs';
import { expect, it } from 'vitest';
import { noneText } from '../../../src/cli/client/none-text.ts';

const lists = globSync('commands/**/*.ts').filter((path) => readFileSync(path, 'utf8').includes('this.list('));

it.each(lists)('an empty list says what there is none of: %s', (path) => {
  const id = path
    .replace(/^commands\//, '')
    .replace(/(\/index)?\.ts$/, '')
    .replaceAll('/', ':');
  expect(noneText(id, { workspace: 'Default', isFiltered: false })).not.toContain('No records in workspace');
});
