import { chmodSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import { newSecret, readSecret } from '../../src/secrets/secret-file.ts';
import { afterFile } from '../support/after-file.ts';

it.each([
  ['empty', () => ''],
  ['cut off, as by a full disk', () => newSecret().slice(0, 20)],
  ['of two secrets, one of them cut off', () => `${newSecret()}\n${newSecret().slice(0, 20)}`],
])('a secret.key that is %s is named, with what to do', (_, text) => {
  const dataDir = mkdtempSync(join(tmpdir(), 'outreach-secret-'));
  afterFile(() => rmSync(dataDir, { recursive: true }));
  const path = join(dataDir, 'secret.key');
  writeFileSync(path, text());
  chmodSync(path, 0o600);
  expect(() => readSecret({ dataDir, secretKey: undefined } as never)).toThrow(
    `${path} has no secret, or one that is cut off: each line must be at least 32 bytes in base64url; restore it from your copy`,
  );
});
