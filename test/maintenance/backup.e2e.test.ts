import { createHash, createHmac } from 'node:crypto';
import { mkdtempSync, readdirSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { zstdCompressSync, zstdDecompressSync } from 'node:zlib';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { pauseAccount, resumeAccount } from '../../src/campaigns/index.ts';
import { createContact, createList } from '../../src/contacts/index.ts';
import { migrateDown, migrateUp, migrationStatus } from '../../src/db/migrate.ts';
import { raw, sql } from '../../src/db/statement.ts';
import { backUp } from '../../src/maintenance/backup.ts';
import { pauseRecovered } from '../../src/maintenance/pause-sending.ts';
import { restore } from '../../src/maintenance/restore.ts';
import { storedTables } from '../../src/maintenance/tables.ts';
import { verifyBackup } from '../../src/maintenance/verify-backup.ts';
import { type Cli, cliOf, processCliOf, refuse, succeed } from '../support/cli.ts';
import { type TestInstallation, testInstallation } from '../support/database.ts';
import { numberFaults } from '../support/number-faults.ts';
import { insertAccount, insertCampaign, insertContact, insertLoggedEnrolment, insertRow } from '../support/rows.ts';

let source: TestInstallation;
let target: TestInstallation;
let cli: Cli;
const folder = mkdtempSync(join(tmpdir(), 'outreach-backup-'));
const path = (name: string) => join(folder, name);
const file = path('good.backup');
let accountId: number;
let campaignId: number;
let before: Record<string, string[]>;

/** Every row of every table as text, sorted. */
async function contentOf({ app }: TestInstallation): Promise<Record<string, string[]>> {
  const content: Record<string, string[]> = {};
  for (const { name } of await storedTables(app.db)) {
    const rows = await app.db.query<{ row: string }>(sql`select t::text as row from ${raw(name)} t order by 1`);
    content[name] = rows.map(({ row }) => row);
  }
  return content;
}

beforeAll(async () => {
  [source, target] = await Promise.all([testInstallation(), testInstallation()]);
  cli = cliOf(target);
  const { app, caller } = source;
  accountId = await insertAccount(app);
  campaignId = await insertCampaign(app, { account_id: accountId, status: 'active' });
  await insertCampaign(app, { account_id: accountId, status: 'draft' });
  const list = await createList(app, caller, 'List');
  for (const index of [1, 2, 3])
    await createContact(app, caller, {
      email: `c${index}@example.com`,
      name: 'tab\there'.replace('\t', ' '),
      company: index === 1 ? '\\. \\N' : null,
      list_ids: [list.id],
    });
  await insertContact(app, { custom_fields: { notes: 'line\n\\.\nbreak\t"quoted"' } });
  await insertLoggedEnrolment(app, campaignId, { due_at: source.clock.now() });
  // A number that was given away and never used.
  await app.db.query(sql`select nextval('contacts_id_seq')`);
  await backUp(app, file);
  before = await contentOf(source);
});
afterAll(() => rmSync(folder, { recursive: true, force: true }));

const withoutIds = (row: string) => row.replaceAll(/[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}/g, 'ID');
const restoredInto = (name = file, replace = true) => restore(target.app, name, { replace });

describe('backup and restore', () => {
  it('gives every row of every table back, and pauses what would send', async () => {
    const result = await restoredInto();
    expect(result).toMatchObject({ accounts_paused: 1, campaigns_paused: 1, migrated: [] });
    const after = await contentOf(target);
    expect(Object.keys(after)).toEqual(Object.keys(before));
    for (const [table, rows] of Object.entries(before)) {
      if (['accounts', 'campaigns'].includes(table)) expect(after[table], table).toHaveLength(rows.length);
      else if (table === 'audit_log')
        expect(
          after[table]?.filter((row) => !row.includes('installation.restore')),
          table,
        ).toEqual(rows);
      // Another history of the database begins (`history_id`).
      else if (table === 'workspaces') expect(after[table]?.map(withoutIds), table).toEqual(rows.map(withoutIds));
      else expect(after[table], table).toEqual(rows);
    }
    expect(await numberFaults(target.app)).toEqual([]);
  });

  it('then works: numbers that were given away are not given again, keys and triggers hold, a resume restarts what was active', async () => {
    const { app, caller } = target;
    const [max] = await source.app.db.query<{ last: number }>(sql`select last_value as last from contacts_id_seq`);
    const made = await createContact(app, caller, { email: 'after@example.com' });
    expect(made.id).toBeGreaterThan(max?.last ?? 0);
    await expect(createContact(app, caller, { email: 'C1@example.com' })).rejects.toThrow('exists');
    await expect(app.db.query(sql`insert into list_members (list_id, contact_id, added_at) values (1, 999999, now())`)).rejects.toThrow(
      /foreign key/,
    );
    const [counts] = await app.db.query(
      sql`select (select sum(total)::int from contact_counts) = (select count(*)::int from contacts where deleted_at is null) as agree`,
    );
    expect(counts).toEqual({ agree: true });
    expect(await pauseAccount(app, caller, accountId)).toMatchObject({ status: 'paused', pause_reason: 'manual' });
    await resumeAccount(app, caller, accountId);
    expect(await app.db.query(sql`select id, status from campaigns where account_id = ${accountId} order by id`)).toMatchObject([
      { status: 'active' },
      { status: 'draft' },
    ]);
  });

  it('keeps suppressed and erased addresses of the installation that is replaced', async () => {
    const { app, clock } = target;
    const created_at = clock.now();
    await app.db.query(sql`delete from suppressions`);
    await insertRow(app, 'suppressions', { workspace_id: 1, email: 'since@example.com', reason: 'unsubscribed', created_at });
    await insertRow(app, 'suppressions', { workspace_id: 1, email: 'no-more@example.com', created_at, removed_at: created_at });
    await app.db.query(sql`insert into erased_addresses (hash, erased_at) values ('abc', ${created_at})`);
    expect(await restoredInto()).toMatchObject({ suppressions_kept: 1 });
    expect(await app.db.query(sql`select email, reason from suppressions where removed_at is null`)).toEqual([
      { email: 'since@example.com', reason: 'unsubscribed' },
    ]);
    expect(await app.db.query(sql`select 1 as one from erased_addresses`)).toEqual([{ one: 1 }]);
    expect((await restoredInto()).suppressions_kept).toBe(1);
  });

  it('has the schema of migrations: the same indexes, constraints and triggers as one that was never restored', async () => {
    const schema = ({ app }: TestInstallation) =>
      app.db.query(sql`
        select indexdef as definition from pg_indexes where schemaname = 'public'
        union all select conrelid::regclass || ' ' || conname || ' ' || pg_get_constraintdef(oid) from pg_constraint where connamespace = 'public'::regnamespace
        union all select tgrelid::regclass || ' ' || tgenabled::text || ' ' || pg_get_triggerdef(oid) from pg_trigger where not tgisinternal
        union all select oid::regprocedure || ' ' || prosrc from pg_proc where pronamespace = 'public'::regnamespace and prolang <> 13
        order by 1`);
    expect(await schema(target)).toEqual(await schema(source));
  });

  it('can be verified with the secret alone', async () => {
    const rows = Object.values(before).reduce((sum, { length }) => sum + length, 0);
    expect(await verifyBackup(source.app.sealer, file)).toMatchObject({ file, rows, key_id: source.app.sealer.keyId });
  });

  it('is one snapshot of the database, readable by its owner only, without the secret', async () => {
    expect(statSync(file).mode & 0o777).toBe(0o600);
    const text = zstdDecompressSync(readFileSync(file)).toString('utf8');
    expect(text).not.toContain(source.app.config.secretKey);
    expect(text).toMatch(/^-- outreach backup\n-- \{"format":2,/);
    const [, body = '', sum] = /^([\s\S]*)-- sha256 ([0-9a-f]{64})\n-- hmac-sha256 [0-9a-f]{64}\n$/.exec(text) ?? [];
    expect(createHash('sha256').update(body).digest('hex')).toBe(sum);
  });
});

it('a database that was recovered by other means is paused as by restore, and not under a daemon', async () => {
  const { app, caller } = source;
  await app.db.query(sql`
    insert into daemons (worker, host, pid, version, roles, started_at, seen_at)
    values ('elsewhere:1:6:aaaaaaaa', 'elsewhere', 1, '1.0.0', '{worker}', now(), now())`);
  await expect(pauseRecovered(app, caller)).rejects.toThrow('a daemon is using this database');
  await app.db.query(sql`delete from daemons`);
  expect(await pauseRecovered(app, caller)).toEqual({ accounts_paused: 1, campaigns_paused: 1 });
  expect(await app.db.query(sql`select status, pause_reason from accounts where id = ${accountId}`)).toEqual([
    { status: 'paused', pause_reason: 'manual' },
  ]);
  await resumeAccount(app, caller, accountId);
  expect(await app.db.query(sql`select status from campaigns where id = ${campaignId}`)).toEqual([{ status: 'active' }]);
});

describe('a restore that can not be carried out changes nothing', () => {
  /** The backup after a change, with its checksum (unless told) and its signature made anew, as only whoever has the secret can. */
  const altered = (name: string, change: (text: string) => string, sum = true, key = source.app.sealer.keysFor('backup')[0]) => {
    const text = zstdDecompressSync(readFileSync(file)).toString('utf8');
    const [, original = '', kept] = /^([\s\S]*)-- sha256 (.*)\n-- hmac-sha256 .*\n$/.exec(text) ?? [];
    const body = change(original);
    const digest = sum ? createHash('sha256').update(body).digest('hex') : kept;
    const signature = createHmac('sha256', key ?? '').update(body);
    writeFileSync(path(name), zstdCompressSync(Buffer.from(`${body}-- sha256 ${digest}\n-- hmac-sha256 ${signature.digest('hex')}\n`)));
    return path(name);
  };
  const raw_ = (name: string, content: string | Buffer) => {
    writeFileSync(path(name), content);
    return path(name);
  };

  /** What the database holds before the first of them, and so before each. */
  let unchanged: Awaited<ReturnType<typeof contentOf>> | undefined;

  it.each([
    ['no backup', () => raw_('text', 'hello'), /is not an Outreach backup/],
    ['another compressed file', () => raw_('zst', zstdCompressSync(Buffer.from('hello\nworld\n'))), /is not an Outreach backup/],
    ['half of one', () => raw_('half', readFileSync(file).subarray(0, Math.floor(statSync(file).size / 2))), /is damaged|no backup/],
    [
      'a byte changed',
      () => {
        const bytes = Buffer.from(readFileSync(file));
        bytes[Math.floor(bytes.length / 2)] = (bytes[Math.floor(bytes.length / 2)] ?? 0) ^ 0xff;
        return raw_('flipped', bytes);
      },
      /is damaged|no backup/,
    ],
    [
      'a value changed',
      () => altered('value', (text) => text.replace('c1@example.com', 'c9@example.com'), false),
      /checksum does not match/,
    ],
    ['a row missing', () => altered('row', (text) => text.replace(/\n[^\n]*c1@example\.com[^\n]*/, '')), /does not have the expected/],
    [
      'a row that refers to nothing',
      () => altered('fk', (text) => text.replace(/(copy "enrolments" [^\n]*\n\d+\t\d+\t)\d+/, '$19999')),
      /nothing was restored.*foreign key/,
    ],
    [
      'an unknown table',
      () => altered('table', (text) => text.replace('copy "contacts"', 'copy "pg_authid"')),
      /unknown columns in pg_authid/,
    ],
    [
      'a newer backup',
      () => altered('newer', (text) => text.replace('"0001-access"', '"0001-access","9999-later"')),
      /newer than this program \(it has 9999-later\)/,
    ],
    [
      'a backup of before 1.0.0',
      () => altered('former', (text) => text.replace(/"0009-webhooks"[^\]]*/, '"0013-webhooks","0126-domain-quarters"')),
      /the backup was made by a version before 1\.0\.0/,
    ],
    ['another format', () => altered('format', (text) => text.replace('"format":2', '"format":3')), /has format 3/],
    [
      'the hash of an API key changed by somebody without the secret, with the checksum made anew',
      () => altered('forged', (text) => text.replace(/(?<=\\\\x)[0-9a-f]{64}/, '0'.repeat(64)), true, Buffer.from('guess')),
      /can't be trusted: its signature does not match/,
    ],
    [
      'a server changed, with the signature taken off',
      () =>
        raw_(
          'bare',
          zstdCompressSync(
            zstdDecompressSync(readFileSync(altered('server', (text) => text)))
              .toString('utf8')
              .replace(/-- hmac.*\n$/, ''),
          ),
        ),
      /is damaged|can't be trusted/,
    ],
    [
      'one of a version that did not sign',
      () => altered('early', (text) => text.replace('"format":2', '"format":1')),
      /was made by a version before 1\.0\.0/,
    ],
    [
      'another secret',
      () => altered('key', (text) => text.replace(source.app.sealer.keyId, 'deadbeef')),
      /encrypted with the secret deadbeef, but this installation has/,
    ],
  ])('%s', async (_, make, message) => {
    unchanged ??= await contentOf(target);
    const damaged = make();
    await expect(restoredInto(damaged)).rejects.toThrow(message);
    expect(await contentOf(target)).toEqual(unchanged);
    // Only the database knows which rows, tables and migrations it can take.
    if (/not an Outreach|damaged|checksum|signature|format|deadbeef/.test(message.source))
      await expect(verifyBackup(source.app.sealer, damaged)).rejects.toThrow(message);
  });

  it('a database that is not empty, unless told', async () => {
    await expect(restoredInto(file, false)).rejects.toThrow('use --replace');
  });

  it('interrupted, and with a daemon at work', async () => {
    const unchanged = await contentOf(target);
    const controller = new AbortController();
    const progress = (table: string) => table === 'events' && controller.abort(new Error('told to stop'));
    await expect(restore(target.app, file, { replace: true, signal: controller.signal, progress })).rejects.toThrow('told to stop');
    await target.app.db.query(sql`
      insert into daemons (worker, host, pid, version, roles, started_at, seen_at)
      values ('elsewhere:1:5:aaaaaaaa', 'elsewhere', 1, '1.0.0', '{api}', now(), now())`);
    await expect(restoredInto()).rejects.toThrow('a daemon is using this database');
    await target.app.db.query(sql`delete from daemons`);
    expect(await contentOf(target)).toEqual(unchanged);
  });
});

describe('the commands', () => {
  it('backup, restore --replace', async () => {
    const made = await succeed(cli, 'backup', path('cli.backup'));
    const returnedAt = Date.now();
    expect(made).toMatchObject({ file: path('cli.backup'), key_id: target.app.sealer.keyId });
    expect(await refuse(cli, 1, 'restore', path('cli.backup'))).toContain('use --replace');
    // It counts from its end. The status leaves out the milliseconds.
    const { last_backup_at } = await succeed(cli, 'status');
    expect(Date.parse(`${last_backup_at}Z`)).toBeGreaterThanOrEqual(Date.parse(`${made.made_at.slice(0, 19)}Z`));
    expect(Date.parse(`${last_backup_at}Z`)).toBeLessThanOrEqual(returnedAt);
    expect(await refuse(cli, 1, 'backup', path('cli.backup'))).toContain(
      `${path('cli.backup')} exists already; choose another name, or pass --force`,
    );
    const again = await succeed(cli, 'backup', path('cli.backup'), '--force');
    expect(again.rows).toBe(made.rows + 1);
    const unchanged = await contentOf(target);
    expect(await refuse(cli, 1, 'restore', '--replace', path('cli.backup'))).toContain(
      'there is no terminal to ask at, so nothing was restored; pass --yes to agree: Delete the data of ',
    );
    expect(await contentOf(target)).toEqual(unchanged);
    expect(await succeed(cli, 'restore', '--replace', '--yes', path('cli.backup'))).toMatchObject({
      rows: again.rows,
      made_at: again.made_at,
    });
    expect(await refuse(cli, 2, 'restore', path('none'))).toContain("can't be read");
    expect(await refuse(cli, 2, 'restore', folder)).toContain('is a directory');
    expect(await refuse(cli, 1, 'backup', '/dev/full')).toMatch(/can't be written: .*ENOSPC/);
    expect(await refuse(cli, 2, 'backup', path('none/x'))).toContain("can't be written");
    expect(readdirSync(folder).filter((name) => name.includes('.part'))).toEqual([]);
    // "backup - is not offered": stdout has the backup and nothing else.
    expect(await refuse(cli, 2, 'backup', '-')).toContain('--json needs a FILE');
    const piped = await processCliOf(target)(['backup', '-'], { encoding: 'latin1' });
    expect([piped.status, piped.stderr]).toEqual([
      0,
      expect.stringMatching(/^Wrote [\d,]+ rows from \d+ tables to stdout\.\nTo restore it/),
    ]);
    writeFileSync(path('piped.backup'), piped.stdout, 'latin1');
    expect(await succeed(cli, 'backup', '--verify', path('piped.backup'))).toMatchObject({ key_id: target.app.sealer.keyId });
  });

  it('a backup of an older schema is migrated; every migration can be taken back', async () => {
    const newest = (await migrationStatus(source.app)).executed.at(-1);
    await migrateDown(source.app);
    await backUp(source.app, path('older.backup'));
    expect(await restore(target.app, path('older.backup'), { replace: true })).toMatchObject({ migrated: [newest] });
    expect((await migrationStatus(target.app)).pending).toEqual([]);
    while ((await migrateDown(source.app)) !== undefined);
    expect(await storedTables(source.app.db)).toEqual([]);
    await restore(source.app, path('older.backup'));
    expect((await migrationStatus(source.app)).pending).toEqual([]);
    expect(await migrateUp(source.app)).toEqual([]);
  });

  it('a disk that fills up during a backup ends it with words', async () => {
    // More than the streams in between hold back, and hardly compressible.
    await source.app.db.query(sql`
      insert into erased_addresses (hash, erased_at) select sha256(random()::text::bytea), now() from generate_series(1, 200000)`);
    await expect(backUp(source.app, '/dev/full')).rejects.toThrow(/can't be written: .*ENOSPC/);
  });
});
