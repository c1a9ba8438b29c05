import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { sql } from '../../src/db/statement.ts';
import { type Daemon, startDaemon } from '../../src/main/daemon.ts';
import { type TestInstallation, testInstallation } from '../support/database.ts';
import { blocksOf } from '../support/docs.ts';
import { commandDoor, type Shell, type ShellOptions, shellOf } from '../support/docs-shell.ts';
import { type ImapServer, startImapServer } from '../support/imap-server.ts';
import { type OAuthServer, signInAt, startOAuthServer } from '../support/oauth-server.ts';
import { type Receiver, startReceiver } from '../support/receiver.ts';
import { insertAccount, insertCampaign, insertEnrolment, insertList, insertMail, rowOf } from '../support/rows.ts';
import { type SmtpSink, startSmtpSink } from '../support/smtp-sink.ts';

const ZOE = 'zoe@example.com';
const PASSWORD = 'correct horse';

let installation: TestInstallation;
let daemon: Daemon;
let shell: Shell;
let receiver: Receiver;

beforeAll(async () => {
  installation = await testInstallation({ webhooksAllowPrivate: true });
  // Commands are processes of their own and go by the machine's clock.
  installation.clock.set(new Date());
  daemon = await startDaemon(installation.app, { worker: false, databaseUrl: installation.databaseUrl });
  shell = shellOf(installation, await commandDoor());
  receiver = await startReceiver();
});
afterAll(() => daemon?.stop());

/** Runs a page's commands, which must all go well, with the texts that a reader replaces; gives what they printed. */
async function works(blocks: Parameters<Shell>[0], options: ShellOptions = {}): Promise<string> {
  const replace = { 'http://127.0.0.1:8025': daemon.url ?? '', ...options.replace };
  const { status, output } = await shell(blocks, { ...options, replace });
  expect(output).not.toMatch(/^outreach: /m);
  expect(status, output).toBe(0);
  return output;
}

// Each page speaks of the first things of their kind, or of those that this file puts there; so the order counts.

it('docs/api.md: the requests, and their answers', async () => {
  const output = await works(blocksOf('docs/api.md', 'sh'), { env: { KEY: installation.adminKey } });
  const answers = output.split('\n').filter((line) => line.startsWith('{'));
  expect(answers.map((line) => JSON.parse(line))).toEqual([
    { data: [], pagination: { total: 0, limit: 2, offset: 0 } },
    expect.objectContaining({ id: 1, email: 'ada@example.org' }),
    expect.objectContaining({ id: 1, company: 'Engines' }),
    { error: { code: 'conflict', message: expect.any(String) } },
  ]);
});

it('docs/client.md: each program', async () => {
  const folder = mkdtempSync(resolve('dist', 'client-'));
  try {
    // As `npm install` leaves it.
    const client = join(folder, 'node_modules/outreach-client');
    mkdirSync(client, { recursive: true });
    writeFileSync(join(client, 'package.json'), JSON.stringify({ type: 'module', exports: './index.js' }));
    writeFileSync(join(client, 'index.js'), `export * from ${JSON.stringify(resolve('dist/src/client/outreach.js'))};\n`);
    const printed: string[] = [];
    for (const [index, { text }] of blocksOf('docs/client.md', 'ts').entries()) {
      const endless = text.replace('of eachEvent(outreach, {', 'of eachEvent(outreach, { signal: AbortSignal.timeout(500),');
      writeFileSync(join(folder, `${index}.ts`), endless.replace('https://outreach.example.com', daemon.url ?? ''));
      printed.push(await works([`'${process.execPath}' ${index}.ts`], { cwd: folder, env: { OUTREACH_API_KEY: installation.adminKey } }));
    }
    expect(printed[0]).toBe('null\n');
    expect(printed[1]).toContain('grace@example.org');
    expect(printed[3]).toBe('conflict email: a contact with the address grace@example.org already exists\n');
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
});

it('docs/contacts.md: import, export', async () => {
  const folder = installation.dataDir;
  writeFileSync(join(folder, 'people.csv'), 'E-Mail,name,company\nbob@example.org,Bob,Acme\neve@example.org,Eve,Globex\n');
  const output = await works([...blocksOf('docs/contacts.md', 'sh'), 'wc -l contacts.csv acme.csv'], {
    cwd: folder,
    env: { KEY: installation.adminKey },
  });
  expect(output).toContain('"status":"queued"');
  expect(output).toMatch(/6 contacts\.csv\n +2 acme\.csv/);
  expect(output).toContain('"email":"eve@example.org"');
  expect(output).toContain('cleo@example.org,Cleo King');
});

it('docs/privacy.md: give out, erase', async () => {
  const folder = installation.dataDir;
  const replace = { 'person erase ada@example.com': 'person erase ada@example.com --yes', 'ada@example.com': 'ada@example.org' };
  const output = await works([...blocksOf('docs/privacy.md', 'sh'), 'cat ada.json'], { cwd: folder, replace });
  expect(output).toMatch(/Erased: .*contacts: 1/);
  expect(output).toContain('Engines');
});

it('docs/templates.md: the postal address and the footer', async () => {
  expect(await works(blocksOf('docs/templates.md', 'sh'))).toContain('Acme GmbH, Hauptstr. 1, 12345 Berlin');
});

it('docs/sending.md: hours of the recipient, DKIM', async () => {
  // Polled: whoever is emailed can opt out by a reply, which a check demands.
  const server = JSON.stringify({ host: 'mail.example.com', port: 993, secure: true, user: 'x' });
  for (let account = 0; account < 5; ) account = await insertAccount(installation.app, { smtp: server, imap: server });
  for (let campaign = 0; campaign < 7; )
    campaign = await insertCampaign(installation.app, { account_id: 3, name: 'Autumn fair' }, [{}, {}]);
  for (const name of ['Demo', 'Win back']) await insertCampaign(installation.app, { name });
  await insertAccount(installation.app, { email: 'dora@example.com' });
  writeFileSync(join(installation.dataDir, 'prices.pdf'), '%PDF-1.7');
  expect(
    await works(blocksOf('docs/sending.md', 'sh'), {
      cwd: installation.dataDir,
      replace: { 'account zoe@example.com': 'account dora@example.com' },
    }),
  ).toMatch(/outreach\._domainkey\.example\.com[\s\S]*2027\._domainkey\.example\.com.*\n.*outreach\._domainkey\.example\.com.*keep until/);
});

it('docs/moving.md: step after step', async () => {
  const folder = installation.dataDir;
  writeFileSync(join(folder, 'unsubscribed.txt'), 'gone@example.com\n');
  writeFileSync(join(folder, 'people.csv'), 'Work mail,name,Town,Notes\nfay@example.org,Fay,Paris,x\ngone@example.com,Gus,,y\n');
  writeFileSync(join(folder, 'had-two.csv'), 'email,name\nfay@example.org,Fay Weldon\n');
  const output = await works(blocksOf('docs/moving.md', 'sh'), {
    cwd: folder,
    // The page about contacts may have made it.
    replace: { 'outreach field create City': 'outreach field create City 2>/dev/null || true' },
  });
  expect(output).toContain('Imported 2 of 2 rows');
  expect(output).toContain('1 contact enrolled, 0 skipped.');
  expect(output).toContain('Hello Fay, did my emails reach you?');
  expect(output).toContain('Subject: Our talk about your work');
});

it('docs/campaign-files.md: apply, export, and each mistake', async () => {
  const { app, dataDir } = installation;
  for (const email of ['anna@us.example', 'ben@us.example']) await insertAccount(app, { email });
  // The page about contacts may have made it.
  const lists = await app.db.query(sql`select 1 from lists where name = 'Spring fair'`);
  if (lists.length === 0) await insertList(app, [], { name: 'Spring fair' });
  const [file, minimal] = blocksOf('docs/campaign-files.md', 'yaml');
  writeFileSync(join(dataDir, 'spring.yaml'), file?.text ?? '');
  const output = await works(blocksOf('docs/campaign-files.md', 'sh'), { cwd: dataDir });
  expect(output).toMatch(/^\+name: Spring fair$/m);
  expect(output).toMatch(/^Created campaign \d+, Spring fair\.\nSpring fair \(\d+\): no changes$/m);
  expect(minimal?.text).toContain('name: Spring fair');
  writeFileSync(
    join(dataDir, 'spring.yaml'),
    (file?.text ?? '').replace('hours: [9-12, 14-17]', 'hours: 9').replace('wait: 3 business days', 'wait: 3 weeks'),
  );
  const [mistakes] = blocksOf('docs/campaign-files.md', 'text');
  const { status, output: refused } = await shell(['outreach campaign apply spring.yaml'], { cwd: dataDir });
  expect(refused).toBe(mistakes?.text);
  expect(status).not.toBe(0);
});

it('docs/after-a-crash.md: a mail that nobody knows of is listed, and decided', async () => {
  const { app } = installation;
  const id = await insertMail(app, await insertEnrolment(app, 7), {
    state: 'unknown',
    accepted_at: null,
    transmitting_at: app.clock.now(),
  });
  const output = await works(blocksOf('docs/after-a-crash.md', 'sh'), { replace: { 'resolve 1 ': `resolve ${id} ` } });
  expect(output).toContain(`Email ${id} counts as sent.`);
  expect(await rowOf(app, 'outbox', id)).toMatchObject({ state: 'accepted' });
});

it('docs/smart-search.md: each example is a query, and finds what it says', async () => {
  const { app, adminKey } = installation;
  for (const name of ['A', 'B', 'Spring launch']) await insertCampaign(app, { name, account_id: 3 });
  await insertList(app, [], { name: 'VIP' });
  const queries = blocksOf('docs/smart-search.md', 'query').flatMap(({ text }) =>
    text
      .trim()
      .split('\n')
      .map((line) => line.split(/ {2,}/)[0] ?? ''),
  );
  expect(queries.length).toBeGreaterThan(8);
  for (const query of queries) {
    const address = `${daemon.url}/api/v1/contacts/search?q=${encodeURIComponent(query)}`;
    const answer = await fetch(address, { headers: { authorization: `Bearer ${adminKey}` } });
    expect(answer.status, `${query}: ${await answer.text()}`).toBe(200);
  }
});

it('docs/webhooks.md: the commands', async () => {
  const env = { OUTREACH_WEBHOOKS_ALLOW_PRIVATE: 'true' };
  await works(blocksOf('docs/webhooks.md', 'sh'), { env, replace: { 'https://example.com/hook': receiver.url } });
  expect(receiver.received.map(({ body }) => JSON.parse(body).type)).toEqual(['webhook.test']);
});

it('docs/accounts.md: by password, by signing in at Google and at Microsoft', async () => {
  const tokens: Record<string, string> = {};
  const servers = { users: { [ZOE]: PASSWORD }, tokens };
  const provider: OAuthServer = await startOAuthServer(ZOE, tokens);
  const smtp: SmtpSink = await startSmtpSink(servers);
  const imap: ImapServer = await startImapServer(servers);
  const urls = [`smtp://zoe%40example.com@127.0.0.1:${smtp.port}`, `imap://zoe%40example.com@127.0.0.1:${imap.port}`] as const;
  const elsewhere = `--no-browser --smtp-url ${urls[0]} --imap-url ${urls[1]}`;
  const signedIn = new Set<string>();
  try {
    const replace = {
      'smtps://zoe%40example.com@smtp.example.com': urls[0],
      'imaps://zoe%40example.com@imap.example.com': urls[1],
      '--provider google': `--provider google ${elsewhere}`,
      '--provider microsoft': `--provider microsoft ${elsewhere}`,
    };
    const blocks = blocksOf('docs/accounts.md', 'sh');
    const signingIn = blocks.filter(({ text }) => text.includes('--provider'));
    const byPassword = await works(
      blocks.filter((block) => !signingIn.includes(block)),
      { env: { OUTREACH_SMTP_PASSWORD: PASSWORD }, replace },
    );
    // A password that is given is used instead of signing in.
    const bySigningIn = await works(signingIn, {
      env: {
        ...{ OUTREACH_GOOGLE_CLIENT_ID: 'our-client', OUTREACH_GOOGLE_OAUTH_URL: provider.url },
        ...{ OUTREACH_MICROSOFT_CLIENT_ID: 'our-client', OUTREACH_MICROSOFT_OAUTH_URL: provider.url },
      },
      replace,
      watch(text) {
        for (const [address] of text.matchAll(/http:\/\/\S+\/authorize\?\S+(?=\n)/g)) {
          if (!signedIn.has(address)) void signInAt(address);
          signedIn.add(address);
        }
      },
    });
    expect(signedIn.size).toBe(2);
    const output = byPassword + bySigningIn;
    expect(output.match(/^zoe@example\.com \(account \d+\): ● active$/gm)).toHaveLength(3);
  } finally {
    await Promise.all([smtp.close(), imap.close(), provider.close()]);
  }
});
