import { once } from 'node:events';
import { chmodSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { connectAccount } from '../../src/accounts/index.ts';
import { pauseAccountInTx } from '../../src/campaigns/index.ts';
import { loadConfig } from '../../src/core/config.ts';
import type { DnsLookups } from '../../src/core/dns.ts';
import { INTERNET, type Network } from '../../src/core/network.ts';
import { sql } from '../../src/db/statement.ts';
import { type ExamineOptions, examine, type Finding, findingLines } from '../../src/doctor/index.ts';
import { startApi } from '../../src/http/server.ts';
import { trackingRoutes } from '../../src/http/tracking-routes.ts';
import { parseMailUrl } from '../../src/mail/mail-url.ts';
import { HitLog } from '../../src/tracking/index.ts';
import { type TestInstallation, testInstallation } from '../support/database.ts';
import { freePort, type ImapServer, startImapServer } from '../support/imap-server.ts';
import { moveServer } from '../support/move-server.ts';
import { TEST_SECRET } from '../support/secret.ts';
import { type SmtpSink, startSmtpSink } from '../support/smtp-sink.ts';

const USER = 'zoe@example.com';
const users = { [USER]: 'right' };

let installation: TestInstallation;
let smtp: SmtpSink;
let imap: ImapServer;

beforeAll(async () => {
  installation = await testInstallation({ baseUrl: 'https://outreach.example.com' });
  smtp = await startSmtpSink({ users });
  imap = await startImapServer({ users });
});
afterAll(async () => {
  await smtp?.close();
  await imap?.close();
});
beforeEach(async () => {
  smtp.behave();
  await installation.app.db.query(sql`delete from accounts`);
});

const goodDns: DnsLookups = {
  resolveMx: async () => [{ priority: 10, exchange: 'mx.example.com' }],
  resolveTxt: async (name) => [
    [name.startsWith('_dmarc') ? 'v=DMARC1; p=reject' : name.startsWith('google._domainkey') ? 'v=DKIM1; p=QUJD' : 'v=spf1 mx -all'],
  ],
  resolve4: async () => ['93.184.216.34'],
  resolve6: async () => [],
  reverse: async () => [],
};

const look = (settings: Parameters<typeof loadConfig>[0] = {}, options: Partial<ExamineOptions> = {}) =>
  examine(loadConfig({ dataDir: installation.dataDir, databaseUrl: installation.databaseUrl, secretKey: TEST_SECRET, ...settings }, {}), {
    daemonUrl: null,
    dns: goodDns,
    ...options,
  });
const about = (findings: Finding[], check: string) => {
  const found = findings.find((finding) => finding.check === check);
  return found === undefined ? undefined : `${found.result}: ${found.message}`;
};

async function connect(withImap = true): Promise<number> {
  const server = (protocol: 'smtp' | 'imap', port: number) => ({
    server: parseMailUrl(`${protocol}://zoe%40example.com@127.0.0.1:${port}`, protocol).server,
    secret: { pass: 'right' },
  });
  const account = await connectAccount(installation.app, installation.caller, {
    email: USER,
    provider: 'smtp',
    smtp: server('smtp', smtp.port),
    ...(withImap ? { imap: server('imap', imap.port) } : {}),
  });
  return account.id;
}

describe('an installation that is well', () => {
  it('every dependency, mailbox and DNS record is ok', async () => {
    const id = await connect();
    const findings = await look({ baseUrl: 'https://outreach.example.com' });
    expect(findings.filter(({ result }) => result !== 'ok')).toEqual([]);
    expect(findings.map(({ check }) => check)).toEqual([
      'data directory',
      'secret',
      'database',
      'migrations',
      'job store',
      'contacts',
      `account ${id} ${USER} SMTP`,
      `account ${id} ${USER} IMAP`,
      ...['sending', 'mx', 'spf', 'dkim', 'dmarc', 'dmarc_reports', 'tls', 'placement', 'bounces', 'complaints', 'limits'].map(
        (check) => `account ${id} ${USER} ${check}`,
      ),
      'public address',
      'daemon',
    ]);
  });

  it('a domain is asked about once, and archived and deleted mailboxes not at all', async () => {
    const id = await connect();
    const asked: string[] = [];
    const dns: DnsLookups = { ...goodDns, resolveMx: async (name) => [{ priority: 1, exchange: String(asked.push(name)) }] };
    await installation.app.db.query(sql`
      insert into accounts (workspace_id, provider, email, smtp, smtp_secret, imap, imap_secret, connected_at, updated_at, is_archived, deleted_at)
      select 1, provider, prefix || email, smtp, smtp_secret, imap, imap_secret, now(), now(), prefix = 'b', case prefix when 'c' then now() end
      from accounts, unnest(array['a', 'b', 'c']) as prefix where id = ${id}`);
    const findings = await look({}, { dns });
    expect(asked).toEqual(['example.com']);
    expect(new Set(findings.flatMap(({ account }) => account ?? []))).toEqual(
      new Set([`account ${id} ${USER}`, `account ${id + 1} a${USER}`]),
    );
    // A copied row's credentials were sealed for another one.
    expect(findings.find(({ check }) => check === `account ${id + 1} a${USER}`)).toMatchObject({ result: 'fail' });
  });
});

describe('the lines', () => {
  it('problems come first, a mailbox is named once with its own below, and --all shows every check; the last line counts them', async () => {
    const id = await connect(false);
    const findings = await look({ baseUrl: 'https://outreach.example.com' }, { dns: { ...goodDns, resolveMx: async () => [] } });
    const lines = findingLines(findings, false);
    expect(lines[0]).toMatch(new RegExp(`^warn  account ${id} ${USER}: \\d problems$`));
    expect(lines[1]).toMatch(/^ {6}IMAP {2,}not connected, /);
    expect(lines[2]).toMatch(/^ {6}MX {2,}no MX record,/);
    expect(lines.filter((line) => line.includes(`account ${id}`))).toHaveLength(1);
    expect(lines.at(-1)).toMatch(/^\d+ checks: \d+ warnings, \d+ good\. --all shows each\.$/);
    for (const line of findingLines(findings, false, { width: 80 }).slice(1, 3)) expect(line.length).toBeLessThanOrEqual(80);
    expect(findingLines(findings, true)).toHaveLength(findings.length + 1);
    const [well, why] = findingLines(await look(), false);
    expect(well).toBe(`warn  account ${id} ${USER}: 1 problem`);
    expect(why).toMatch(/^ {6}IMAP {2}not connected/);
  });
});

describe('what is wrong is told with what to do', () => {
  it('a mailbox whose login is refused, whose server is away, or that has no IMAP', async () => {
    const id = await connect();
    smtp.misbehave('auth', { code: 535, text: '5.7.8 no' });
    expect(about(await look(), `account ${id} ${USER} SMTP`)).toMatch(/^fail: SMTP server .* refused the login .*check user and password$/);
    await moveServer(installation.app, id, 'smtp', await freePort());
    await installation.app.db.query(sql`update accounts set imap = null where id = ${id}`);
    const findings = await look();
    expect(about(findings, `account ${id} ${USER} SMTP`)).toMatch(/^fail: SMTP server .*connection refused/);
    expect(about(findings, `account ${id} ${USER} IMAP`)).toMatch(/^warn: not connected, .*--imap-url$/);
  });

  it('a mailbox that is paused', async () => {
    const { app, caller } = installation;
    const id = await connect();
    await app.db.tx((tx) => pauseAccountInTx(tx, app, caller, id, { reason: 'provider_error', message: 'x' }));
    expect(about(await look(), `account ${id} ${USER} sending`)).toBe(`fail: paused: x; fix that, then run: outreach account resume ${id}`);
    await app.db.tx((tx) => pauseAccountInTx(tx, app, caller, id, { reason: 'manual' }));
    expect(about(await look(), `account ${id} ${USER}`)).toBe(`warn: paused by a person; to resume it, run: outreach account resume ${id}`);
  });

  it('a tracking host of an account that leads elsewhere or nowhere; one that leads here is ok, best with https', async () => {
    const { app } = installation;
    const id = await connect();
    const ours = await startApi(app, { problem: async () => undefined }, [trackingRoutes(app, new HitLog(app))]);
    const foreign = createServer((_, res) => res.writeHead(301, { location: 'https://parked.example/' }).end()).listen(0, '127.0.0.1');
    await once(foreign, 'listening');
    const anywhere = { ...INTERNET, isPublic: () => true };
    const trackedBy = async (origin: string, network: Network = anywhere) => {
      await app.db.query(sql`update accounts set tracking_host = ${origin} where id = ${id}`);
      return about(await look({}, { network }), `account ${id} ${USER} tracking`);
    };
    expect(await trackedBy(ours.url)).toMatch(/^warn: http.* is not https/);
    // Users name these hosts: what runs in a private network is not asked.
    expect(await trackedBy(ours.url, INTERNET)).toMatch(
      /^warn: .*not checked, because 127\.0\.0\.1 is not an address of the public internet/,
    );
    expect(await trackedBy(`http://127.0.0.1:${(foreign.address() as AddressInfo).port}`)).toMatch(
      /^fail: .* returns 301 for a link of ours/,
    );
    expect(await trackedBy(`http://127.0.0.1:${await freePort()}`)).toMatch(/^fail: .* can't be reached from here .*--tracking-host none$/);
    foreign.close();
    await ours.close();
  });

  it('a secret key that is another than the one the credentials were sealed under', async () => {
    const findings = await look({ secretKey: Buffer.alloc(32, 7).toString('base64url') });
    expect(about(findings, 'database')).toMatch(/^fail: the database is encrypted with the secret \w{8}, but the secret here is \w{8};/);
  });

  it('a database, a job store or a daemon that does not answer', async () => {
    const port = await freePort();
    const noDatabase = await look({ databaseUrl: `postgres://u:hunter2@127.0.0.1:${port}/outreach` });
    expect(about(noDatabase, 'database')).toMatch(/^fail: .*can't be reached .*DATABASE_URL$/);
    expect(JSON.stringify(noDatabase)).not.toContain('hunter2');
    expect(about(noDatabase, 'migrations')).toBeUndefined();
    const rest = await look({ mongodbUrl: `mongodb://127.0.0.1:${port}/x` }, { daemonUrl: `http://127.0.0.1:${port}` });
    expect(about(rest, 'job store')).toMatch(/^fail: MongoDB at 127\.0\.0\.1:\d+ can't be reached .*MONGODB_URL$/);
    expect(about(rest, 'daemon')).toMatch(/^fail: running, but not responding/);
    expect(about(await look({}, { daemonUrl: undefined }), 'daemon')).toMatch(/^warn: not running .*outreach start$/);
    expect(about(rest, 'public address')).toMatch(/^warn: not set/);
  });

  it('migrations that did not run, and ones that this program does not know', async () => {
    const { db } = installation.app;
    await db.query(sql`insert into mikro_orm_migrations (name) values ('Future9999')`);
    expect(about(await look(), 'migrations')).toMatch(/^fail: the database is newer .*Future9999/);
    await db.query(sql`delete from mikro_orm_migrations where name = 'Future9999'`);
    const [last] = await db.query<{ name: string }>(sql`
      delete from mikro_orm_migrations where id = (select max(id) from mikro_orm_migrations) returning name`);
    expect(about(await look(), 'migrations')).toBe(`fail: pending: ${last?.name}; run: outreach migrate`);
    await db.query(sql`insert into mikro_orm_migrations (name) values (${last?.name})`);
  });

  it('a data directory that is missing, and a secret file that is missing or that others can read', async () => {
    const folder = mkdtempSync(join(tmpdir(), 'outreach-doctor-'));
    const secretIn = (dataDir: string) => look({ dataDir, secretKey: undefined });
    expect(about(await look({ dataDir: join(folder, 'none') }), 'data directory')).toMatch(
      /^fail: .* does not exist; run: outreach install$/,
    );
    expect(about(await secretIn(folder), 'secret')).toMatch(/^fail: .*secret\.key is missing; restore it/);
    writeFileSync(join(folder, 'secret.key'), TEST_SECRET);
    chmodSync(join(folder, 'secret.key'), 0o644);
    expect(about(await secretIn(folder), 'secret')).toMatch(/^fail: .*can be read by other users; run: chmod 600/);
    chmodSync(join(folder, 'secret.key'), 0o600);
    expect(about(await secretIn(folder), 'secret')).toMatch(/^ok: /);
    writeFileSync(join(folder, 'secret.key'), 'short');
    expect(about(await secretIn(folder), 'secret')).toMatch(/^fail: .*at least 32 bytes/);
    const nothing = await look({ dataDir: folder, databaseUrl: undefined });
    expect(about(nothing, 'database')).toMatch(/^fail: Outreach is not installed/);
    rmSync(folder, { recursive: true });
  });
});
