import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { type Cli, cliOf } from '../support/cli.ts';
import { type TestInstallation, testInstallation } from '../support/database.ts';
import { freePort } from '../support/imap-server.ts';
import { type SmtpSink, startSmtpSink } from '../support/smtp-sink.ts';

let installation: TestInstallation;
let cli: Cli;
let smtp: SmtpSink;

beforeAll(async () => {
  installation = await testInstallation();
  cli = cliOf(installation);
  smtp = await startSmtpSink({ users: { zoe: 'hunter2' } });
});
afterAll(() => smtp?.close());

const resultOf = (answer: { json(): { checks: { check: string; result: string }[] } }, check: string) =>
  answer.json().checks.find((one) => one.check.startsWith(check))?.result;

describe('outreach doctor', () => {
  it('one line each, problems first, then how many; exit status 0 when nothing fails', async () => {
    const { status, stdout, stderr } = await cli(['doctor']);
    expect({ status, stderr }).toEqual({ status: 0, stderr: '' });
    expect(stdout.trimEnd().split('\n')).toEqual([
      expect.stringMatching(/^warn {2}public address: not set, .*; set OUTREACH_BASE_URL$/),
      expect.stringMatching(/^warn {2}daemon: not running .*; run: outreach start$/),
      expect.stringMatching(/^ok {4}data directory: \S+, [\d.]+ GiB free$/),
      expect.stringMatching(/^ok {4}secret: from OUTREACH_SECRET_KEY, key [0-9a-f]{8}$/),
      expect.stringMatching(/^ok {4}database: PostgreSQL [\d.]+( \(.+\))?, without TLS, JIT off, at \S+:\d+\/\w+$/),
      expect.stringMatching(/^ok {4}migrations: all \d+ have run$/),
      expect.stringMatching(/^ok {4}job store: in the same PostgreSQL$/),
      'ok    contacts: each has a mailbox of its own',
      '8 checks: 2 warnings, 6 good. --all shows each.',
    ]);
  });

  it('--json prints one document; exit status 1 when a mailbox can’t be entered, with no password in it', async () => {
    await cli(['account', 'connect', 'zoe@example.com', '--smtp-url', `smtp://zoe:hunter2@127.0.0.1:${smtp.port}`]);
    const well = await cli(['doctor', '--json']);
    expect(resultOf(well, 'account 1 zoe@example.com SMTP')).toBe('ok');
    expect(resultOf(well, 'account 1 zoe@example.com IMAP')).toBe('warn');
    for (const record of ['mx', 'spf', 'dmarc']) expect(resultOf(well, `account 1 zoe@example.com ${record}`)).toMatch(/^(ok|warn|fail)$/);
    smtp.misbehave('auth', { code: 535, text: '5.7.8 hunter2 is wrong' });
    const ill = await cli(['doctor', '--json']);
    expect(ill).toMatchObject({ status: 1, stderr: '' });
    expect(ill.json().ok).toBe(false);
    expect(resultOf(ill, 'account 1 zoe@example.com SMTP')).toBe('fail');
    expect(ill.stdout).not.toContain('hunter2');
  });

  it('says what is wrong with a database that does not answer, and ends', async () => {
    const answer = await cli(['doctor'], { env: { DATABASE_URL: `postgres://127.0.0.1:${await freePort()}/outreach` } });
    expect(answer.status).toBe(1);
    expect(answer.stdout).toMatch(/^fail {2}database: the database at 127\.0\.0\.1:\d+\/outreach can't be reached .*DATABASE_URL$/m);
  });
});
