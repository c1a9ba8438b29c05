import { spawn } from 'node:child_process';
import { readFileSync, rmSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { type Daemon, startDaemon } from '../../src/daemon.ts';
import { type TestInstallation, testInstallation } from '../support/database.ts';
import { TEST_SECRET } from '../support/global-setup.ts';
import { type ImapServer, startImapServer } from '../support/imap-server.ts';
import { type SmtpSink, startSmtpSink } from '../support/smtp-sink.ts';

const ROOT = fileURLToPath(new URL('../..', import.meta.url));
const TUTORIAL = readFileSync(new URL('../../docs/tutorial.md', import.meta.url), 'utf8');
const ADDRESS = 'you@example.com';
const PASSWORD = 'correct horse';

let installation: TestInstallation;
let daemon: Daemon;
let smtp: SmtpSink;
let imap: ImapServer;

beforeAll(async () => {
  installation = await testInstallation({ tickSeconds: 0.2 });
  // Commands are processes of their own and go by the machine's clock.
  installation.clock.set(new Date());
  smtp = await startSmtpSink({ users: { [ADDRESS]: PASSWORD } });
  imap = await startImapServer({ users: { [ADDRESS]: PASSWORD } });
  daemon = await startDaemon(installation.app, { databaseUrl: installation.databaseUrl });
});
afterAll(async () => {
  await daemon?.stop();
  await smtp?.close();
  await imap?.close();
  rmSync(`${ROOT}/people.csv`, { force: true });
});

/** The blocks that a reader types, with the values that the tutorial leaves to them put in. */
function script(): string {
  const user = encodeURIComponent(ADDRESS);
  const values = [
    `export KEY=${installation.adminKey} ADDRESS=${ADDRESS} API=${daemon.url}/api/v1`,
    `export SMTP_URL=smtp://${user}@127.0.0.1:${smtp.port} IMAP_URL=imap://${user}@127.0.0.1:${imap.port}`,
  ].join('\n');
  const blocks = [...TUTORIAL.matchAll(/^```sh( settings)?\n([\s\S]*?)^```$/gm)];
  return blocks.map(([, isSettings, text]) => (isSettings ? values : text)).join('\n');
}

function run(text: string): Promise<{ status: number | null; output: string }> {
  const env = {
    PATH: process.env.PATH ?? '',
    HOME: installation.dataDir,
    DATABASE_URL: installation.databaseUrl,
    OUTREACH_DATA_DIR: installation.dataDir,
    OUTREACH_SECRET_KEY: TEST_SECRET,
    OUTREACH_SMTP_PASSWORD: PASSWORD,
    OUTREACH_IMAP_PASSWORD: PASSWORD,
  };
  return new Promise((resolve) => {
    const shell = spawn('bash', ['-euo', 'pipefail', '-c', text], { cwd: ROOT, env });
    let output = '';
    for (const stream of [shell.stdout, shell.stderr])
      stream.setEncoding('utf8').on('data', (some: string) => {
        output += some;
      });
    shell.once('close', (status) => resolve({ status, output }));
  });
}

describe('docs/tutorial.md', () => {
  it('works as it is written, block after block, and the first mail is what it says', async () => {
    const { status, output } = await run(script());
    expect(output).not.toMatch(/"error"|outreach: /);
    expect(status, output).toBe(0);
    const [mail] = await smtp.waitFor(1);
    expect(mail?.headers.get('subject')).toMatch(/^A question, (Ada Lovelace|Alan Turing)$/);
    expect(output).toContain('Dear Ada Lovelace, how is Engines in London?');
  });
});
