import { once } from 'node:events';
import { writeFileSync } from 'node:fs';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { join } from 'node:path';
import type { Command } from '@oclif/core';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import AccountArchive from '../../../commands/account/archive.ts';
import AccountConnect from '../../../commands/account/connect.ts';
import AccountDelete from '../../../commands/account/delete.ts';
import AccountPause from '../../../commands/account/pause.ts';
import AccountResume from '../../../commands/account/resume.ts';
import AccountSet from '../../../commands/account/set.ts';
import AccountShow from '../../../commands/account/show.ts';
import AccountTest from '../../../commands/account/test.ts';
import AccountUnarchive from '../../../commands/account/unarchive.ts';
import CallDone from '../../../commands/call/done.ts';
import CallList from '../../../commands/call/list.ts';
import CallSkip from '../../../commands/call/skip.ts';
import CampaignExplain from '../../../commands/campaign/explain.ts';
import CampaignForecast from '../../../commands/campaign/forecast.ts';
import CampaignPreview from '../../../commands/campaign/preview.ts';
import CampaignTracking from '../../../commands/campaign/tracking.ts';
import WebhookAdd from '../../../commands/webhook/add.ts';
import WebhookDeliveries from '../../../commands/webhook/deliveries.ts';
import WebhookDisable from '../../../commands/webhook/disable.ts';
import WebhookEnable from '../../../commands/webhook/enable.ts';
import WebhookList from '../../../commands/webhook/list.ts';
import WebhookRemove from '../../../commands/webhook/remove.ts';
import WebhookReplay from '../../../commands/webhook/replay.ts';
import WebhookRotateSecret from '../../../commands/webhook/rotate-secret.ts';
import WebhookShow from '../../../commands/webhook/show.ts';
import WebhookTest from '../../../commands/webhook/test.ts';
import { sql } from '../../../src/db/statement.ts';
import { member } from '../../support/people.ts';
import { insertAccount, insertCampaign, insertEnrolment } from '../../support/rows.ts';
import { type Ran, runCommand } from '../../support/run-command.ts';
import { TEST_SECRET } from '../../support/secret.ts';
import { servedInstallation } from '../../support/served.ts';
import { startSmtpSink } from '../../support/smtp-sink.ts';
import { dueCall } from '../cases/world.ts';

const world = await servedInstallation({ webhooksAllowPrivate: true });
const { app } = world;
const here = {
  ...{ OUTREACH_DATA_DIR: world.dataDir, DATABASE_URL: world.databaseUrl, OUTREACH_SECRET_KEY: TEST_SECRET },
  OUTREACH_WEBHOOKS_ALLOW_PRIVATE: 'true',
};
const there = (key = world.adminKey) => ({ OUTREACH_URL: world.url, OUTREACH_API_KEY: key });

const receiver = createServer((_, response) => void response.writeHead(204).end()).listen(0, '127.0.0.1');
let hook = '';
beforeAll(async () => {
  if (!receiver.listening) await once(receiver, 'listening');
  hook = `http://127.0.0.1:${(receiver.address() as AddressInfo).port}/hook`;
});
afterAll(() => receiver.close());

const sink = await startSmtpSink({ users: { me: 'secret' } });
afterAll(() => sink.close());
const mailServer = () => `smtp://me@127.0.0.1:${sink.port}`;
const passwordFile = join(world.dataDir, 'password');
writeFileSync(passwordFile, 'secret\n');

const ALWAYS = { sending_days: [1, 2, 3, 4, 5, 6, 7], sending_hour_start: 0, sending_hour_end: 24 };

type Run = (command: typeof Command, ...args: string[]) => Promise<Ran>;

/** Masks ids, times and secrets, which differ from run to run. */
const masked = ({ status, stdout, stderr }: Ran) => ({
  status,
  text: `${stdout}${stderr}`
    .replaceAll(/whsec_\S+?(?=["\s])/g, 'SECRET')
    .replaceAll(/msg_\w+/g, 'MESSAGE')
    .replaceAll(/p=MII[^)]+/g, 'KEY')
    .replaceAll(/\d+/g, '#')
    .replaceAll(/[ -]+/g, ' '),
});

/** Commands on records, which are created anew for this machine and for HTTP. */
const LIVES: Record<string, (run: Run) => Promise<void>> = {
  accounts: async (run) => {
    const id = String(await insertAccount(app, { email: `box${Math.random()}@example.com` }));
    for (const command of [AccountPause, AccountResume, AccountArchive, AccountResume, AccountUnarchive, AccountDelete, AccountPause])
      await run(command, id, '--json');
    await run(AccountPause, 'nobody@example.org');
  },
  'the settings of accounts': async (run) => {
    const email = `set${Math.random()}@example.com`;
    const connect = ['--smtp-url', mailServer(), '--smtp-password-file', passwordFile];
    await run(AccountConnect, email, ...connect, '--daily-limit', '9', '--owner', 'admin@example.com', '--json');
    await run(AccountConnect, email, '--smtp-url', 'nonsense');
    await run(AccountConnect, email, ...connect, '--owner', 'nobody@example.com');
    for (const set of [['--batch-max', '7'], ['--batch-min', '9'], [], ['--dkim-domain', 'example.com']])
      await run(AccountSet, email, ...set);
    await run(AccountShow, email);
    await run(AccountTest, email);
    sink.misbehave('auth', { code: 535, text: '5.7.8 no' }, { times: 1 });
    await run(AccountTest, email, '--json');
    await run(AccountShow, '99999');
  },
  calls: async (run) => {
    const [first, second] = [await dueCall(world as never), await dueCall(world as never)];
    await run(CallDone, first, '--note', 'will think');
    await run(CallDone, first);
    await run(CallSkip, second, '--json');
    await run(CallSkip, 'x');
    await run(CallList, '--json', '--columns', 'status,notes');
  },
  webhooks: async (run) => {
    const added = JSON.parse((await run(WebhookAdd, hook, '--events', 'event.replied', '--name', 'CRM', '--json')).stdout);
    const id = String(added.id);
    for (const command of [WebhookShow, WebhookDisable, WebhookEnable, WebhookRotateSecret]) await run(command, id);
    await run(WebhookShow, id, '--json');
    const { id: delivery } = JSON.parse(
      (await run(WebhookTest, id, '--json')).stdout.replaceAll(/"duration_ms": \d+/g, '"duration_ms": 1'),
    );
    await run(WebhookReplay, String(delivery));
    await run(WebhookReplay, '999999');
    await run(WebhookDeliveries, id, '--columns', 'type,status', '--csv', '--since', '2026-01-01');
    await run(WebhookDeliveries, id, '--type', 'nonsense');
    await run(WebhookList, '--columns', 'name,is_enabled');
    await run(WebhookRemove, id);
    await run(WebhookAdd, 'ftp://example.com');
  },
  reports: async (run) => {
    // Commands on this machine use its clock, so the window must be open at any hour.
    const account_id = await insertAccount(app, { send_window_start_hour: 0, send_window_end_hour: 24 });
    const campaign = await insertCampaign(app, { name: `Reported ${Math.random()}`, account_id, ...ALWAYS });
    const { contactId } = await insertEnrolment(app, campaign, { due_at: app.clock.now() });
    const id = String(campaign);
    await run(CampaignExplain, id);
    await run(CampaignForecast, id, '--limit', '2', '--json');
    await run(CampaignPreview, id, '--contact', String(contactId));
    await run(CampaignPreview, id, '--contact', 'nobody@example.org');
    await run(CampaignTracking, id);
    await run(CampaignTracking, '99999');
  },
};

async function live(name: string, env: Record<string, string>): Promise<Ran[]> {
  const all: Ran[] = [];
  await LIVES[name]?.(async (command, ...args) => {
    const ran = await runCommand(command, args, env);
    all.push(ran);
    return ran;
  });
  return all;
}

describe('commands', () => {
  it.each(Object.keys(LIVES))('about %s answer on this machine as they do over HTTP', async (name) => {
    const local = (await live(name, here)).map(masked);
    const remote = (await live(name, there())).map(masked);
    expect(remote).toEqual(local);
    expect(local.filter(({ status }) => status === 0).length).toBeGreaterThan(2);
    await app.db.query(sql`update call_tasks set status = 'done' where status = 'pending'`);
  });
});

it('webhook add shows a secret where messages are signed: "Notices are not signed: the address of the webhook is its secret"', async () => {
  expect((await runCommand(WebhookAdd, [hook], there())).stdout).toMatch(/Its signing secret, shown only once:\n\n {2}whsec_/);
  const chat = await runCommand(WebhookAdd, [hook, '--format', 'slack'], there());
  expect(chat).toMatchObject({ status: 0, stdout: expect.not.stringContaining('whsec_') });
});

describe('the rights of a key', () => {
  it('one that only reads changes nothing', async () => {
    const { key } = await member(app, 'view_only');
    const id = String(await insertAccount(app));
    const call = await dueCall(world as never);
    for (const [command, arg] of [
      [AccountPause, id],
      [AccountTest, id],
      [CallDone, call],
      [WebhookAdd, hook],
    ] as const) {
      const { status, stderr } = await runCommand(command, [arg], there(key));
      expect({ status, stderr }).toMatchObject({ status: 1, stderr: expect.stringMatching(/^outreach: a view_only key can read/) });
    }
  });

  it('A changed password needs no servers again: they are stored', async () => {
    const email = 'again@example.com';
    await runCommand(AccountConnect, [email, '--smtp-url', mailServer(), '--smtp-password-file', passwordFile], there());
    const before = await runCommand(AccountShow, [email], there());
    expect(before.stdout).toContain(mailServer());
    for (const [command, args] of [
      [AccountConnect, [email]],
      [AccountSet, [email, '--password']],
    ] as const) {
      const withPassword = (password: string) => runCommand(command, args, { ...there(), OUTREACH_SMTP_PASSWORD: password });
      expect(await withPassword('wrong')).toMatchObject({ status: 1, stderr: expect.stringContaining('nothing was stored') });
      expect(await withPassword('secret')).toMatchObject({ status: 0, stderr: '' });
    }
    expect((await runCommand(AccountShow, [email], there())).stdout).toContain(mailServer());
    expect((await runCommand(AccountSet, ['--tag', 'x', '--password'], there())).stderr).toContain('--password: name one account');
  });

  it('one of a manager connects no account to a server of the private network', async () => {
    const { key } = await member(app, 'manager');
    const args = ['m@example.com', '--smtp-url', mailServer(), '--smtp-password-file', passwordFile];
    expect(await runCommand(AccountConnect, args, there(key))).toEqual({
      status: 2,
      stdout: '',
      stderr: 'outreach: --smtp-url: 127.0.0.1 is not on the public internet; only an admin of the default workspace may connect to it\n',
    });
    const owned = await runCommand(AccountConnect, [...args, '--owner', 'admin@example.com'], there(key));
    expect(owned.status).toBe(2);
  });
});
