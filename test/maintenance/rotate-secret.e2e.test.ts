import { globSync, readFileSync, statSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { beforeAll, describe, expect, it } from 'vitest';
import { openDkim } from '../../src/accounts/index.ts';
import type { App } from '../../src/app.ts';
import { announceDaemon } from '../../src/daemons/index.ts';

import { underLock } from '../../src/db/lock.ts';
import { join as joined, raw, sql } from '../../src/db/statement.ts';
import { rotateSecret } from '../../src/maintenance/rotate-secret.ts';
import { createSealer } from '../../src/secrets/seal.ts';
import { type Place, SEALED, type SealedColumn } from '../../src/secrets/sealed-columns.ts';
import { newSecret, openSealer, readSecret, writeSecrets } from '../../src/secrets/secret-file.ts';
import { linkPath, readLink } from '../../src/tracking/token.ts';
import { type Cli, cliOf, refuse, succeed } from '../support/cli.ts';
import { type TestInstallation, testInstallation } from '../support/database.ts';
import { insertAccount, insertRow } from '../support/rows.ts';

const root = fileURLToPath(new URL('../..', import.meta.url));

const SERVER = { host: '127.0.0.1', port: 2525, secure: false, tls: 'off', user: 'zoe' };

let installation: TestInstallation;
let app: App;
let cli: Cli;
let made = 0;

beforeAll(async () => {
  installation = await testInstallation({ secretKey: undefined });
  app = { ...installation.app, sealer: openSealer(installation.app.config) };
  const bare = cliOf(installation);
  cli = (args, options = {}) => bare(args, { ...options, env: { OUTREACH_SECRET_KEY: '', ...options.env } });
});

/** Seals a value in every sealed column, in rows of their own. */
async function sealEverywhere(): Promise<void> {
  const now = app.clock.now();
  const key = `key-${++made}`;
  await app.db.query(sql`insert into idempotency_keys (api_key_id, key, request_hash, created_at) values (1, ${key}, '', ${now})`);
  const rows: Record<string, (string | number)[]> = {
    accounts: [await insertAccount(app, { smtp: JSON.stringify(SERVER), imap: JSON.stringify(SERVER) })],
    webhooks: [
      await insertRow(app, 'webhooks', {
        workspace_id: 1,
        name: key,
        url: 'https://example.com',
        secret: '',
        created_at: now,
        updated_at: now,
      }),
    ],
    idempotency_keys: [1, key],
  };
  for (const column of Object.values<SealedColumn>(SEALED)) {
    const row = rows[column.table];
    if (row === undefined) throw new Error(`make a row of ${column.table} here`);
    const bound = column.bound?.map((name) => (name === 'provider' ? 'smtp' : SERVER)) ?? [];
    const value = app.sealer.seal(`secret of ${column.column}`, column.place(...row, ...bound));
    const stored = column.isJson === true ? sql`to_jsonb(${value}::text)` : sql`${value}`;
    const where = column.key.map((name, index) => sql`${raw(name)} = ${row[index]}`);
    await app.db.query(sql`update ${raw(column.table)} set ${raw(column.column)} = ${stored} where ${joined(where, ' and ')}`);
  }
}

/** Every sealed value of the whole database, wherever it stands. */
async function sealedValues(): Promise<string[]> {
  const columns = await app.db.query<{ table: string; column: string }>(sql`
    select table_name as table, column_name as column from information_schema.columns
    where table_schema = 'public' and data_type in ('text', 'jsonb')`);
  const found: string[] = [];
  for (const { table, column } of columns) {
    const rows = await app.db.query<{ value: string }>(
      sql`select (regexp_matches(${raw(column)}::text, 'v1:[0-9a-f]{8}:[A-Za-z0-9_:-]+'))[1] as value from ${raw(table)}`,
    );
    found.push(...rows.map(({ value }) => value));
  }
  return found;
}

describe('secret rotate', () => {
  it('seals every value of the database under the new key; the old one opens none of them', async () => {
    await sealEverywhere();
    const old = createSealer(readSecret(app.config));
    const before = await sealedValues();
    expect(before.length).toBeGreaterThanOrEqual(Object.keys(SEALED).length);
    const rotation = await rotateSecret(app, installation.caller);
    expect(rotation).toMatchObject({ former_key_ids: [old.keyId], unreadable: 0 });
    for (const value of await sealedValues()) expect(value).toMatch(new RegExp(`^v1:${rotation.key_id}:`));
    for (const column of Object.values<SealedColumn>(SEALED))
      expect(rotation.sealed[`${column.table}.${column.column}`]).toBeGreaterThan(0);
    const [history] = await app.db.query(sql`select changes->>'key_id' as key_id from audit_log where action = 'secret.rotate'`);
    expect(history).toEqual({ key_id: rotation.key_id });
  });

  it('knows every column that can hold a secret, and no other way to seal one', async () => {
    const columns = await app.db.query<{ name: string }>(sql`
      select table_name || '.' || column_name as name from information_schema.columns
      where table_schema = 'public' and data_type in ('text', 'jsonb') and column_name ~ 'secret|token|password|credential|private'`);
    const known = Object.values<SealedColumn>(SEALED).map(({ table, column }) => `${table}.${column}`);
    expect(known).toEqual(expect.arrayContaining(columns.map(({ name }) => name)));
    const makers = globSync('src/**/*.ts', { cwd: root }).filter((file) => /\bas Place\b/.test(readFileSync(join(root, file), 'utf8')));
    expect(makers).toEqual(['src/secrets/sealed-columns.ts']);
  });

  it('a mailbox that signs its mails with DKIM goes on doing so', async () => {
    const id = await insertAccount(app, { email: 'zoe@example.com' });
    await succeed(cli, 'account', 'set', String(id), '--dkim-domain', 'example.com');
    const signer = async () => {
      const [row] = await app.db.query<Parameters<typeof openDkim>[1]>(sql`select id, dkim, dkim_secret from accounts where id = ${id}`);
      return (
        row && openDkim({ sealer: openSealer(app.config), clock: app.clock }, row)[0]?.privateKey.export({ type: 'pkcs8', format: 'pem' })
      );
    };
    const before = await signer();
    expect(before).toContain('PRIVATE KEY');
    expect((await succeed(cli, 'secret', 'rotate')).sealed['accounts.dkim_secret']).toBeGreaterThan(0);
    expect(await signer()).toBe(before);
  });

  it('a daemon that runs takes the new secret up; links signed before go on working, those signed after too', async () => {
    const running = openSealer(app.config);
    const other = openSealer(app.config);
    const link = (path: string) => {
      const [, , mail = '', signature = ''] = path.split('/');
      return { mail, signature };
    };
    const sent = linkPath(running, 'u', 7);
    const id = await insertAccount(app, { smtp: JSON.stringify(SERVER) });
    const place = SEALED.smtpSecret.place(id, 'smtp', SERVER);
    await app.db.query(sql`update accounts set smtp_secret = ${running.seal('{"pass":"x"}', place)} where id = ${id}`);
    await succeed(cli, 'secret', 'rotate');
    const [row] = await app.db.query<{ smtp_secret: string }>(sql`select smtp_secret from accounts where id = ${id}`);
    expect(running.open(row?.smtp_secret ?? '', place)).toBe('{"pass":"x"}');
    expect(readLink(openSealer(app.config), 'u', link(sent))?.outboxId).toBe(7);
    expect(readLink(other, 'u', link(linkPath(openSealer(app.config), 'u', 8)))?.outboxId).toBe(8);
    expect(statSync(join(app.config.dataDir, 'secret.key')).mode & 0o777).toBe(0o600);
  });

  it('a crash after any of its steps leaves a file that opens everything', async () => {
    await sealEverywhere();
    const before = readSecret(app.config).split('\n');
    const next = newSecret();
    const opensAll = async () => {
      const sealer = openSealer(app.config);
      for (const value of await sealedValues()) expect(sealer.keyIds).toContain(value.split(':')[1]);
    };
    // Before the values are sealed, and after it but before the new secret comes first.
    writeSecrets(app.config, [before[0] ?? '', next, ...before.slice(1)]);
    await opensAll();
    const { key_id } = await rotateSecret(app, installation.caller);
    const [made = '', ...rest] = readSecret(app.config).split('\n');
    writeSecrets(app.config, [rest[0] ?? '', made, ...rest.slice(1)]);
    await opensAll();
    expect(openSealer(app.config).keyIds).toContain(key_id);
    await rotateSecret(app, installation.caller);
    await opensAll();
  });

  it('a sealed value in a column that it does not know stops it, and nothing is changed', async () => {
    await app.db.query(sql`update accounts set pause_message = ${app.sealer.seal('x', 'elsewhere' as Place)} where id = 1`);
    const before = [readSecret(app.config).split('\n')[0], await sealedValues()];
    await expect(rotateSecret(app, installation.caller)).rejects.toThrow(
      'accounts.pause_message contains values encrypted with the old secret',
    );
    expect([readSecret(app.config).split('\n')[0], await sealedValues()]).toEqual(before);
    await app.db.query(sql`update accounts set pause_message = null where id = 1`);
  });

  it('a value that nobody can open stays as it was and is counted', async () => {
    const foreign = createSealer(newSecret()).seal('x', SEALED.smtpSecret.place(1, 'smtp', {}));
    await app.db.query(sql`update accounts set smtp_secret = ${foreign} where id = 1`);
    expect(await succeed(cli, 'secret', 'rotate')).toMatchObject({ unreadable: 1 });
    const [row] = await app.db.query(sql`select smtp_secret from accounts where id = 1`);
    expect(row).toEqual({ smtp_secret: foreign });
    await app.db.query(sql`update accounts set smtp_secret = 'sealed' where id = 1`);
  });

  it('a secret from the environment: says what to do, then seals under the first of two', async () => {
    const [current = ''] = readSecret(app.config).split('\n');
    const withEnv =
      (secret: string): Cli =>
      (args) =>
        cli(args, { env: { OUTREACH_SECRET_KEY: secret } });
    expect(await refuse(withEnv(current), 1, 'secret', 'rotate')).toContain('put it before the old one, separated by a comma');
    const next = newSecret();
    const rotation = await succeed(withEnv(`${next},${current}`), 'secret', 'rotate');
    expect(rotation.key_id).toBe(createSealer(next).keyId);
    writeFileSync(join(app.config.dataDir, 'secret.key'), `${next}\n${readFileSync(join(app.config.dataDir, 'secret.key'), 'utf8')}`);
  });

  it('is refused while a daemon is connected that can not learn the new secret, and while another runs', async () => {
    const other = await underLock(app.db, 'secret rotation', () => refuse(cli, 1, 'secret', 'rotate'));
    expect(other).toContain('another secret rotation is running');
    const daemon = await announceDaemon(app, '1.0.0', ['api']);
    try {
      const [current = ''] = readSecret(app.config).split('\n');
      const answer = await cli(['secret', 'rotate'], { env: { OUTREACH_SECRET_KEY: `${newSecret()},${current}` } });
      expect(answer).toMatchObject({ status: 1, stderr: expect.stringContaining('stop it first') });
    } finally {
      await daemon.end();
    }
  });
});
