import { mkdtempSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import { handOverKey } from '../../src/cli/first-key.ts';
import { afterFile } from '../support/after-file.ts';

const folder = mkdtempSync(join(tmpdir(), 'outreach-key-'));
afterFile(() => rmSync(folder, { recursive: true }));
const KEY = 'ork_the-first-key';

it('at a terminal the first key is printed', () => {
  expect(handOverKey(folder, KEY, true)).toContain(KEY);
});

it('elsewhere it is never printed: it is in a file of mode 0600, also where a file of other rights lay', () => {
  const path = join(folder, 'first-api-key');
  writeFileSync(path, 'old', { mode: 0o644 });
  const line = handOverKey(folder, KEY, false);
  expect(line).toContain(path);
  expect(line).not.toContain(KEY);
  expect(readFileSync(path, 'utf8')).toBe(`${KEY}\n`);
  expect(statSync(path).mode & 0o777).toBe(0o600);
});
