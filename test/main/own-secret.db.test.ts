import { existsSync, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import pg from 'pg';
import { afterAll, expect, it } from 'vitest';
import { recordSecret } from '../../src/access/index.ts';
import { loadConfig } from '../../src/core/config.ts';
import { install } from '../../src/main/install.ts';
import { openRuntime } from '../../src/main/runtime.ts';
import { rotateSecret } from '../../src/maintenance/rotate-secret.ts';
import { createSealer } from '../../src/secrets/seal.ts';
import { newSecret } from '../../src/secrets/secret-file.ts';
import { freshDatabase, testInstallation } from '../support/database.ts';
import { TEST_SECRET } from '../support/secret.ts';

const { databaseUrl, caller } = await testInstallation();
const folder = mkdtempSync(join(tmpdir(), 'outreach-secret-'));
afterAll(() => rmSync(folder, { recursive: true, force: true }));

/** Opens the installation from another data directory, as on a second machine. */
const open = (secretKey: string | undefined, url = databaseUrl) =>
  openRuntime(loadConfig({ dataDir: folder, databaseUrl: url, secretKey, logLevel: 'silent' }, {}));
const other = newSecret();
const idOf = (secret: string) => createSealer(secret).keyId;

it('the secret belongs to the database: another one, or none, is refused, and none is made where one was lost', async () => {
  await expect(open(undefined)).rejects.toThrow(
    `encrypted with the secret ${idOf(TEST_SECRET)}, but ${join(folder, 'secret.key')} is missing`,
  );
  expect(existsSync(join(folder, 'secret.key'))).toBe(false);
  // Wrong settings, which end a service for good.
  await expect(open(other)).rejects.toMatchObject({
    code: 'invalid_request',
    message: expect.stringContaining(`encrypted with the secret ${idOf(TEST_SECRET)}, but the secret here is ${idOf(other)}`),
  });
});

it('a rotation makes the new secret that of the database, and the old one alone does not open it any more', async () => {
  const both = await open(`${other},${TEST_SECRET}`);
  await rotateSecret(both.app, caller);
  await both.close();
  await expect(open(TEST_SECRET)).rejects.toThrow(`encrypted with the secret ${idOf(other)}`);
  await (await open(other)).close();
});

it('an empty database gets a secret; of two that install it at once, the second must have the same', async () => {
  const { url, drop } = await freshDatabase();
  const client = new pg.Client({ connectionString: url });
  await client.connect();
  await client.query('update workspaces set key_id = null');
  const [first, second] = [await open(undefined, url), await open(other, url)];
  expect(existsSync(join(folder, 'secret.key'))).toBe(true);
  await recordSecret(first.app.db, first.app.sealer.keyId);
  await expect(install(second.app)).rejects.toThrow(`encrypted with the secret ${first.app.sealer.keyId}, but the secret here is`);
  expect((await install(first.app)).api_key).toBeNull();
  await Promise.all([first.close(), second.close(), client.end()]);
  await drop();
});
