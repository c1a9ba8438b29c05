import { globSync, readFileSync } from 'node:fs';
import { basename } from 'node:path';
import { expect, it } from 'vitest';
import { migrations } from '../../migrations/index.ts';

const FILES = globSync('migrations/[0-9]*.ts').sort();

it('the list has every file, in the order of their numbers, which have no gap', () => {
  expect(migrations.map(({ name }) => name)).toEqual(FILES.map((file) => basename(file, '.ts')));
  expect(FILES.length).toBeGreaterThan(5);
});

it('a migration imports nothing: what the program becomes later changes no schema of before', () => {
  expect(FILES.filter((file) => /^import\b|\bimport\(|\brequire\(/m.test(readFileSync(file, 'utf8')))).toEqual([]);
});
