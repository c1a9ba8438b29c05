import { spawn, spawnSync } from 'node:child_process';
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { addUser, createWorkspace } from '../../src/access/index.ts';
import { getAccount, openImap, openSmtp, setAccountStatus } from '../../src/accounts/index.ts';
import { pauseAccountInTx } from '../../src/campaigns/index.ts';
import { sql } from '../../src/db/statement.ts';
import { type Cli, cliOf, processCliOf, refuse, succeed } from '../support/cli.ts';
import { TEST_START, type TestInstallation, testInstallation } from '../support/database.ts';
import { hasDovecot, type ImapServer, startImapServer } from '../support/imap-server.ts';
import { insertCampaign, insertRow } from '../support/rows.ts';
import { type SmtpSink, startSmtpSink, TEST_CERTIFICATE } from '../support/smtp-sink.ts';
import { outsideTransaction } from '../support/transaction-guard.ts';
import { waitUntil } from '../support/wait-until.ts';

const USER = 'zoe@example.com';
const PASSWORD = 'correct horse %/@';
const SEED = 'ann@seeds.example';
const users = { [USER]: PASSWORD, [SEED]: PASSWORD };
const user = encodeURIComponent(USER);
const secret = encodeURIComponent(PASSWORD);
const hasScript = spawnSync('script', ['--version']).status === 0;

let installation: TestInstallation;
let cli: Cli;
let smtp: SmtpSink;
let imap: ImapServer;

beforeAll(async () => {
  installation = await testInstallation();
  cli = cliOf(installation);
  smtp = await startSmtpSink({ users });
  imap = await startImapServer({ users });
});
afterAll(async () => {
  await smtp?.close();
  await imap?.close();
});
beforeEach(async () => {
  await installation.app.db.query(sql`delete from inbound_messages`);
  await installation.app.db.query(sql`delete from steps`);
  await installation.app.db.query(sql`delete from campaigns`);
  await installation.app.db.query(sql`delete from account_days`);
  await installation.app.db.query(sql`delete from accounts`);
});

const smtpUrl = (pass = `:${secret}`) => `smtp://${user}${pass}@127.0.0.1:${smtp.port}`;
const imapUrl = (pass = `:${secret}`) => `imap://${user}${pass}@127.0.0.1:${imap.port}`;
const connected = (...options: string[]) => succeed(cli, 'account', 'connect', USER, '--smtp-url', smtpUrl(), ...options);
const stored = () => installation.app.db.query<{ id: number }>(sql`select id from accounts`);

describe('outreach account connect', () => {
  it('--json prints the account as the API shows it; it takes the options of set', async () => {
    const options = ['--from-name', 'Zoë', '--timezone', 'Europe/Berlin', '--window-start', '7', '--window-end', '20', '--batch-min', '2'];
    const more = ['--batch-max', '4', '--batch-interval', '15', '--daily-limit', '99', '--imap-url', imapUrl()];
    const account = await connected(...options, ...more);
    expect(account).toEqual(await getAccount(installation.app.db, installation.caller, account.id));
    expect(account).toMatchObject({
      provider: 'smtp',
      email: USER,
      from_name: 'Zoë',
      status: 'active',
      timezone: 'Europe/Berlin',
      send_window_start_hour: 7,
      send_window_end_hour: 20,
      send_batch_min: 2,
      send_batch_max: 4,
      send_batch_interval_minutes: 15,
      daily_send_limit: 99,
    });
    expect(await openSmtp(installation.app, account.id)).toMatchObject({ user: USER, pass: PASSWORD });
    expect(await openImap(installation.app, account.id)).toMatchObject({ user: USER, pass: PASSWORD });
  });

  it('a password may come from the environment, and IMAP takes the one of SMTP where the user is the same', async () => {
    const urls = ['--smtp-url', smtpUrl(''), '--imap-url', imapUrl('')];
    const one = await cli(['account', 'connect', USER, ...urls, '--json'], { env: { OUTREACH_SMTP_PASSWORD: PASSWORD } });
    expect(one).toMatchObject({ status: 0, stderr: '' });
    expect(await openImap(installation.app, one.json().id)).toMatchObject({ pass: PASSWORD });
    const env = { OUTREACH_SMTP_PASSWORD: PASSWORD, OUTREACH_IMAP_PASSWORD: 'another' };
    const other = await cli(['account', 'connect', USER, ...urls], { env });
    expect(other.status).toBe(1);
    expect(other.stderr).toMatch(/^outreach: nothing was stored: IMAP server 127\.0\.0\.1:\d+ refused the login of zoe@example\.com .*\n$/);
  });

  it('a password may come from a file or stdin; one in a URL works with a warning, which no program is given', async () => {
    const file = join(installation.dataDir, 'password');
    writeFileSync(file, `${PASSWORD}\nnot this line\n`);
    const plain = ['account', 'connect', USER, '--smtp-url', smtpUrl('')];
    expect(await cli([...plain, '--smtp-password-file', file])).toMatchObject({ status: 0, stderr: '' });
    const mailbox = ['--imap-url', imapUrl(''), '--smtp-password-file', file, '--imap-password-file', '-', '--json'];
    const piped = await cli([...plain, ...mailbox], { input: `${PASSWORD}\n` });
    expect(await openImap(installation.app, piped.json().id)).toMatchObject({ pass: PASSWORD });
    expect(await refuse(cli, 2, ...plain, '--smtp-password-file', join(file, 'none'))).toContain("can't be read");
    expect(await refuse(cli, 2, ...plain, '--smtp-password-file', '-', '--imap-password-file', '-')).toContain('only one password');
    expect(await refuse(cli, 2, ...plain, '--smtp-password-file', '-')).toContain('stdin is empty');
    const visible = await cli(['account', 'connect', USER, '--smtp-url', smtpUrl()]);
    expect(visible.stderr).toMatch(
      /^outreach: warning: other users .* password in --smtp-url .*; use OUTREACH_SMTP_PASSWORD or --smtp-password-file\n$/,
    );
    expect(await cli(['account', 'connect', USER, '--smtp-url', smtpUrl(), '--json'])).toMatchObject({ status: 0, stderr: '' });
  });

  it('without a password and without a terminal it says where to put it', async () => {
    const line = await refuse(cli, 2, 'account', 'connect', USER, '--smtp-url', smtpUrl(''));
    expect(line).toContain('OUTREACH_SMTP_PASSWORD');
    expect(await stored()).toEqual([]);
  });

  it.runIf(hasScript)('at a terminal it asks, without showing what is typed', async () => {
    const shown = await atTerminal(['account', 'connect', USER, '--smtp-url', smtpUrl('')], PASSWORD);
    expect(shown).toContain(`Password for ${USER} at 127.0.0.1:${smtp.port}`);
    expect(shown).not.toContain(PASSWORD);
    expect(await stored()).toHaveLength(1);
  });

  it('a wrong password is one line that names the server, exit status 1, and nothing is stored', async () => {
    const line = await refuse(cli, 1, 'account', 'connect', USER, '--smtp-url', smtpUrl(':wrong-secret'));
    expect(line).toMatch(
      /SMTP server 127\.0\.0\.1:\d+ refused the login of zoe@example\.com \(AUTH \S+: 535 .*\); check user and password/,
    );
    expect(line).not.toContain('wrong-secret');
    expect(await stored()).toEqual([]);
  });

  it.each([
    [['account', 'connect', USER], '--smtp-url: is required'],
    [['account', 'connect', USER, '--smtp-url', 'smtp.example.com'], '--smtp-url: '],
    [['account', 'connect', 'not an address', '--smtp-url', 'smtp://u:p@127.0.0.1:1'], 'email: '],
    [
      ['account', 'connect', USER, '--smtp-url', 'smtp://u:p@127.0.0.1:1', '--window-start', '24'],
      '--window-start: must be a whole number from 0 to 23',
    ],
    [['account', 'connect', USER, '--smtp-url', 'smtp://u:p@127.0.0.1:1', '--timezone', 'Mars'], 'timezone: '],
    [['account', 'connect', USER, '--smtp-url', 'smtp://u:p@127.0.0.1:1', '--provider', 'yahoo'], '--provider'],
    [['account', 'connect'], 'missing argument EMAIL'],
  ])('%j is wrong usage', async (args, message) => {
    expect(await refuse(cli, 2, ...args)).toContain(message);
  });

  it('--owner and --workspace say whose it is', async () => {
    const { app, caller } = installation;
    const elsewhere = await app.db.tx((tx) => createWorkspace(tx, app, null, { name: 'Elsewhere' }));
    const { id } = await app.db.tx((tx) =>
      addUser(tx, app, { ...caller, workspaceId: elsewhere }, { email: 'owner@example.com', name: 'O', role: 'manager' }),
    );
    const account = await connected('--workspace', 'elsewhere', '--owner', 'owner@example.com');
    expect(await app.db.query(sql`select workspace_id, created_by from accounts where id = ${account.id}`)).toEqual([
      { workspace_id: elsewhere, created_by: id },
    ]);
    expect(await refuse(cli, 2, 'account', 'connect', USER, '--smtp-url', smtpUrl(), '--owner', 'owner@example.com')).toContain('owner: ');
    expect(await refuse(cli, 1, 'account', 'show', String(account.id))).toContain(`account ${account.id} not found`);
    expect((await succeed(cli, 'account', 'show', String(account.id), '--workspace', 'Elsewhere')).id).toBe(account.id);
  });

  it('a password appears nowhere: not in output, not in errors with --debug, not in the database', async () => {
    const env = { OUTREACH_LOG_LEVEL: 'trace' };
    const args = ['account', 'connect', USER, '--smtp-url', smtpUrl(), '--imap-url', imapUrl(), '--debug'];
    const right = await cli(args, { env });
    const wrong = await cli([...args.slice(0, 4), smtpUrl(':wrong-secret'), '--debug'], { env });
    expect([right.status, wrong.status]).toEqual([0, 1]);
    for (const text of [right.stdout, right.stderr, wrong.stdout, wrong.stderr]) {
      expect(text).not.toContain(PASSWORD);
      expect(text).not.toContain(secret);
      expect(text).not.toContain('wrong-secret');
    }
    const rows = await installation.app.db.query<{ text: string }>(
      sql`select a::text as text from accounts a union all select l::text from audit_log l`,
    );
    expect(rows.map((row) => row.text).join()).not.toContain(PASSWORD);
  });

  it.each(['implicit', 'starttls'] as const)('goes through TLS to servers whose certificate is trusted (%s)', async (tls) => {
    const secure = await startSmtpSink({ users, tls });
    const mailbox = hasDovecot || tls === 'implicit' ? await startImapServer({ users, tls }) : undefined;
    const [s, end] = tls === 'implicit' ? ['s', ''] : ['', '?tls=required'];
    const args = ['account', 'connect', USER, '--smtp-url', `smtp${s}://${user}:${secret}@localhost:${secure.port}${end}`, '--json'];
    if (mailbox !== undefined) args.push('--imap-url', `imap${s}://${user}:${secret}@127.0.0.1:${mailbox.port}${end}`);
    expect(await cli(args, { env: { NODE_EXTRA_CA_CERTS: TEST_CERTIFICATE } })).toMatchObject({ status: 0, stderr: '' });
    expect((await cli(args)).stderr).toMatch(/certificate is not trusted/);
    await secure.close();
    await mailbox?.close();
  });
});

describe('an account that the provider stopped', () => {
  async function stoppedWithCampaign(): Promise<{ id: number; campaign: number }> {
    const { app, caller } = installation;
    const { id } = await connected();
    const [row] = await app.db.query<{ id: number }>(sql`
      insert into campaigns (workspace_id, name, status, account_id, timezone, sending_hour_start, sending_hour_end, created_at, updated_at)
      values (1, 'C', 'active', ${id}, 'UTC', 0, 24, ${TEST_START}, ${TEST_START}) returning id`);
    await app.db.tx((tx) => pauseAccountInTx(tx, app, caller, id, { reason: 'provider_error', message: '535 revoked' }));
    return { id, campaign: row?.id ?? 0 };
  }
  const campaignStatus = async (id: number) =>
    (await installation.app.db.query<{ status: string }>(sql`select status from campaigns where id = ${id}`))[0]?.status;

  it('goes on when account test finds its servers well', async () => {
    const { id, campaign } = await stoppedWithCampaign();
    smtp.misbehave('auth', { code: 535, text: '5.7.8 no' }, { times: 1 });
    const failed = await cli(['account', 'test', String(id), '--json']);
    expect(failed.status).toBe(1);
    expect(failed.json()).toMatchObject({ ok: false, resumed: false, smtp: { problem: expect.stringContaining('535 5.7.8 no') } });
    expect(await campaignStatus(campaign)).toBe('paused');
    expect(await succeed(cli, 'account', 'test', String(id))).toEqual({
      account_id: id,
      email: USER,
      ok: true,
      smtp: { host: '127.0.0.1', port: smtp.port, problem: null },
      imap: null,
      resumed: true,
    });
    expect(await campaignStatus(campaign)).toBe('active');
  });

  it('that is disconnected can be resumed by connecting it again, and not otherwise', async () => {
    const { app, caller } = installation;
    const { id, campaign } = await stoppedWithCampaign();
    await app.db.tx((tx) =>
      setAccountStatus(tx, app, caller, id, { status: 'disconnected', pause_reason: 'provider_error', pause_message: '535 revoked' }),
    );
    expect(await refuse(cli, 1, 'account', 'resume', String(id))).toContain('outreach account connect');
    expect(await succeed(cli, 'account', 'test', String(id))).toMatchObject({ ok: true, resumed: false });
    expect(await connected()).toMatchObject({ id, status: 'active', pause_reason: null, pause_message: null });
    expect(await campaignStatus(campaign)).toBe('active');
  });
});

describe('the other account commands', () => {
  it('set changes what is given, and says what can’t be', async () => {
    const { id } = await connected();
    const shown = await succeed(cli, 'account', 'set', String(id), '--daily-limit', '7', '--shared', 'false', '--gap-max', '30');
    expect(shown).toMatchObject({ id, daily_send_limit: 7 });
    const { stdout } = await cli(['account', 'show', String(id)]);
    expect(stdout).not.toContain('Shared');
    expect(stdout).toMatch(/gap max seconds: 30/);
    expect(stdout).toMatch(new RegExp(`^SMTP +smtp://zoe%40example\\.com@127\\.0\\.0\\.1:${smtp.port}$`, 'm'));
    expect(await refuse(cli, 2, 'account', 'set', String(id))).toContain('nothing to change');
    expect(await refuse(cli, 2, 'account', 'set', String(id), '--batch-min', '9')).toContain('--batch-min: ');
    expect(await refuse(cli, 1, 'account', 'set', String(id), '--signature', 'x')).toContain('not found');
    expect(await refuse(cli, 1, 'account', 'set', '999', '--daily-limit', '1')).toContain('account 999 not found');
  });

  // "`account set --tag` reads and rewrites tags, so two at once can lose one."
  it('set --tag and --untag leave the tags that another command sets at the same time', async () => {
    const { id } = await connected();
    const alone = processCliOf(installation);
    await alone(['account', 'set', String(id), '--tag', 'old']);
    const [one, two] = await installation.app.db.tx(async (tx) => {
      await tx.query(sql`select from accounts where id = ${id} for update`);
      const waits = sql`select pid from pg_stat_activity where datname = current_database() and wait_event_type = 'Lock'`;
      return outsideTransaction(async () => {
        const both = [
          ['--tag', 'us'],
          ['--tag', 'eu', '--untag', 'old'],
        ].map((flags) => alone(['account', 'set', String(id), ...flags]));
        await waitUntil('both wait for the account', async () => (await installation.app.db.query(waits)).length === 2, 30);
        return both;
      });
    });
    expect([await one, await two]).toMatchObject([{ status: 0 }, { status: 0 }]);
    const [row] = await installation.app.db.query<{ tags: string[] }>(sql`select tags from accounts where id = ${id}`);
    expect(row?.tags.toSorted()).toEqual(['eu', 'us']);
  });

  it('show tells how many messages in the mailbox could not be read', async () => {
    const { id } = await connected();
    const shown = async () => /^Not read +(.*)$/m.exec((await cli(['account', 'show', String(id)])).stdout)?.[1];
    expect(await shown()).toBeUndefined();
    const { app } = installation;
    for (const uid of [1, 2])
      await insertRow(app, 'inbound_messages', {
        ...{ workspace_id: 1, account_id: id, folder: 'INBOX', uid_validity: 1, uid, verdict: 'unreadable', created_at: app.clock.now() },
        reasons: JSON.stringify(['its parser gave up']),
      });
    expect(await shown()).toBe('2 messages could not be read');
  });

  it('set --dkim-domain prints the DNS record to publish, show shows it again, none takes it back', async () => {
    const { id } = await succeed(cli, 'account', 'connect', USER, '--smtp-url', smtpUrl());
    const set = ['account', 'set', String(id)];
    const { dkim_records } = await succeed(cli, ...set, '--dkim-domain', 'example.com', '--dkim-selector', 's1', '--dkim-ed25519');
    expect(dkim_records).toMatchObject([
      { name: 's1._domainkey.example.com', type: 'TXT', value: expect.stringContaining('k=rsa; p=MII') },
      { name: 's1-ed25519._domainkey.example.com', type: 'TXT', value: expect.stringContaining('k=ed25519; p=') },
    ]);
    const { stdout } = await cli(['account', 'show', String(id)]);
    expect(stdout).toContain('s1._domainkey.example.com. IN TXT ( "v=DKIM1; k=rsa; p=MII');
    expect(stdout).not.toContain('PRIVATE');
    expect(await succeed(cli, 'account', 'set', String(id), '--dkim-domain', 'none')).toMatchObject({ id, dkim_records: [] });
    expect(await refuse(cli, 2, 'account', 'set', String(id), '--dkim-domain', 'example.org')).toContain(
      '--dkim-domain: must be example.com',
    );
    expect(await refuse(cli, 2, 'account', 'set', String(id), '--dkim-key', '/nowhere.pem')).toContain('--dkim-key: ');
  });

  it('list, show, pause, resume, archive, unarchive and delete', async () => {
    const account = await connected();
    const id = String(account.id);
    expect(await succeed(cli, 'account', 'list')).toMatchObject({ data: [account], pagination: { total: 1 } });
    expect(await succeed(cli, 'account', 'show', id)).toEqual(account);
    expect(await succeed(cli, 'account', 'pause', id)).toEqual({ ...account, status: 'paused', pause_reason: 'manual' });
    expect(await succeed(cli, 'account', 'resume', id)).toEqual(account);
    expect(await succeed(cli, 'account', 'archive', id)).toEqual({ ...account, is_archived: true });
    expect(await succeed(cli, 'account', 'unarchive', id)).toEqual(account);
    expect(await succeed(cli, 'account', 'delete', id, '--yes')).toEqual({ id: account.id, deleted: true });
    expect(await succeed(cli, 'account', 'list')).toMatchObject({ data: [], pagination: { total: 0 } });
    for (const command of ['show', 'pause', 'resume', 'archive', 'unarchive', 'delete', 'test'])
      expect(await refuse(cli, 1, 'account', command, id)).toContain(`account ${id} not found`);
    const history = await installation.app.db.query<{ actor: string; action: string }>(sql`
      select actor, action from audit_log where resource_type = 'account' and resource_id = ${account.id} order by id`);
    expect(history.map((row) => row.action)).toEqual(
      ['connect', 'pause', 'resume', 'archive', 'unarchive', 'delete'].map((verb) => `account.${verb}`),
    );
    expect(new Set(history.map((row) => row.actor))).toEqual(new Set(['cli']));
  });

  it('people get a table, a record and a sentence', async () => {
    const { id } = await connected();
    expect((await cli(['account', 'list'])).stdout).toMatch(/^ID +EMAIL +STATUS .*\n.*zoe@example\.com/);
    expect((await cli(['account', 'pause', String(id)])).stdout).toBe(
      `zoe@example.com (account ${id}) is paused with its campaigns; to continue, run: outreach account resume ${id}\n`,
    );
    expect((await cli(['account', 'test', String(id)])).stdout).toMatch(/SMTP +127\.0\.0\.1 +\d+ +ok/);
  });
});

/** Runs the program in a terminal of its own, types a line at its first prompt, and returns the output. */
function atTerminal(args: string[], line: string): Promise<string> {
  const quoted = [process.execPath, 'bin/run.js', ...args].map((word) => `'${word}'`).join(' ');
  const child = spawn('script', ['--quiet', '--return', '--command', quoted, '/dev/null'], {
    env: {
      PATH: process.env.PATH ?? '',
      HOME: installation.dataDir,
      TERM: 'xterm',
      OUTREACH_DATA_DIR: installation.dataDir,
      OUTREACH_SECRET_KEY: installation.app.config.secretKey ?? '',
      DATABASE_URL: installation.databaseUrl,
    },
  });
  return new Promise((resolve) => {
    let shown = '';
    let isTyped = false;
    child.stdout.on('data', (text) => {
      shown += text;
      if (isTyped || !shown.includes('Password')) return;
      isTyped = true;
      child.stdin.write(`${line}\r`);
    });
    child.once('close', () => resolve(shown));
  });
}

describe('outreach account placement --seed', () => {
  const seed = () => `imap://${encodeURIComponent(SEED)}@127.0.0.1:${imap.port}`;
  const from = ['account', 'placement', '--from', USER];

  it.each([
    ['no password', [], 'outreach: --seed: no password given; use --seed-password-file, or run this at a terminal to be prompted'],
    ['too few lines', ['--seed-password-file', '/dev/null'], `--seed: no password for ${SEED}; the file must have a line for each seed`],
    ['a file without a seed', null, /--seed-password-file/],
  ])('%s is wrong use', async (_, options, message) => {
    await connected();
    const args = options === null ? ['--seed-password-file', '/dev/null'] : ['--seed', seed(), ...options];
    const { status, stderr } = await cli([...from, ...args]);
    expect({ status, stderr }).toEqual({
      status: 2,
      stderr: typeof message === 'string' ? expect.stringContaining(message) : expect.stringMatching(message),
    });
  });

  it('tests a mailbox that is no account here, with a password from a file', async () => {
    const { id } = await connected();
    await insertCampaign(installation.app, { account_id: id }, [{ subject: 'Hello' }]);
    const file = join(installation.dataDir, 'seed-password');
    writeFileSync(file, `${PASSWORD}\n`);
    const sent = await cli([...from, '--seed', seed(), '--seed-password-file', file, '--wait', '0']);
    expect(sent).toMatchObject({ status: 1, stdout: expect.stringMatching(/^ann@seeds\.example +- +waiting/m) });
    for (const { raw } of smtp.messages) await imap.append(SEED, 'INBOX', raw);
    const { status, stdout } = await cli(from);
    expect({ status, stdout }).toMatchObject({ status: 0, stdout: expect.stringMatching(/^ann@seeds\.example +- +inbox +INBOX/m) });
  });

  // "`account placement` shows the newest test, which may be somebody else's."
  it('shows the test that it has started, also if somebody starts another in the meantime', async () => {
    const { id } = await connected();
    await insertCampaign(installation.app, { account_id: id }, [{ subject: 'Mine' }]);
    const { pool } = installation.app.db;
    const theirs = { sent_at: '2026-07-07 12:00:00', campaign_id: 1, step_order: 1, subject: 'Theirs', results: [] };
    await pool.query(`
      create function start_another() returns trigger language plpgsql as $$ begin
        new.placements = '[${JSON.stringify(theirs)}]'::jsonb || new.placements; return new;
      end $$;
      create trigger another before update of placements on accounts for each row when (old.placements = '[]') execute function start_another()`);
    try {
      const password = join(installation.dataDir, 'seed-password');
      writeFileSync(password, `${PASSWORD}\n`);
      const { stdout } = await cli([...from, '--seed', seed(), '--seed-password-file', password, '--wait', '0', '--json']);
      expect(JSON.parse(stdout)).toMatchObject({ subject: 'Mine', results: [{ email: SEED }] });
    } finally {
      await pool.query('drop function start_another() cascade');
    }
    expect((await succeed(cli, ...from)).subject).toBe('Theirs');
  });
});
