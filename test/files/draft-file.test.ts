import { mkdtempSync, readdirSync, readFileSync, rmSync, statSync, symlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, expect, it } from 'vitest';
import { loadConfig } from '../../src/core/config.ts';
import { draftOf } from '../../src/files/draft-file.ts';
import { writeWhole } from '../../src/files/output-file.ts';
import { createSecret, readSecret, writeSecrets } from '../../src/secrets/secret-file.ts';

/** Temporary files are opened exclusively, mode 0600, under names that nobody can guess. */

const folder = mkdtempSync(join(tmpdir(), 'outreach-draft-'));
afterAll(() => rmSync(folder, { recursive: true, force: true }));

async function* text(content: string) {
  yield content;
}

it('a link that somebody has put where the process id would lead is not followed', async () => {
  const victim = join(folder, 'victim');
  writeFileSync(victim, 'mine');
  const path = join(folder, 'out.csv');
  for (const name of [`${path}.part-${process.pid}`, join(folder, `secret.key.${process.pid}`)]) symlinkSync(victim, name);
  await writeWhole(path, text('data'));
  const config = loadConfig({ dataDir: folder }, {});
  createSecret(config);
  const secret = readSecret(config);
  writeSecrets(config, ['a'.repeat(43), secret]);
  expect(readFileSync(victim, 'utf8')).toBe('mine');
  expect([readFileSync(path, 'utf8'), readSecret(config).split('\n')]).toEqual(['data', ['a'.repeat(43), secret]]);
  for (const written of [path, join(folder, 'secret.key')]) expect(statSync(written).mode & 0o777).toBe(0o600);
  expect(readdirSync(folder).filter((name) => /\.part-(?!\d+$)/.test(name))).toEqual([]);
});

it('no two names are alike', () => {
  expect(new Set(Array.from({ length: 100 }, () => draftOf('x'))).size).toBe(100);
});
