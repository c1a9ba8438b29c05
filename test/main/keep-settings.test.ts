import { chmodSync, mkdirSync, mkdtempSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { beforeEach, describe, expect, it } from 'vitest';
import { loadConfig } from '../../src/core/config.ts';
import { keepSettings } from '../../src/main/keep-settings.ts';
import { refuseSecondInstallation } from '../../src/main/second-installation.ts';
import { afterFile } from '../support/after-file.ts';
import { TEST_SECRET } from '../support/secret.ts';

const folder = mkdtempSync(join(tmpdir(), 'outreach-kept-'));
afterFile(() => rmSync(folder, { recursive: true, force: true }));

const URL = 'postgres://me:p%40ss@db:5433/outreach';
let dataDir: string;
let made = 0;

beforeEach(() => {
  dataDir = join(folder, String(made++));
  mkdirSync(dataDir);
});

const config = (env: NodeJS.ProcessEnv = {}, flags = {}) => loadConfig({ dataDir, ...flags }, env);
const path = () => join(dataDir, 'outreach.toml');

describe('What install learned is kept', () => {
  it('settings of flags and environment are read again without them; the file is for its owner only', () => {
    const env = {
      DATABASE_URL: URL,
      MONGODB_URL: 'mongodb://db/outreach',
      OUTREACH_BASE_URL: 'https://out.example/',
      OUTREACH_SYSTEM_FROM: 'Acme <team@example.com>',
      OUTREACH_WEBHOOKS_ALLOW_PRIVATE: 'true',
      OUTREACH_TICK_SECONDS: '0.5',
    };
    const before = config(env, { port: '9000' });
    expect(keepSettings(before).added.sort()).toEqual(
      ['base_url', 'database_url', 'mongodb_url', 'port', 'system_from', 'tick_seconds', 'webhooks_allow_private'].sort(),
    );
    expect(statSync(path()).mode & 0o777).toBe(0o600);
    expect(readFileSync(path(), 'utf8')).toMatch(/^port = 9000$/m);
    const { given: _, settingsFiles: __, ...after } = config();
    expect(before).toMatchObject(after);
  });

  it('the secret goes to secret.key, mode 0600, where no other is', () => {
    keepSettings(config({ OUTREACH_SECRET_KEY: `${TEST_SECRET},${'b'.repeat(43)}` }));
    const secret = join(dataDir, 'secret.key');
    expect(readFileSync(secret, 'utf8')).toBe(`${TEST_SECRET}\n${'b'.repeat(43)}\n`);
    expect(statSync(secret).mode & 0o777).toBe(0o600);
    keepSettings(config({ OUTREACH_SECRET_KEY: 'c'.repeat(43) }));
    expect(readFileSync(secret, 'utf8')).toContain(TEST_SECRET);
  });

  it('a file that is there keeps its words and its values; new ones come before its tables', () => {
    writeFileSync(path(), '# ours\nport = 1\n\n[webhooks]\nallow_private = true\n');
    expect(keepSettings(config({ OUTREACH_PORT: '2', DATABASE_URL: URL }))).toEqual({ added: ['database_url'], differing: ['port'] });
    expect(readFileSync(path(), 'utf8')).toContain('# ours\nport = 1\n\n[webhooks]\n');
    expect(config()).toMatchObject({ port: 1, webhooksAllowPrivate: true, databaseUrl: URL });
    expect(keepSettings(config({ OUTREACH_PORT: '1', DATABASE_URL: URL }))).toEqual({ added: [], differing: [] });
  });
});

describe('A second installation beside a known one is refused', () => {
  const embed = () => {
    mkdirSync(join(dataDir, 'postgres'));
    writeFileSync(join(dataDir, 'postgres', 'PG_VERSION'), '18\n');
  };

  it('with another DATABASE_URL than the one that is kept; what to do is said, the password is not', () => {
    keepSettings(config({ DATABASE_URL: URL }));
    expect(() => refuseSecondInstallation(config({ DATABASE_URL: 'postgres://me:hidden@other/outreach' }))).toThrow(
      `${dataDir} is installed with the database at db:5433/outreach, but DATABASE_URL names other:5432/outreach; ` +
        `if the database has moved, change database_url in ${path()}; for an installation beside it, choose another data directory`,
    );
    for (const same of [URL, 'postgres://you:new@db:5433/outreach'])
      expect(() => refuseSecondInstallation(config({ DATABASE_URL: same }))).not.toThrow();
    expect(() => refuseSecondInstallation(config())).not.toThrow();
  });

  it('with DATABASE_URL beside an embedded database', () => {
    embed();
    expect(() => refuseSecondInstallation(config())).not.toThrow();
    expect(() => refuseSecondInstallation(config({ DATABASE_URL: URL }))).toThrow(
      /is installed with an embedded database, but DATABASE_URL names db:5433\/outreach; unset DATABASE_URL; to move the data there, run outreach backup/,
    );
  });

  it('a kept database_url is used even where an embedded database was before', () => {
    embed();
    writeFileSync(path(), `database_url = "${URL}"`);
    chmodSync(path(), 0o600);
    expect(() => refuseSecondInstallation(config({ DATABASE_URL: URL }))).not.toThrow();
  });
});
