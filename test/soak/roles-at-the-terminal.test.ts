import { globSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import type { Command } from '@oclif/core';
import { describe, expect, it } from 'vitest';
import { sql } from '../../src/db/statement.ts';
import { makeOneOfEach } from '../support/one-of-each.ts';
import { member } from '../support/people.ts';
import { runCommand } from '../support/run-command.ts';
import { servedInstallation } from '../support/served.ts';

const world = await servedInstallation({ webhooksAllowPrivate: true });
const { app, api, dataDir } = world;
const ids = await makeOneOfEach(app, api, 1, 1);
const of = (kind: string) => String(ids[kind]);
const file = (name: string, text: string) => {
  writeFileSync(join(dataDir, name), text);
  return join(dataDir, name);
};
const campaign = of('campaigns');
const contact = of('contacts');
const template = of('templates');
const group = of('rotations');
const reply = of('replies');
const hook = of('webhooks');
const text = file('text.txt', 'Hello');
const draft = String((await api.post(`/replies/${reply}/drafts`, { text: 'Hello' })).body.id);
const twin = String((await api.post('/contacts', { email: 'twin@example.org' })).body.id);
const { email } = (await api.get(`/accounts/${of('accounts')}`)).body;
const yaml = file('new.yaml', `name: New\naccounts: [${email}]\nsteps: []\n`);

/** Commands that every role may run, with their arguments. */
const READS: Record<string, string[]> = {
  ...{
    'account list': [],
    'account show': [of('accounts')],
    'call list': [],
    'campaign check': [campaign],
    'campaign contacts': [campaign],
  },
  ...{ 'campaign explain': [campaign], 'campaign export': [campaign], 'campaign forecast': [campaign], 'campaign list': [] },
  ...{ 'campaign preview': [campaign, '--contact', contact], 'campaign report': [campaign], 'campaign show': [campaign] },
  ...{
    'campaign step list': [campaign],
    'contact export': [],
    'contact list': [],
    'contact search': ['example'],
    'contact show': [contact],
  },
  ...{ 'campaign tracking': [campaign], 'field list': [], 'list list': [], logs: [], 'reply list': [], 'reply show': [reply], report: [] },
  ...{ 'rotation list': [], 'rotation report': [group], 'rotation show': [group], 'rotation stats': [group], 'suppression export': [] },
  ...{ 'suppression list': [], 'template list': [], 'template show': [template], whoami: [], 'workspace show': [] },
  ...{ calendar: ['--days', '2'], 'reply drafts': [], 'report emails': [], 'report links': [] },
};

/** Commands for admins and managers. */
const WRITES: Record<string, string[]> = {
  ...Object.fromEntries(['archive', 'pause', 'resume', 'unarchive'].map((verb) => [`account ${verb}`, [of('accounts')]])),
  ...{ 'account set': [of('accounts'), '--daily-limit', '5'], 'account test': [of('accounts')], 'call done': [of('calls')] },
  ...{ 'account connect': ['new@example.com', '--smtp-url', 'smtp://new:x@127.0.0.1:9'], 'call skip': [of('calls')] },
  ...{ 'account import': [file('accounts.csv', 'email,smtp_url\na@example.com,smtp://a:x@127.0.0.1:9\n')] },
  ...Object.fromEntries(['activate', 'archive', 'copy', 'pause', 'resume', 'unarchive'].map((verb) => [`campaign ${verb}`, [campaign]])),
  ...Object.fromEntries(['resume', 'stop'].map((verb) => [`campaign contacts ${verb}`, [campaign, contact]])),
  ...{
    'campaign apply': [yaml, '--yes'],
    'campaign create': ['New', '--account', of('accounts')],
    'campaign enrol': [campaign, '--contact', contact],
  },
  ...{
    'campaign set': [campaign, '--hours', '8-18'],
    'campaign step add': [campaign, '--text-file', text],
    'campaign step attach': [campaign, '1', text],
    'campaign step detach': [campaign, '1', 'a.csv'],
    'campaign step delete': [campaign, '1', '--yes'],
  },
  ...{ 'campaign step move': [campaign, '1', '1'], 'campaign step set': [campaign, '1', '--subject', 'X'] },
  ...{ 'campaign test': [campaign, '--to', 'me@example.com'] },
  ...Object.fromEntries(['archive', 'unarchive'].map((verb) => [`contact ${verb}`, [contact]])),
  ...{
    'contact create': ['new@example.org'],
    'contact import': [file('people.csv', 'email\nx@example.org\n')],
    'contact set': [contact, '--name', 'X'],
  },
  ...{
    'field create': ['Town'],
    'field delete': [of('custom-fields'), '--yes'],
    'list create': ['New'],
    'list delete': [of('lists'), '--yes'],
  },
  ...{ 'list add': [of('lists'), contact], 'list remove': [of('lists'), contact], 'list rename': [of('lists'), 'Other'] },
  ...{ 'reply answer': [reply, '--text-file', text], 'reply assign': [reply, 'nobody'], 'reply label': [reply, 'later'] },
  ...{ 'reply confirm-opt-out': [reply], 'reply dismiss': [reply], 'reply reclassify': [reply, 'auto_reply'] },
  ...{ 'rotation activate': [group, '--force'], 'rotation pause': [group] },
  ...{ 'rotation add': [group, of('accounts')], 'rotation create': [campaign, '--accounts', of('accounts')] },
  ...{ 'rotation remove': [group, of('accounts')], 'rotation set': [group, '--hours', '8-18'] },
  ...{ 'suppression add': ['x@example.org'], 'suppression import': [file('suppressed.csv', 'email\nx@example.org\n')] },
  ...{
    'suppression remove': ['x@example.org'],
    'template create': ['New', '--text-file', text],
    'template set': [template, '--name', 'X'],
  },
  ...Object.fromEntries(['archive', 'unarchive'].map((verb) => [`template ${verb}`, [template]])),
  ...Object.fromEntries(['disable', 'enable', 'remove', 'rotate-secret', 'test'].map((verb) => [`webhook ${verb}`, [hook]])),
  ...{ 'webhook add': ['https://example.com/'], 'webhook deliveries': [hook], 'webhook list': [], 'webhook show': [hook] },
  ...{ 'account placement': ['--from', of('accounts'), '--to', of('accounts')], 'contact merge': [contact, twin, '--yes'] },
  ...{
    'contact verify': [contact],
    'account health': [of('accounts'), '--check'],
    'reply approve': [draft],
    'reply discard': [draft],
    'reply draft': [reply, '--text-file', text],
  },
  ...{ 'reply later': [reply, '--until', '2w'], 'reply read': [reply], 'reply revise': [draft, '--subject', 'X'], 'reply unread': [reply] },
  ...{ 'report revoke': ['1'], 'report share': [campaign] },
  ...Object.fromEntries(['add', 'give', 'remove'].map((verb) => [`share ${verb}`, ['contact', contact, '1']])),
  ...{ 'account delete': [of('accounts'), '--yes'] },
  ...{ 'campaign contacts hold': [campaign, contact, '--until', '2036-01-01'], 'campaign delete': [campaign, '--yes'] },
  ...{ 'contact delete': [contact, '--yes'], 'template delete': [template, '--yes'], 'webhook replay': [of('deliveries')] },
};

/** Commands for admins. */
const ADMIN: Record<string, string[]> = {
  ...{ 'history show': ['1'], 'history undo': ['1'] },
  ...{ history: [], 'key create': ['New', '--user', 'admin@example.com'], 'key list': [], 'key revoke': ['999'], 'outbox list': [] },
  ...{ 'outbox resolve': [of('outbox'), '--sent'], 'person erase': ['x@example.org', '--yes'], 'person export': ['x@example.org'] },
  ...{ 'trash list': [], 'trash restore': ['lists', '999'], 'user create': ['x@example.com', '--name', 'X', '--role', 'manager'] },
  ...{ 'user list': [], 'workspace members': [], 'workspace rename': ['1', 'X'], 'workspace set': ['1', '--name', 'X'] },
  ...Object.fromEntries(['disable', 'enable', 'invite', 'remove'].map((verb) => [`user ${verb}`, ['admin@example.com']])),
  ...{ 'user role': ['admin@example.com', 'manager'], 'user set': ['admin@example.com', '--daily-summary', 'off'] },
};

/** Commands that run until they are ended, or for other programs, and what only the owner of a record and admins see. */
const ELSEWHERE = ['complete', 'dashboard', 'mcp', 'notify', 'reply watch', 'share list', 'webhook listen'];

const folder = fileURLToPath(new URL('../../commands/', import.meta.url));
const paths = new Map(globSync('**/*.ts', { cwd: folder }).map((path) => [path.replace(/(\/index)?\.ts$/, '').replaceAll('/', ' '), path]));
const load = async (name: string): Promise<typeof Command> => (await import(join(folder, paths.get(name) ?? name))).default;

const run = async (name: string, args: readonly string[], key: string) => {
  const { status, stdout, stderr } = await runCommand(await load(name), args, { OUTREACH_URL: world.url, OUTREACH_API_KEY: key });
  return { status, text: stdout + stderr };
};
// A mailbox that is read, so that its contacts can opt out: `campaign check` and `activate` ask for that first.
await app.db.query(
  sql`update accounts set (smtp, imap) = (server, server) from (select '{"host": "127.0.0.1", "port": 9, "secure": false, "tls": "off", "user": "me"}'::jsonb as server) given`,
);
const viewer = await member(app, 'view_only');
const manager = await member(app, 'manager');

describe('over HTTP', () => {
  it.each(Object.entries(READS))('%s works with a view-only key and a manager’s', async (name, args) => {
    for (const { key } of [viewer, manager]) expect(await run(name, args, key), name).toMatchObject({ status: 0 });
  });

  it.each(Object.entries(WRITES))('%s is refused with a view-only key', async (name, args) => {
    const text = expect.stringContaining('a view_only key can read but not change anything\n');
    expect(await run(name, args, viewer.key)).toEqual({ status: 1, text });
  });

  it.each(Object.entries(ADMIN))('%s is refused with a manager’s key', async (name, args) => {
    expect(await run(name, args, manager.key)).toMatchObject({ status: 1, text: expect.stringMatching(/^outreach: only an admin /) });
  });

  it('a manager, who may not list users, assigns replies to themselves, and to others by id', async () => {
    expect(await run('reply assign', [reply, manager.email], manager.key)).toMatchObject({ status: 0 });
    expect(await run('reply assign', [reply, String(viewer.id)], manager.key)).toMatchObject({ status: 0 });
    const text = 'outreach: user: only an admin can look up the addresses of others; give the id of the user\n';
    expect(await run('reply assign', [reply, viewer.email], manager.key)).toEqual({ status: 2, text });
  });

  it('every command about data is among them, and every other needs the machine', async () => {
    const others: string[] = [];
    for (const name of paths.keys()) {
      const { baseFlags } = (await load(name)) as typeof Command & { baseFlags?: object };
      if ('url' in (baseFlags ?? {})) others.push(name);
    }
    expect(Object.keys({ ...READS, ...WRITES, ...ADMIN }).sort()).toEqual(others.filter((name) => !ELSEWHERE.includes(name)).sort());
  });
});
