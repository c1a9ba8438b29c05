import { spawnSync } from 'node:child_process';
import { cpSync, mkdirSync, readdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { type DaemonProcess, startDaemonProcess } from '../support/daemon-process.ts';
import { testInstallation } from '../support/database.ts';
import { insertAccount } from '../support/rows.ts';

/**
 * One folder for each generator of clients, with a program that does the same over its client, and one for the rules of documents. `run.sh` gets
 * what it needs from its registry, once, and ends with 75 where it can't.
 */
const FOLDERS = join(import.meta.dirname, '../clients');
const UNAVAILABLE = 75;

/** The folder for what is fetched and made, which serves another run too. Without it nothing is fetched. */
const PLACE = process.env.GENERATED_CLIENTS;

const { app, databaseUrl, dataDir, adminKey } = await testInstallation();
let account: number;
let daemon: DaemonProcess;

beforeAll(async () => {
  if (PLACE === undefined) return;
  account = await insertAccount(app, { email: 'zoe@example.com' });
  daemon = await startDaemonProcess({ databaseUrl, home: join(dataDir, 'daemon') });
  mkdirSync(PLACE, { recursive: true });
  writeFileSync(join(PLACE, 'openapi.json'), await (await fetch(`${daemon.url}/api/v1/openapi.json`)).text());
});
afterAll(() => daemon?.end('SIGTERM'));

it.for(readdirSync(FOLDERS))('%s', { timeout: 20 * 60_000 }, (name, { skip }) => {
  if (PLACE === undefined) return skip('it gets generators from their registries: set GENERATED_CLIENTS=FOLDER');
  const cwd = join(PLACE, name);
  cpSync(join(FOLDERS, name), cwd, { recursive: true });
  const { status, stdout, stderr } = spawnSync('sh', ['run.sh'], {
    cwd,
    encoding: 'utf8',
    maxBuffer: 64 * 1024 * 1024,
    env: {
      ...process.env,
      OPENAPI_DOCUMENT: join(PLACE, 'openapi.json'),
      OUTREACH_API: `${daemon.url}/api/v1`,
      OUTREACH_API_KEY: adminKey,
      OUTREACH_ACCOUNT: String(account),
      CLIENT_NAME: name,
    },
  });
  if (status === UNAVAILABLE) skip(`not to be had: ${stderr.slice(-500)}`);
  expect(status, stderr).toBe(0);
  if (name === 'rules') return;
  expect(JSON.parse(stdout.trim().split('\n').at(-1) ?? '')).toEqual({
    ...{ email: `${name}@example.org`, name: 'Ada', company: null, total: 1 },
    ...{ campaign: 'draft', step: 1, enrolled: 1, enrolment: 'active', contacts: 1, sent: 0 },
    ...{ missing: 'not_found', refused: 'invalid_request', deleted: 204 },
  });
});
