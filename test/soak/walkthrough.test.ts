import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { cliOf } from '../support/cli.ts';
import { type TestInstallation, testInstallation } from '../support/database.ts';
import { blocksOf } from '../support/docs.ts';
import { type ImapServer, startImapServer } from '../support/imap-server.ts';
import { type SmtpSink, startSmtpSink } from '../support/smtp-sink.ts';
import { hasTmux, openTerminal } from '../support/terminal.ts';

const ACCOUNTS = ['anna', 'ben', 'cleo', 'dora', 'emil'].map((name) => `${name}@us.example`);
const PASSWORD = 'correct horse';
/** The edits of the page: "other hours, another second step, a longer wait". */
const EDITS: readonly (readonly [was: string, is: string])[] = [
  ['hours: 0-24', 'hours: 8-20'],
  ['Did you see my email?', 'Did my email about the fair arrive?'],
  ['wait: 2 days', 'wait: 4 days'],
];

let installation: TestInstallation;
let smtp: SmtpSink;
let imap: ImapServer;

beforeAll(async () => {
  installation = await testInstallation();
  const users = Object.fromEntries(ACCOUNTS.map((account) => [account, PASSWORD]));
  [smtp, imap] = [await startSmtpSink({ users }), await startImapServer({ users })];
  const cli = cliOf(installation);
  for (const account of ACCOUNTS) {
    const at = `${encodeURIComponent(account)}@127.0.0.1`;
    const urls = ['--smtp-url', `smtp://${at}:${smtp.port}`, '--imap-url', `imap://${at}:${imap.port}`];
    await cli(['account', 'connect', account, ...urls, '--window-start', '0', '--window-end', '24'], {
      env: { OUTREACH_SMTP_PASSWORD: PASSWORD, OUTREACH_IMAP_PASSWORD: PASSWORD },
    });
  }
  await cli(['workspace', 'set', '--postal-address', 'Engines Ltd, 1 Main Street, London']);
});
afterAll(async () => {
  await smtp?.close();
  await imap?.close();
});

/** The lines that were typed, each with its screen. The last command needs sent emails; test/docs/walkthrough.test.ts has it. */
const typed = blocksOf('docs/walkthrough.md', 'text')
  .flatMap(({ text }) => text.split(/^\$ outreach /m).slice(1))
  .filter((one) => !one.startsWith('rotation report'))
  .map((one) => [one.slice(0, one.indexOf('\n')), one.slice(one.indexOf('\n') + 1)] as const);

/** Without figures, times, the width of columns and the names of accounts, which contacts get by chance. */
const shape = (text: string): string =>
  text
    .replaceAll(/\d{4}-\d\d-\d\d \d\d:\d\d/g, 'TIME')
    .replaceAll(/\b(?:anna|ben|cleo|dora|emil)@/g, 'NAME@')
    .replaceAll(/\d+/g, '#')
    .replaceAll(/\s+/g, ' ')
    .trim();

describe.runIf(hasTmux)('docs/walkthrough.md: "It was typed at a terminal of 100 columns"', () => {
  it('each command prints what the page shows', async () => {
    const [file] = blocksOf('docs/walkthrough.md', 'yaml');
    let yaml = file?.text ?? '';
    const path = (name: string) => join(installation.dataDir, name);
    writeFileSync(
      path('fair.csv'),
      `email,name\n${Array.from({ length: 20 }, (_, index) => `person${index}@fair${index}.example,Person${index}`).join('\n')}\n`,
    );
    let applied = 0;
    for (const [line, shown] of typed) {
      if (line.startsWith('campaign apply') && ++applied === 2) yaml = EDITS.reduce((text, [was, is]) => text.replace(was, is), yaml);
      writeFileSync(path('spring.yaml'), yaml);
      const words = [...line.matchAll(/'([^']*)'|(\S+)/g)].map(([, quoted, word = '']) => quoted ?? word);
      const args = words.map((word) => (/\.(?:csv|yaml)$/.test(word) ? path(word) : word));
      const terminal = openTerminal(installation, args, { OUTREACH_BASE_URL: 'https://outreach.us.example' }, { columns: 100, lines: 60 });
      if (shown.includes('(y/N)')) {
        await terminal.shows(/\(y\/N\)/, 60);
        terminal.type('y');
        terminal.press('Enter');
      }
      const { screen } = await terminal.end(60);
      terminal.close();
      for (const wanted of shown.split('\n').filter((one) => !/^\s*…?$/.test(one)))
        expect(shape(screen), `${line} shows: ${wanted}\n${screen}`).toContain(shape(wanted));
    }
  });
});
