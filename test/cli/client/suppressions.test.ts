import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, describe, expect, it } from 'vitest';
import { readSuppressions } from '../../../src/cli/client/suppressions.ts';

const folder = mkdtempSync(join(tmpdir(), 'outreach-suppressions-'));
const path = join(folder, 'opted-out.csv');
afterAll(() => rmSync(folder, { recursive: true }));

const read = (text: string, skipLines?: number) => {
  writeFileSync(path, text);
  return readSuppressions(path, skipLines);
};

describe('a file of suppressions', () => {
  it.each([
    ['one address a line', 'a@one.example\n@two.example\n'],
    ['our own export', 'email,reason\na@one.example,\n@two.example,\n'],
    ['a list in German', 'E-Mail-Adresse;Grund\na@one.example;\n@two.example;\n'],
    ['a title above', 'Opted out\nAdresse de messagerie;Motif\na@one.example;\n@two.example;\n'],
  ])('is read, whatever program wrote it: %s', async (_, text) => {
    const { rows } = await read(text);
    expect(rows.map(({ email, reason }) => ({ email, reason }))).toEqual([
      { email: 'a@one.example', reason: null },
      { email: '@two.example', reason: null },
    ]);
  });

  it('--skip-lines leaves out what stands above the header or the first address', async () => {
    expect((await read('Opted out\nof all\na@one.example\n', 2)).rows).toMatchObject([{ line: 3, email: 'a@one.example' }]);
    await expect(read('Opted out\nof all\na@one.example\n')).rejects.toThrow('use --skip-lines if there are lines above it');
  });
});
