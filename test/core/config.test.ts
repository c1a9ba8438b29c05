import { chmodSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, afterEach, describe, expect, it } from 'vitest';
import { loadConfig } from '../../src/core/config.ts';

const dataDir = mkdtempSync(join(tmpdir(), 'outreach-config-'));
afterAll(() => rmSync(dataDir, { recursive: true, force: true }));

const withFile = (text: string, env: NodeJS.ProcessEnv = {}, flags: Parameters<typeof loadConfig>[0] = {}) => {
  writeFileSync(join(dataDir, 'outreach.toml'), text);
  return loadConfig({ ...flags, dataDir }, env);
};

describe('outreach.toml with a secret in it', () => {
  const path = join(dataDir, 'outreach.toml');
  const SECRETS = [
    ['secret_key', `secret_key = "${'a'.repeat(43)}"`],
    ['google_client_secret', 'google_client_secret = "x"'],
    ['database_url', 'database_url = "postgres://me:pass@db/outreach"'],
    ['mongodb_url', 'mongodb_url = "mongodb://me:pass@db/outreach"'],
    ['system_smtp_url', 'system_smtp_url = "smtps://me:pass@mail.example.com"'],
  ];
  afterEach(() => {
    chmodSync(dataDir, 0o700);
    rmSync(path);
  });

  it.each(SECRETS)('%s: is refused while other users can read it, with what to do', (name = '', text = '') => {
    chmodSync(dataDir, 0o711);
    writeFileSync(path, text);
    chmodSync(path, 0o644);
    expect(() => loadConfig({ dataDir }, {})).toThrow(
      `${path} holds a secret (${name}) and can be read by other users; run: chmod 600 ${path}`,
    );
    for (const mode of [0o600, 0o640]) {
      chmodSync(path, mode);
      expect(() => loadConfig({ dataDir }, {})).not.toThrow();
    }
  });

  it('is read where others can’t enter the directory; without a secret everywhere', () => {
    writeFileSync(path, SECRETS[0]?.[1] ?? '', { mode: 0o644 });
    expect(() => loadConfig({ dataDir }, {})).not.toThrow();
    chmodSync(dataDir, 0o711);
    writeFileSync(path, 'database_url = "postgres://db/outreach"\nport = 1');
    expect(loadConfig({ dataDir }, {}).port).toBe(1);
  });
});

describe('Settings', () => {
  it('flag, environment, outreach.toml, default, in this order', () => {
    expect(withFile('').port).toBe(8025);
    expect(withFile('port = 1').port).toBe(1);
    expect(withFile('port = 1', { OUTREACH_PORT: '2' }).port).toBe(2);
    expect(withFile('port = 1', { OUTREACH_PORT: '2' }, { port: 3 }).port).toBe(3);
  });

  it('a settings file outside the data directory wins over the one in it, and may say where that is', () => {
    const outside = join(dataDir, 'machine.toml');
    writeFileSync(outside, `data_dir = "${dataDir}"\nport = 2`);
    writeFileSync(join(dataDir, 'outreach.toml'), 'port = 1\nhost = "::1"');
    const env = { OUTREACH_SETTINGS_FILE: outside };
    expect(loadConfig({}, env)).toMatchObject({ dataDir, port: 2, baseUrl: 'http://[::1]:2' });
    expect(loadConfig({}, { ...env, OUTREACH_PORT: '3' }).port).toBe(3);
    expect(loadConfig({ dataDir: '/nonexistent' }, env)).toMatchObject({ dataDir: '/nonexistent', port: 2, host: '127.0.0.1' });
    writeFileSync(outside, `data_dir = "${dataDir}"\nport = "x"`);
    expect(() => loadConfig({}, env), 'an error names the file that has to be changed').toThrow(`setting port in ${outside}: must be`);
    writeFileSync(outside, 'data_dir = "data"');
    expect(() => loadConfig({}, env)).toThrow(`${outside}: data_dir: must be an absolute path`);
    expect(() => loadConfig({}, { OUTREACH_SETTINGS_FILE: '/nonexistent.toml' })).toThrow("/nonexistent.toml can't be read");
    expect(() => withFile(`data_dir = "${dataDir}"`)).toThrow('unknown setting "data_dir"');
  });

  it.each([
    'webhooks.allow_private = true',
    '[webhooks]\nallow_private = true',
    'webhooks_allow_private = true',
  ])('a name with a dot may stand in a table: %j', (text) => {
    expect(withFile(text).webhooksAllowPrivate).toBe(true);
  });

  it.each([
    ['colour = "red"', {}, 'unknown setting "colour"; known settings: database_url'],
    ['[webhooks]\nallow_all = true', {}, 'unknown setting "webhooks_allow_all"'],
    ['base_ulr = "https://out.example"', {}, 'unknown setting "base_ulr" (did you mean base_url?); known settings: database_url'],
    [
      '',
      { OUTREACH_BASEURL: 'https://out.example' },
      'unknown setting OUTREACH_BASEURL in the environment (did you mean OUTREACH_BASE_URL?); docs',
    ],
    ['', { OUTREACH_COLOUR: 'red' }, 'unknown setting OUTREACH_COLOUR in the environment; docs/settings.md lists them all'],
    ['webhooks.allow_private = "yes"', {}, `setting webhooks_allow_private in ${dataDir}/outreach.toml: must be true or false`],
    ['', { OUTREACH_WEBHOOKS_ALLOW_PRIVATE: '1' }, 'OUTREACH_WEBHOOKS_ALLOW_PRIVATE: must be true or false'],
    ['port = ', {}, "outreach.toml can't be read"],
    ['', { OUTREACH_PORT: 'x' }, 'setting OUTREACH_PORT: must be a whole number from 0 to 65535'],
    ['port = 99999', {}, `setting port in ${dataDir}/outreach.toml: must be a whole number from 0 to 65535`],
    ['', { OUTREACH_TICK_SECONDS: '0' }, 'setting OUTREACH_TICK_SECONDS: must be a number from 0.1 to 60'],
    ['', { OUTREACH_LOG_LEVEL: 'loud' }, 'setting OUTREACH_LOG_LEVEL: must be trace, debug, info, warn, error, fatal or silent'],
    ['host = 5', {}, `setting host in ${dataDir}/outreach.toml: must be a string`],
    ['host = ""', {}, `setting host in ${dataDir}/outreach.toml: must not be empty`],
  ])('%j is a clear error', (text, env, message) => {
    expect(() => withFile(text, env)).toThrow(message);
  });

  it('the sender of system email is an address, or a name and an address', () => {
    const sender = (text: string) => loadConfig({ dataDir: '/nonexistent' }, { OUTREACH_SYSTEM_FROM: text }).systemFrom;
    expect(sender('outreach@example.com')).toEqual({ name: 'Outreach', address: 'outreach@example.com' });
    expect(sender('Acme Team <team@example.com>')).toEqual({ name: 'Acme Team', address: 'team@example.com' });
    expect(sender('"Team, Acme" <team@example.com>')).toEqual({ name: 'Team, Acme', address: 'team@example.com' });
    for (const wrong of ['Acme Team', 'Acme <team>', 'a@example.com, b@example.com', 'A\nBcc: x@example.com <a@example.com>'])
      expect(() => sender(wrong), wrong).toThrow('OUTREACH_SYSTEM_FROM: must be an email address, or have the form Name <address>');
  });
});
