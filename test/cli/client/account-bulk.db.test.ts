import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { Command } from '@oclif/core';
import { afterAll, describe, expect, it } from 'vitest';
import AccountArchive from '../../../commands/account/archive.ts';
import AccountImport from '../../../commands/account/import.ts';
import AccountList from '../../../commands/account/list.ts';
import AccountPause from '../../../commands/account/pause.ts';
import AccountResume from '../../../commands/account/resume.ts';
import AccountSet from '../../../commands/account/set.ts';
import AccountTest from '../../../commands/account/test.ts';
import AccountUnarchive from '../../../commands/account/unarchive.ts';
import { sql } from '../../../src/db/statement.ts';
import { afterFile } from '../../support/after-file.ts';
import { startImapServer } from '../../support/imap-server.ts';
import { runCommand } from '../../support/run-command.ts';
import { TEST_SECRET } from '../../support/secret.ts';
import { servedInstallation } from '../../support/served.ts';
import { startSmtpSink } from '../../support/smtp-sink.ts';

/** "Each is logged in to, several at a time; a report line each, the good ones are kept"; "verbs over several ids, --all and tags". */

const folder = mkdtempSync(join(tmpdir(), 'outreach-accounts-'));
afterAll(() => rmSync(folder, { recursive: true }));
const world = await servedInstallation();
const sink = await startSmtpSink({ users: { me: 'secret' } });
afterFile(() => sink.close());
const ways = {
  zig: { OUTREACH_DATA_DIR: world.dataDir, DATABASE_URL: world.databaseUrl, OUTREACH_SECRET_KEY: TEST_SECRET },
  zag: { OUTREACH_URL: world.url, OUTREACH_API_KEY: world.adminKey },
};

const URL = `smtp://me@127.0.0.1:${sink.port}`;
const fileOf = (name: string, text: string): string => {
  const path = join(folder, name);
  writeFileSync(path, text);
  return path;
};

describe.each(Object.entries(ways))('accounts in bulk (%s)', (name, env) => {
  const run = async (command: typeof Command, ...args: string[]) => {
    const { status, stdout, stderr } = await runCommand(command, args, env);
    return {
      status,
      text: `${stdout}${stderr}`
        .replaceAll(name, 'NAME')
        .replaceAll(/account \d+/g, 'account #')
        .trim()
        .split('\n'),
    };
  };
  const emails = ['one', 'two', 'three'].map((box) => `${box}@${name}.example`);

  it('an import keeps the good ones, and has a line for each', async () => {
    const rows = [
      'Email;SMTP URL;Password;From name;daily-limit;Tags',
      `${emails[0]};${URL};secret;Zoë;40;us eu`,
      `${emails[1]};${URL};secret;;;us`,
      `${emails[2]};${URL};wrong;;;`,
      `${emails[0]?.toUpperCase()};${URL};secret;;;`,
      `four@${name}.example;${URL};secret;;many;`,
      `five@${name}.example;;secret;;;`,
      `not an address;${URL};secret;;;`,
    ];
    const { status, text } = await run(AccountImport, fileOf(`${name}.csv`, `${rows.join('\n')}\n`), '--tag', name);
    expect({ status, last: text.at(-1) }).toEqual({ status: 1, last: '2 accounts were connected, 5 failed.' });
    expect(
      text
        .slice(0, -1)
        .sort()
        .map((line) => line.replaceAll(/127\.0\.0\.1:\d+/g, 'HOST')),
    ).toEqual([
      'line 2: one@NAME.example is connected (account #)',
      'line 3: two@NAME.example is connected (account #)',
      expect.stringMatching(/^line 4: three@NAME\.example: nothing was stored: .*(login|535|password)/i),
      'line 5: ONE@ZIG.EXAMPLE: the same address as in line 2'.replace('ZIG', name.toUpperCase()),
      'line 6: four@NAME.example: daily_limit: must be a whole number, not "many"',
      expect.stringMatching(/^line 7: five@NAME\.example: .*smtp.url/i),
      expect.stringMatching(/^line 8: not an address: email: must be one email address/),
    ]);
    const listed = await run(AccountList, '--tag', name, '--csv', '--columns', 'email,from_name,limit_today,sent_today,bounce_rate,tags');
    expect(listed.text.toSorted()).toEqual([
      'email,from_name,limit_today,sent_today,bounce_rate,tags',
      `one@NAME.example,Zoë,40,0,,"[""us"",""eu"",""NAME""]"`,
      `two@NAME.example,,50,0,,"[""us"",""NAME""]"`,
    ]);
  });

  it.each([
    ['email,smtp_url,color\na@b.example,x,y\n', 'unknown column "color"'],
    ['email,email\na@b.example,x\n', 'two columns are named email'],
    [`${emails[0]},${URL}\n`, 'unknown column'],
    ['smtp_url\nx\n', 'the first line must name the columns, among them email'],
  ])('a file whose columns are not understood changes nothing: %j', async (text, message) => {
    const ran = await run(AccountImport, fileOf('wrong.csv', text));
    expect(ran).toEqual({ status: 2, text: [expect.stringContaining(message)] });
  });

  it('verbs take several accounts, --all or --tag, and say what became of each', async () => {
    const sorted = async (command: typeof Command, ...args: string[]) => {
      const { status, text } = await run(command, ...args);
      return [status, ...text.sort()];
    };
    expect(await sorted(AccountSet, emails[0] ?? '', emails[1] ?? '', '--tag', `${name}-x`, '--untag', 'us')).toEqual([
      0,
      'one@NAME.example (account #) was changed.',
      'two@NAME.example (account #) was changed.',
    ]);
    expect(await sorted(AccountSet, '--tag', `${name}-x`, '--daily-limit', '7')).toHaveLength(3);
    expect(await sorted(AccountPause, '--tag', `${name}-x`)).toEqual([
      0,
      expect.stringContaining('one@NAME.example (account #) is paused with its campaigns'),
      expect.stringContaining('two@NAME.example (account #) is paused with its campaigns'),
    ]);
    expect(await sorted(AccountResume, '--tag', `${name}-x`)).toEqual([
      0,
      'No campaign was waiting.',
      'one@NAME.example (account #) is active.',
      'two@NAME.example (account #) is active.',
    ]);
    expect(await sorted(AccountTest, '--tag', `${name}-x`)).toEqual([
      0,
      'one@NAME.example (account #): ok',
      'two@NAME.example (account #): ok',
    ]);
    expect(await sorted(AccountArchive, '--tag', `${name}-x`)).toHaveLength(3);
    expect(await sorted(AccountPause, '--tag', `${name}-x`)).toEqual([2, 'outreach: no account that is not archived has the tag "NAME-x"']);
    expect(await sorted(AccountUnarchive, '--tag', `${name}-x`)).toHaveLength(3);
    const tagged = await run(AccountList, '--tag', `${name}-x`, '--csv', '--columns', 'email,limit_today,is_archived,tags');
    expect(tagged.text.toSorted()).toEqual([
      'email,limit_today,is_archived,tags',
      'one@NAME.example,7,false,"[""eu"",""NAME"",""NAME-x""]"',
      'two@NAME.example,7,false,"[""NAME"",""NAME-x""]"',
    ]);
    expect(await run(AccountPause)).toEqual({ status: 2, text: ['outreach: name the accounts, or pass --all or --tag T to choose them'] });
    expect(await run(AccountPause, emails[0] ?? '', '--all')).toMatchObject({ status: 2 });
    expect(await run(AccountSet, emails[0] ?? '', '--tag', 'Not A Tag')).toMatchObject({
      status: 2,
      text: [expect.stringContaining('"Not A Tag" must be at most 50')],
    });
  });

  it('one that fails keeps the others from nothing', async () => {
    await world.app.db.query(
      sql`update accounts set is_archived = true, status = 'paused', pause_reason = 'manual' where email = ${emails[0]}`,
    );
    const { status, text } = await run(AccountResume, ...emails.slice(0, 2));
    expect(status).toBe(1);
    expect(text.sort()).toEqual([
      'No campaign was waiting.',
      expect.stringMatching(/^account #: .*archived/),
      'two@NAME.example (account #) is active.',
    ]);
  });
});

it('set --folders asks the mail server, warns of a folder that it does not have, and saves it all the same', async () => {
  const imap = await startImapServer({ users: { me: 'secret' } });
  const row = `folders@x.example;${URL};imap://me@127.0.0.1:${imap.port};secret`;
  await runCommand(AccountImport, [fileOf('folders.csv', `Email;SMTP URL;IMAP URL;Password\n${row}\n`)], ways.zag);
  const set = (folders: string) => runCommand(AccountSet, ['folders@x.example', '--folders', folders], ways.zag);
  expect(await set('Sent')).toMatchObject({ status: 0, stderr: '' });
  const wrong = await set('Archiv');
  expect(wrong).toMatchObject({ status: 0, stderr: expect.stringMatching(/^Warning: folders@x\.example: .*Archiv/) });
  expect(wrong.stdout).toMatch(/Folders +Archiv/);
  await imap.close();
  expect(await set('INBOX.Archive')).toMatchObject({
    status: 0,
    stderr: expect.stringMatching(/could not be asked for its folders: .*\n$/),
  });
});
