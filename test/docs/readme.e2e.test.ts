import { spawn } from 'node:child_process';
import { chmodSync, mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { blocksOf, pageText, ROOT } from '../support/docs.ts';
import { commandDoor, shellOf } from '../support/docs-shell.ts';
import { freePort, type ImapServer, startImapServer } from '../support/imap-server.ts';
import { type SmtpSink, startSmtpSink } from '../support/smtp-sink.ts';
import { waitUntil } from '../support/wait-until.ts';

const ADDRESS = 'you@example.com';
const PASSWORD = 'correct horse';

const dataDir = mkdtempSync(join(tmpdir(), 'outreach-data-'));
// PostgreSQL does not run as root; its own user has to get through to its files.
chmodSync(dataDir, 0o711);
const shell = shellOf({ dataDir, databaseUrl: '' }, await commandDoor());
let smtp: SmtpSink;
let imap: ImapServer;
let stop: () => Promise<void> = async () => undefined;

beforeAll(async () => {
  smtp = await startSmtpSink({ users: { [ADDRESS]: PASSWORD } });
  imap = await startImapServer({ users: { [ADDRESS]: PASSWORD } });
});
afterAll(async () => {
  await stop();
  await smtp?.close();
  await imap?.close();
  rmSync(dataDir, { recursive: true, force: true });
});

/** Types `npm start` on an empty data directory, what `npm ci` leaves being there; gives what it prints once it is ready. */
async function npmStart(port: number): Promise<string> {
  const [start] = blocksOf('README.md', 'sh start');
  const [learned] = blocksOf('docs/tutorial.md', 'sh start');
  expect(learned?.text.trim()).toBe('npm ci && npm start');
  expect(start?.text.match(/npm ci && npm \w+/g)).toEqual(['npm ci && npm start', 'npm ci && npm test']);
  const child = spawn('npm', ['start'], {
    cwd: ROOT,
    // Away from the reader's own daemon; where the first is ready, the second is in place.
    env: { PATH: process.env.PATH, HOME: dataDir, OUTREACH_DATA_DIR: dataDir, OUTREACH_PORT: String(port) },
    stdio: ['ignore', 'pipe', 'pipe'],
    detached: true,
  });
  let printed = '';
  for (const stream of [child.stdout, child.stderr])
    stream.setEncoding('utf8').on('data', (text: string) => {
      printed += text;
    });
  const ended = new Promise<void>((resolve) => child.once('close', () => resolve()));
  stop = async () => {
    // As Ctrl-C does: to npm and to the program under it.
    if (child.exitCode === null && child.pid !== undefined) process.kill(-child.pid, 'SIGINT');
    await ended;
  };
  await waitUntil('npm start is ready', () => printed.includes('Next steps:') || child.exitCode !== null, 90);
  return printed;
}

it('README.md: npm start, and the first campaign, as they are written', { timeout: 240_000 }, async () => {
  const port = await freePort();
  const printed = await npmStart(port);
  const [, path = ''] = /The first API key is in (\S+),/.exec(printed) ?? [];
  expect(printed).not.toContain('ork_');
  const key = readFileSync(path, 'utf8').trim();
  expect(key).toMatch(/^ork_/);
  const user = encodeURIComponent(ADDRESS);
  // npm takes longer than the program: one command through it shows that it finds the program, the others run the program itself.
  const throughNpm = 'outreach() { npm exec -- outreach "$@"; }';
  const [block] = blocksOf('README.md', 'sh');
  expect(block?.text.startsWith(`${throughNpm}\n`)).toBe(true);
  const { status, output } = await shell(blocksOf('README.md', 'sh'), {
    cwd: ROOT,
    env: { OUTREACH_PORT: String(port), OUTREACH_SMTP_PASSWORD: PASSWORD, DATABASE_URL: '', OUTREACH_SECRET_KEY: '' },
    replace: {
      [throughNpm]: `${throughNpm}\noutreach --version\noutreach() { command outreach "$@"; }`,
      'http://127.0.0.1:8025': `http://127.0.0.1:${port}`,
      'smtps://you%40example.com@smtp.example.com': `smtp://${user}@127.0.0.1:${smtp.port}`,
      'imaps://you%40example.com@imap.example.com': `imap://${user}@127.0.0.1:${imap.port}`,
    },
  });
  expect(output).not.toMatch(/^outreach: /m);
  expect(status, output).toBe(0);
  expect(output).toMatch(/^outreach\/\d/m);
  expect(output).toContain('Campaign 1 "Hello" is active');
});

it('README.md names only scripts that there are', () => {
  const { scripts } = JSON.parse(pageText('package.json')) as { scripts: Record<string, string> };
  const named = [...pageText('README.md').matchAll(/npm run ([\w:]+)/g)].map(([, name]) => name);
  expect(Object.keys(scripts)).toEqual(expect.arrayContaining([...named, 'start', 'test']));
});
