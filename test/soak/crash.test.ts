import { type ChildProcess, spawn } from 'node:child_process';
import { chmodSync, existsSync, mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { type ApiClient, apiClient } from '../support/api-client.ts';
import { type SmtpSink, startSmtpSink } from '../support/smtp-sink.ts';
import { waitUntil } from '../support/wait-until.ts';

const PROGRAM = fileURLToPath(new URL('../../bin/run.js', import.meta.url));
const SENDER = 'zoe@example.com';
const PASSWORD = 'correct horse';
const MAILS = 500;

let dataDir: string;
let smtp: SmtpSink;
const running = new Set<ChildProcess>();

beforeAll(async () => {
  dataDir = mkdtempSync(join(tmpdir(), 'outreach-crash-'));
  // As root, the embedded server runs as another user, who must be able to enter.
  chmodSync(dataDir, 0o711);
  smtp = await startSmtpSink({ users: { [SENDER]: PASSWORD } });
});

afterAll(async () => {
  for (const child of running) child.kill('SIGTERM');
  await Promise.all([...running].map((child) => new Promise((resolve) => child.once('exit', resolve))));
  await smtp?.close();
  rmSync(dataDir, { recursive: true, force: true });
});

const environment = () => ({
  PATH: process.env.PATH ?? '',
  HOME: dataDir,
  OUTREACH_DATA_DIR: dataDir,
  OUTREACH_TICK_SECONDS: '0.2',
  OUTREACH_SMTP_PASSWORD: PASSWORD,
});

interface RunningDaemon {
  child: ChildProcess;
  url: string;
  key: string | undefined;
}

/** Starts the program as a person would, and waits until it says where it listens. */
async function start(): Promise<RunningDaemon> {
  const child = spawn(process.execPath, [PROGRAM, 'start', '--install', '--port', '0'], { env: environment() });
  running.add(child);
  child.once('exit', () => running.delete(child));
  let printed = '';
  let logged = '';
  child.stdout.on('data', (text) => {
    printed += text;
  });
  child.stderr.on('data', (text) => {
    logged += text;
  });
  const url = await waitUntil(
    `ready: ${logged}`,
    () => /ready at (\S+)/.exec(printed)?.[1] ?? (child.exitCode === null ? undefined : Promise.reject(new Error(logged))),
    60,
  );
  const keyFile = /API key is in (\S+),/.exec(printed)?.[1];
  return { child, url, key: keyFile === undefined ? undefined : readFileSync(keyFile, 'utf8').trim() };
}

async function cli(...args: string[]): Promise<string> {
  const child = spawn(process.execPath, [PROGRAM, ...args], { env: environment(), stdio: ['ignore', 'pipe', 'pipe'] });
  let output = '';
  let errors = '';
  child.stdout.on('data', (text) => {
    output += text;
  });
  child.stderr.on('data', (text) => {
    errors += text;
  });
  const status = await new Promise((resolve) => child.once('close', resolve));
  if (status !== 0) throw new Error(`outreach ${args.join(' ')}: ${errors}`);
  return output;
}

async function campaignOf(api: ApiClient, accountId: number): Promise<number> {
  const campaign = (await api.post('/campaigns', { name: 'Crash', account_id: accountId })).body;
  await api.patch(`/campaigns/${campaign.id}`, { sending_days: [1, 2, 3, 4, 5, 6, 7], sending_hour_start: 0, sending_hour_end: 24 });
  await api.post(`/campaigns/${campaign.id}/steps`, { subject: 'Hello {{name}}', body_html: '<p>Hello {{name}}</p>' });
  const ids: number[] = [];
  for (let index = 0; index < MAILS; index += 25) {
    const made = await Promise.all(
      Array.from({ length: 25 }, (_, offset) =>
        api.post('/contacts', { email: `contact${index + offset}@example.org`, name: `Contact ${index + offset}` }),
      ),
    );
    ids.push(...made.map((answer) => answer.body.id));
  }
  expect((await api.post(`/campaigns/${campaign.id}/contacts`, { contact_ids: ids })).body).toEqual({ enrolled: MAILS });
  expect((await api.post(`/campaigns/${campaign.id}/activate`)).status).toBe(200);
  return campaign.id;
}

describe('kill -9 in the middle of a batch of 500 mails', () => {
  it('each recipient has the mail at most once, everybody is accounted for, and the embedded PostgreSQL is found again', async () => {
    const before = await start();
    const api = apiClient(before.url, before.key ?? '');
    const account = JSON.parse(
      await cli(
        ...['account', 'connect', SENDER, '--smtp-url', `smtp://${encodeURIComponent(SENDER)}@127.0.0.1:${smtp.port}`, '--json'],
        ...[
          '--batch-min',
          String(MAILS),
          '--batch-max',
          String(MAILS),
          '--daily-limit',
          '10000',
          '--window-start',
          '0',
          '--window-end',
          '24',
          '--batch-interval',
          '1',
        ],
      ),
    );
    const campaign = await campaignOf(api, account.id);
    await smtp.waitFor(150);
    before.child.kill('SIGKILL');
    const atKill = smtp.messages.length;
    expect(atKill).toBeLessThan(MAILS);

    const after = await start();
    expect(after.key).toBeUndefined();
    const again = apiClient(after.url, before.key ?? '');
    const stats = async () => (await again.get(`/campaigns/${campaign}/stats`)).body;
    const uncertain = async () =>
      JSON.parse(await cli('outbox', 'list', '--uncertain', '--json')).data as { recipient: string; state: string }[];
    // The command is a process of its own and is asked only when few can be missing.
    await waitUntil('nearly all are sent', async () => (await stats()).sent >= MAILS - 100, 180);
    await waitUntil('every recipient is accounted for', async () => (await stats()).sent + (await uncertain()).length === MAILS, 60);

    const perRecipient = new Map<string, number>();
    for (const message of smtp.messages) for (const to of message.to) perRecipient.set(to, (perRecipient.get(to) ?? 0) + 1);
    expect([...perRecipient.values()].filter((count) => count > 1)).toEqual([]);
    const unknown = await uncertain();
    expect(unknown.every((mail) => mail.state === 'unknown')).toBe(true);
    for (const recipient of unknown.map((mail) => mail.recipient)) perRecipient.delete(recipient);
    expect(perRecipient.size).toBe((await stats()).sent);
    console.log(`killed after ${atKill} mails: ${(await stats()).sent} sent, ${unknown.length} delivery unknown, 0 twice, 0 lost`);
  }, 300_000);

  it('PostgreSQL restarted under the running daemon: it reconnects and goes on', async () => {
    const record = JSON.parse(await cli('status', '--json'));
    const api = apiClient(record.url, null);
    const postmaster = Number(readFileSync(join(dataDir, 'postgres', 'postmaster.pid'), 'utf8').split('\n')[0]);
    // SIGINT is PostgreSQL's fast shutdown: every connection is cut, the server ends.
    process.kill(postmaster, 'SIGINT');
    await waitUntil('the server has ended', () => !existsSync(join(dataDir, 'postgres', 'postmaster.pid')));
    const healthy = await fetch(`${record.url}/healthz`);
    expect(healthy.status).toBe(200);
    await waitUntil('ready again', async () => (await fetch(`${record.url}/readyz`)).status === 200);
    expect((await api.get('/me')).status).toBe(401);
    expect(JSON.parse(await cli('status', '--json'))).toMatchObject({ running: true, pid: record.pid });
  }, 60_000);
});
