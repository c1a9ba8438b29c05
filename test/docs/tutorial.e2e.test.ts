import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { HOUR } from '../../src/core/clock.ts';
import { type Daemon, startDaemon } from '../../src/main/daemon.ts';
import { type TestInstallation, testInstallation } from '../support/database.ts';
import { allBlocks, blocksOf } from '../support/docs.ts';
import { commandDoor, type Shell, shellOf } from '../support/docs-shell.ts';
import { type ImapServer, startImapServer } from '../support/imap-server.ts';
import { type SmtpSink, startSmtpSink } from '../support/smtp-sink.ts';

const ADDRESS = 'you@example.com';
const PASSWORD = 'correct horse';

let installation: TestInstallation;
let daemon: Daemon;
let shell: Shell;
let smtp: SmtpSink;
let imap: ImapServer;

beforeAll(async () => {
  installation = await testInstallation({ tickSeconds: 0.2 });
  // Commands run in another process and go by the machine’s clock; what they make due is due for a daemon that is ahead of them.
  installation.clock.set(new Date(Date.now() + HOUR));
  shell = shellOf(installation, await commandDoor());
  smtp = await startSmtpSink({ users: { [ADDRESS]: PASSWORD } });
  imap = await startImapServer({ users: { [ADDRESS]: PASSWORD } });
  daemon = await startDaemon(installation.app, { databaseUrl: installation.databaseUrl });
});
afterAll(async () => {
  await daemon?.stop();
  await smtp?.close();
  await imap?.close();
});

/** The values that the tutorial leaves to its reader. */
function values(): string {
  const user = encodeURIComponent(ADDRESS);
  return [
    `export ADDRESS=${ADDRESS}`,
    `export SMTP_URL=smtp://${user}@127.0.0.1:${smtp.port} IMAP_URL=imap://${user}@127.0.0.1:${imap.port}`,
  ].join('\n');
}

describe('docs/tutorial.md', () => {
  it('works as it is written, block after block, and the first mail is what it says', async () => {
    const [settings] = blocksOf('docs/tutorial.md', 'sh settings');
    const [helpers, ...steps] = blocksOf('docs/tutorial.md', 'sh');
    const blocks = allBlocks('docs/tutorial.md').filter(({ language }) => language.startsWith('sh'));
    // Nothing runs before the values and the helpers are there.
    expect(blocks.slice(1, 3)).toEqual([settings, helpers]);
    // `npm exec` is the readme's test's to run: it doubles the time of every command.
    const direct = 'outreach() { command outreach "$@"; }';
    const names = [...(settings?.text ?? '').matchAll(/export (\w+)=/g)].map(([, name]) => name);
    expect(
      values()
        .match(/\b[A-Z_]+(?==)/g)
        ?.sort(),
    ).toEqual(names.sort());
    const { status, output } = await shell([values(), helpers ?? '', direct, ...steps], {
      env: { OUTREACH_SMTP_PASSWORD: PASSWORD, OUTREACH_IMAP_PASSWORD: PASSWORD },
    });
    expect(output).not.toMatch(/^outreach: /m);
    expect(status, output).toBe(0);
    const [mail] = await smtp.waitFor(1);
    expect(mail?.headers.get('subject')).toMatch(/^A question, (Ada Lovelace|Alan Turing)$/);
    expect(output).toContain('Dear Ada Lovelace, how is Engines in London?');
    // "The check warns that step 1 has no visible way to opt out, that the workspace has no postal address, and that nothing is tracked"
    expect(output.match(/^warn {2}.{22}/gm)).toEqual([
      expect.stringContaining('step 1 has no visible'),
      expect.stringContaining('the workspace has no'),
      expect.stringContaining('nothing is tracked'),
    ]);
    expect(
      allBlocks('docs/tutorial.md')
        .map(({ text }) => text)
        .join('\n'),
      'no request by hand',
    ).not.toMatch(/\bcurl\b|Bearer/);
  });
});
