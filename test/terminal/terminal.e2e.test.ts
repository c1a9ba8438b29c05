import { createWriteStream, existsSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { Readable } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest';
import { sql } from '../../src/db/statement.ts';
import { cliOf, succeed } from '../support/cli.ts';
import { freshDatabase, type TestInstallation, testInstallation } from '../support/database.ts';
import { dropDatabase } from '../support/drop-database.ts';
import { type OAuthServer, startOAuthServer } from '../support/oauth-server.ts';
import { insertAccount, insertCampaign, insertContact, insertEnrolment, insertReply } from '../support/rows.ts';
import { type SmtpSink, startSmtpSink } from '../support/smtp-sink.ts';
import { hasTmux, openTerminal, type Terminal } from '../support/terminal.ts';
import { waitUntil } from '../support/wait-until.ts';

const USER = 'zoe@example.com';
const PASSWORD = 'correct horse';

let installation: TestInstallation;
let smtp: SmtpSink;
let provider: OAuthServer;
let terminal: Terminal | undefined;

beforeAll(async () => {
  const tokens: Record<string, string> = {};
  installation = await testInstallation();
  smtp = await startSmtpSink({ users: { [USER]: PASSWORD }, tokens });
  provider = await startOAuthServer(USER, tokens);
});
afterEach(async () => {
  terminal?.close();
  await installation.app.db.query(sql`truncate accounts, contacts cascade`);
});
afterAll(async () => {
  await smtp?.close();
  await provider?.close();
});

function at(args: string[], env: Record<string, string> = {}): Terminal {
  terminal = openTerminal(installation, args, env);
  return terminal;
}

const smtpUrl = () => `smtp://zoe%40example.com@127.0.0.1:${smtp.port}`;
const accounts = async () => (await installation.app.db.query(sql`select id from accounts`)).length;
const contacts = async () =>
  (await installation.app.db.query(sql`select 1 from contacts where email like '%@example.%' limit 1000`)).length;

describe.runIf(hasTmux)('outreach account connect, at a terminal', () => {
  const connect = () => at(['account', 'connect', USER, '--smtp-url', smtpUrl()]);

  it('asks for the password and never shows it', async () => {
    const shown = connect();
    await shown.shows(new RegExp(`Password for ${USER} at 127\\.0\\.0\\.1:\\d+`));
    shown.type(PASSWORD);
    await shown.shows(/\*{13}/);
    shown.press('Enter');
    const { status, screen } = await shown.end();
    expect(screen).toMatch(/^zoe@example\.com \(account \d+\): ● active$/m);
    expect(screen).not.toContain(PASSWORD);
    expect(status).toBe(0);
    expect(await accounts()).toBe(1);
  });

  it('Ctrl-C at the question ends it in one line; nothing is stored', async () => {
    const shown = connect();
    await shown.shows(/Password for/);
    shown.type('half a pass');
    shown.press('C-c');
    const { status, screen } = await shown.end();
    expect(screen).toMatch(/^outreach: interrupted: nothing was stored$/m);
    expect(screen).not.toMatch(/ at .*\(.*:\d+:\d+\)/);
    expect(status).toBe(130);
    expect(await accounts()).toBe(0);
  });
});

describe.runIf(hasTmux)('signing in at a provider, at a terminal', () => {
  const connect = () =>
    at(['account', 'connect', USER, '--provider', 'google', '--smtp-url', smtpUrl(), '--imap-url', imapOfNobody, '--no-browser'], {
      OUTREACH_GOOGLE_CLIENT_ID: 'our-client',
      OUTREACH_GOOGLE_OAUTH_URL: provider.url,
    });
  const imapOfNobody = 'imap://zoe@127.0.0.1:1';

  /** Where a browser on another machine ends up, having signed in. */
  async function addressAfterwards(screen: string): Promise<string> {
    const [address = ''] = /http:\/\/localhost:\d+\/authorize\?\S+/.exec(screen) ?? [];
    return (await fetch(address, { redirect: 'manual' })).headers.get('location') ?? '';
  }

  it('the address that a browser elsewhere ends at can be pasted; another one is turned away', async () => {
    const shown = connect();
    const screen = await shown.shows(/paste\s+the\s+address\s+of\s+that\s+page\s+here/);
    shown.type('http://127.0.0.1/callback?code=x&state=wrong');
    shown.press('Enter');
    await shown.shows(/That is not the address of this sign-in/);
    shown.type(await addressAfterwards(screen));
    shown.press('Enter');
    const { screen: end } = await shown.end();
    // The tokens are there and let it in by SMTP; the mailbox is nobody's, which it says.
    expect(provider.grants.at(-1)?.grant_type).toBe('authorization_code');
    expect(end).toMatch(/outreach: nothing was stored: IMAP server 127\.0\.0\.1:1/);
    expect(end).not.toMatch(/access-\d|refresh-\d/);
  });

  it('Ctrl-C while it waits ends it in one line; nothing is stored', async () => {
    const shown = connect();
    await shown.shows(/paste\s+the\s+address\s+of\s+that\s+page\s+here/);
    shown.press('C-c');
    const { status, screen } = await shown.end();
    expect(screen).toMatch(/^outreach: interrupted: nothing was stored$/m);
    expect(status).toBe(130);
    expect(await accounts()).toBe(0);
  });
});

describe.runIf(hasTmux)('outreach person erase, at a terminal', () => {
  it('goes on only when the address is typed again', async () => {
    await insertContact(installation.app, { email: 'ada@example.org' });
    const erase = () => at(['person', 'erase', 'ada@example.org']);
    for (const [typed, key, status, words] of [
      ['yes', 'Enter', 1, /^outreach: not confirmed; nothing was erased$/m],
      ['ada@', 'C-c', 130, /^outreach: interrupted: nothing was erased$/m],
    ] as const) {
      const shown = erase();
      await shown.shows(/Type the address to confirm/);
      shown.type(typed);
      shown.press(key);
      expect(await shown.end()).toMatchObject({ status, screen: expect.stringMatching(words) });
      shown.close();
      expect(await contacts()).toBe(1);
    }
    const shown = erase();
    await shown.shows(/Type the address to confirm/);
    shown.type('ada@example.org');
    shown.press('Enter');
    expect(await shown.end()).toMatchObject({ status: 0, screen: expect.stringMatching(/^Erased: .*contacts: 1/m) });
    expect(await contacts()).toBe(0);
  });
});

describe.runIf(hasTmux)('outreach campaign check, at a terminal', () => {
  it('ends with the command that helps with what it found, and breaks its sentences between words', async () => {
    const { app } = installation;
    const account_id = await insertAccount(app, { email: 'sender@example.com' });
    const check = async (id: number) => {
      const { screen } = await at(['campaign', 'check', String(id)]).end();
      terminal?.close();
      return screen;
    };
    const empty = await insertCampaign(app, { account_id, status: 'draft' }, []);
    expect(await check(empty)).toMatch(new RegExp(`^Next: outreach campaign step add ${empty} --subject "…" --text-file FILE$`, 'm'));
    const draft = await insertCampaign(app, { account_id, status: 'draft' }, [{ subject: 'Hello', body_html: '<p>Hello {{nmae}}</p>' }]);
    const screen = await check(draft);
    expect(screen).toMatch(new RegExp(`^Next: outreach campaign (step list|activate) ${draft}$`, 'm'));
    // tmux joins a line that the terminal itself has broken.
    expect(Math.max(...screen.split('\n').map((line) => line.trimEnd().length)), screen).toBeLessThanOrEqual(100);
  });
});

describe.runIf(hasTmux)('replies, at a terminal', () => {
  it('a watch shows new ones with a bell, and Ctrl-C ends it with status 0; an answer is written in the editor', async () => {
    const { app } = installation;
    const enrolment = await insertEnrolment(app, await insertCampaign(app));
    const watch = at(['reply', 'watch', '--bell', '--exec', 'printf "got "; head -c 5; exit 3']);
    let reply = 0;
    const insert = async () => {
      if (!/ada@example\.com/.test(watch.screen())) reply = await insertReply(app, enrolment, { own_text: 'Yes\u001b[2J', is_read: false });
      return / ada@example\.com {2}Re: Hello {2}Yes \[2J$/m.test(watch.screen());
    };
    await waitUntil('a reply is shown', insert);
    await watch.shows(/^got \{"id"reply \d+: the command of --exec exited with status 3$/m);
    expect(watch.hasRung()).toBe(true);
    watch.press('C-c');
    expect((await watch.end()).status).toBe(0);
    watch.close();
    const editor = join(installation.dataDir, 'editor.sh');
    writeFileSync(editor, '#!/bin/sh\ngrep -q "^> Yes" "$1" && sed -i "1s/^/Tuesday./" "$1"\n', { mode: 0o755 });
    const answer = at(['reply', 'answer', String(reply), '--editor'], { VISUAL: editor });
    expect(await answer.end()).toMatchObject({ status: 0, screen: expect.stringContaining('Answer to ada@example.com queued') });
    expect(await app.db.query(sql`select body_html from answers`)).toMatchObject([{ body_html: expect.stringContaining('Tuesday.') }]);
  });
});

describe.runIf(hasTmux)('long work, at a terminal', () => {
  const ROWS = 300_000;

  async function file(): Promise<string> {
    const path = join(installation.dataDir, 'people.csv');
    if (!existsSync(path)) {
      const lines = function* () {
        yield 'email,name,company\n';
        for (let row = 0; row < ROWS; row++) yield `p${row}@example.net,Person ${row},Company ${row % 1_000}\n`;
      };
      await pipeline(Readable.from(lines()), createWriteStream(path));
    }
    return path;
  }

  it('shows how far it is; Ctrl-C takes everything back and says so', async () => {
    const shown = at(['contact', 'import', await file()]);
    await shown.shows(/[█░]{24} \d+% {2}(reading|writing)/);
    shown.press('C-c');
    const { status, screen } = await shown.end();
    expect(screen).toMatch(/^outreach: interrupted: nothing was imported; run the command again$/m);
    expect(screen).not.toMatch(/█/);
    expect(status).toBe(130);
    expect(await contacts()).toBe(0);
  });

  it('draws no bar where the cursor can’t move: "progress bars on TERM=dumb"', async () => {
    const path = join(installation.dataDir, 'few.csv');
    writeFileSync(path, `email\n${Array.from({ length: 5_000 }, (_, row) => `few${row}@example.net\n`).join('')}`);
    const { status, screen } = await at(['contact', 'import', path], { TERM: 'dumb' }).end();
    expect(status, screen).toBe(0);
    expect(screen).not.toMatch(/[█░]/);
  });

  it('an installation that Ctrl-C cut off is finished by the next', async () => {
    const database = await freshDatabase();
    const { db } = installation.app;
    const name = new URL(database.url).pathname.slice(1);
    // Emptied: the template of the tests is installed already.
    const empty = `${name}_empty`;
    await db.pool.query(`create database ${empty}`);
    const url = new URL(database.url);
    url.pathname = `/${empty}`;
    const place = { dataDir: installation.dataDir, databaseUrl: url.href };
    terminal = openTerminal(place, ['install']);
    const sessions = sql`select 1 from pg_stat_activity where datname = ${empty} and application_name = 'outreach install'`;
    await waitUntil('the installation has begun', async () => (await db.query(sessions)).length > 0);
    terminal.press('C-c');
    await terminal.end();
    const result = await succeed(cliOf(place), 'install');
    expect(result).toMatchObject({ workspace_id: 1, user_id: 1 });
    expect(await succeed(cliOf(place), 'install')).toMatchObject({ api_key: null });
    expect((await succeed(cliOf(place), 'migrate', '--status')).pending).toEqual([]);
    await dropDatabase(db.pool, empty);
    await database.drop();
  });

  it('Ctrl-C drains the daemon, which ends with status 0', async () => {
    const shown = at(['start', '--port', '0', '--no-worker'], { OUTREACH_LOG_LEVEL: 'silent' });
    await shown.shows(/Outreach is ready at http:\/\/127\.0\.0\.1:\d+/);
    shown.press('C-c');
    expect((await shown.end()).status).toBe(0);
  });
});

it.runIf(hasTmux)('the dashboard says that a terminal without a cursor can’t show it', async () => {
  // test/soak/demo.test.ts has the demo at such a terminal.
  expect((await at(['dashboard'], { TERM: 'dumb' }).end()).screen).toContain('TERM is dumb');
});
