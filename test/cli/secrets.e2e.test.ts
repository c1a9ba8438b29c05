import { spawn } from 'node:child_process';
import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { connectAccount } from '../../src/accounts/index.ts';
import { activateCampaign, addStep, createCampaign, enrol } from '../../src/campaigns/index.ts';
import { sql } from '../../src/db/statement.ts';
import { type Cli, cliOf, processCliOf } from '../support/cli.ts';
import { type TestInstallation, testInstallation } from '../support/database.ts';
import { insertContact } from '../support/rows.ts';
import { type SmtpSink, startSmtpSink } from '../support/smtp-sink.ts';
import { waitUntil } from '../support/wait-until.ts';

const PASSWORD = 'canary-of-the-mailbox';
const CANARIES = [PASSWORD, 'canary-of-the-system-mail', 'canary-of-the-client'];

let installation: TestInstallation;
let cli: Cli;
let smtp: SmtpSink;

beforeAll(async () => {
  installation = await testInstallation();
  cli = cliOf(installation);
  smtp = await startSmtpSink({ users: { zoe: PASSWORD } });
});
afterAll(() => smtp?.close());

/** Creates a running campaign with one email, from a mailbox that sends at any hour. */
async function mailDue(): Promise<void> {
  const { app, caller } = installation;
  const server = { host: '127.0.0.1', port: smtp.port, secure: false, tls: 'off', user: 'zoe' } as const;
  const account = await connectAccount(app, caller, {
    ...{ email: 'zoe@example.com', provider: 'smtp', smtp: { server, secret: { pass: PASSWORD } } },
    settings: { send_window_start_hour: 0, send_window_end_hour: 24 },
  });
  const campaign = await createCampaign(app, caller, { name: 'C', account_id: account.id });
  const step = { subject: 'S', body_html: '<p>B</p>', subject_b: null, body_html_b: null, wait_days: 0, kind: 'email' } as const;
  await addStep(app, caller, campaign.id, step);
  await app.db.query(sql`update campaigns set sending_days = '{1,2,3,4,5,6,7}', sending_hour_start = 0, sending_hour_end = 24`);
  await enrol(app, caller, campaign.id, { contact_ids: [await insertContact(app)] });
  await activateCampaign(app, caller, campaign.id, null);
}

describe('no password appears', () => {
  it.runIf(process.platform === 'linux')(
    'in the list of processes, once the program runs, though it was given on the command line',
    async () => {
      smtp.misbehave('auth', 'stall');
      const program = fileURLToPath(new URL('../../bin/run.js', import.meta.url));
      const child = spawn(
        process.execPath,
        [program, 'account', 'connect', 'a@example.com', '--smtp-url', `smtp://zoe:${PASSWORD}@127.0.0.1:${smtp.port}`],
        {
          env: {
            PATH: process.env.PATH ?? '',
            HOME: installation.dataDir,
            DATABASE_URL: installation.databaseUrl,
            OUTREACH_DATA_DIR: installation.dataDir,
          },
          stdio: 'ignore',
        },
      );
      const line = () => readFileSync(`/proc/${child.pid}/cmdline`, 'utf8');
      await waitUntil('its command line says nothing more', () => !line().includes(PASSWORD));
      expect(line()).toMatch(/^outreach/);
      child.kill('SIGKILL');
      smtp.behave();
    },
  );

  it('in a log, however much is logged, nor in the audit trail, when a server says it back', async () => {
    await mailDue();
    smtp.misbehave('auth', { code: 535, text: `5.7.8 ${PASSWORD} is wrong` }, { times: 1 });
    const env = {
      ...{ OUTREACH_LOG_LEVEL: 'trace', OUTREACH_TICK_SECONDS: '0.2', OUTREACH_GOOGLE_CLIENT_ID: 'id' },
      ...{ OUTREACH_GOOGLE_CLIENT_SECRET: 'canary-of-the-client', OUTREACH_SYSTEM_FROM: 'system@example.com' },
      OUTREACH_SYSTEM_SMTP_URL: 'smtp://system:canary-of-the-system-mail@127.0.0.1:1',
    };
    const running = processCliOf(installation)(['start', '--port', '0'], { env });
    void running.then(({ status, stderr }) => {
      if (status !== 0) console.error(stderr);
    });
    await waitUntil('the daemon runs', () => existsSync(join(installation.dataDir, 'daemon.json')), 60);
    const failures = sql`select 1 from accounts where connection_failures > 0 or pause_reason = 'provider_error'`;
    await waitUntil('a batch was refused', async () => (await installation.app.db.query(failures)).length > 0);
    expect(await cli(['stop'])).toMatchObject({ status: 0 });
    const { status, stdout, stderr } = await running;
    expect(status).toBe(0);
    expect(stderr).toContain('no SMTP connection');
    const trail = await installation.app.db.query<{ text: string }>(sql`select l::text as text from audit_log l`);
    const shown = [stdout, stderr, ...trail.map(({ text }) => text)].join('\n');
    for (const canary of CANARIES) expect(shown).not.toContain(canary);
    expect(shown).not.toContain(new URL(installation.databaseUrl).password || 'no password is set');
  });
});
