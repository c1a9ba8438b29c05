import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { sql } from '../../src/db/statement.ts';
import { type Cli, cliOf } from '../support/cli.ts';
import { type TestInstallation, testInstallation } from '../support/database.ts';
import { startReceiver } from '../support/receiver.ts';
import { insertAccount, insertCampaign, insertContact } from '../support/rows.ts';
import { type SmtpSink, startSmtpSink } from '../support/smtp-sink.ts';

/** No command may pass an escape sequence, C1 control or bidirectional override from a stranger to the operator's terminal. */

const EVIL = '\u001b[2J\u009b31m\u202eevil\rok    secret: fine';
const UNSAFE = /(?!\n)[\p{Cc}\u061c\u200e\u200f\u2028-\u202e\u2066-\u2069\ufeff]/u;

let installation: TestInstallation;
let cli: Cli;
let smtp: SmtpSink;
let campaign: string;
let contact: string;

beforeAll(async () => {
  installation = await testInstallation();
  const { app } = installation;
  const plain = cliOf(installation);
  cli = (args, options) => plain(args, { ...options, env: { OUTREACH_WEBHOOKS_ALLOW_PRIVATE: 'true', ...options?.env } });
  smtp = await startSmtpSink({ users: { zoe: 'hunter2' } });
  const account = await insertAccount(app, { status: 'paused', pause_reason: 'provider_error', pause_message: `535 ${EVIL}` });
  const steps = [{ subject: 'Dear {{name}}', body_html: `<p>${EVIL}\n{{name}}</p>` }];
  campaign = String(await insertCampaign(app, { account_id: account, name: EVIL }, steps));
  contact = String(await insertContact(app, { name: `Ada ${EVIL}` }));
  await app.db.query(sql`
    insert into audit_log (workspace_id, actor, action, resource_type, changes, at)
    values (1, 'cli', 'campaign.update', 'campaign', ${JSON.stringify({ name: ['', EVIL] })}::jsonb, ${app.clock.now()})`);
});
afterAll(() => smtp?.close());

/** Runs a command with and without --json, and returns the text. */
async function shown(...args: string[]): Promise<string> {
  const [plain, json] = [await cli(args), await cli([...args, '--json'])];
  for (const { stdout, stderr } of [plain, json]) expect(stdout + stderr, args.join(' ')).not.toMatch(UNSAFE);
  json.json();
  return plain.stdout;
}

describe('what strangers wrote', () => {
  it('is cleaned in campaign preview: names, subject and body; the text is still there', async () => {
    const text = await shown('campaign', 'preview', campaign, '--contact', contact);
    expect(text).toMatch(/^Subject: Dear Ada +\[2J 31m evil ok {4}secret: fine$/m);
    expect(text).toContain('[2J');
  });

  it('is cleaned in campaign explain: the words of a server stay on their line', async () => {
    expect(await shown('campaign', 'explain', campaign)).not.toMatch(/^ok {4}secret/m);
  });

  it('is cleaned in history and in lists, and means the same in JSON', async () => {
    await shown('history');
    const { data } = (await cli(['history', '--json'])).json() as { data: { changes: { name?: string[] } }[] };
    expect(data.find(({ changes }) => changes.name !== undefined)?.changes.name).toEqual(['', EVIL]);
  });

  it('is cleaned in doctor: no result stands on a line of its own but by us', async () => {
    await cli(['account', 'connect', 'zoe@example.com', '--smtp-url', `smtp://zoe@127.0.0.1:${smtp.port}`], {
      env: { OUTREACH_SMTP_PASSWORD: 'hunter2' },
    });
    smtp.misbehave('auth', { code: 535, text: `5.7.8 ${EVIL}` });
    const text = await shown('doctor');
    expect(text).toMatch(/^fail {2}account \d+ zoe@example\.com: \d+ problems?\n(?: .*\n)* +SMTP +.*evil/m);
    expect(text.match(/^ok {4}secret/gm)).toHaveLength(1);
  });

  it('is cleaned in webhook test', async () => {
    const receiver = await startReceiver();
    receiver.answer((res) => res.writeHead(500, '\u009b2J').end(EVIL));
    const { id } = (await cli(['webhook', 'add', receiver.url, '--json'])).json();
    expect(await shown('webhook', 'test', String(id))).toMatch(/^Not delivered/);
  });

  it('is cleaned in errors, with their stack too', async () => {
    const { stderr } = await cli(['workspace', 'rename', EVIL, 'x', '--debug']);
    expect(stderr).toMatch(/^outreach: workspace .* not found/);
    expect(stderr).not.toMatch(UNSAFE);
  });
});
