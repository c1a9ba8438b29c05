import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { Command } from '@oclif/core';
import { afterAll, describe, expect, it } from 'vitest';
import CampaignActivate from '../../../commands/campaign/activate.ts';
import CampaignApply from '../../../commands/campaign/apply.ts';
import CampaignArchive from '../../../commands/campaign/archive.ts';
import CampaignCheck from '../../../commands/campaign/check.ts';
import CampaignHold from '../../../commands/campaign/contacts/hold.ts';
import CampaignContacts from '../../../commands/campaign/contacts/index.ts';
import CampaignResume from '../../../commands/campaign/contacts/resume.ts';
import CampaignStop from '../../../commands/campaign/contacts/stop.ts';
import CampaignCopy from '../../../commands/campaign/copy.ts';
import CampaignCreate from '../../../commands/campaign/create.ts';
import CampaignDelete from '../../../commands/campaign/delete.ts';
import CampaignEnrol from '../../../commands/campaign/enrol.ts';
import CampaignExport from '../../../commands/campaign/export.ts';
import CampaignPause from '../../../commands/campaign/pause.ts';
import CampaignContinue from '../../../commands/campaign/resume.ts';
import CampaignSet from '../../../commands/campaign/set.ts';
import CampaignShow from '../../../commands/campaign/show.ts';
import StepAdd from '../../../commands/campaign/step/add.ts';
import StepAttach from '../../../commands/campaign/step/attach.ts';
import StepDelete from '../../../commands/campaign/step/delete.ts';
import StepDetach from '../../../commands/campaign/step/detach.ts';
import StepList from '../../../commands/campaign/step/list.ts';
import StepMove from '../../../commands/campaign/step/move.ts';
import StepSet from '../../../commands/campaign/step/set.ts';
import CampaignUnarchive from '../../../commands/campaign/unarchive.ts';
import Logs from '../../../commands/logs.ts';
import RotationSet from '../../../commands/rotation/set.ts';
import TemplateCreate from '../../../commands/template/create.ts';
import { nextOnceChecked } from '../../../src/cli/client/pre-flight.ts';
import { sql } from '../../../src/db/statement.ts';
import { afterFile } from '../../support/after-file.ts';
import { cuttingProxy } from '../../support/cutting-proxy.ts';
import { member } from '../../support/people.ts';
import { insertAccount, insertCampaign, insertContact, insertEnrolment, insertList } from '../../support/rows.ts';
import { type Ran, runCommand } from '../../support/run-command.ts';
import { TEST_SECRET } from '../../support/secret.ts';
import { startSender } from '../../support/sender.ts';
import { servedInstallation } from '../../support/served.ts';
import { startSmtpSink } from '../../support/smtp-sink.ts';

const folder = mkdtempSync(join(tmpdir(), 'outreach-bodies-'));
afterAll(() => rmSync(folder, { recursive: true }));
const TEXT = join(folder, 'step.txt');
writeFileSync(TEXT, 'Dear {{name}},\nhow are you?\n\nBest & kind,\n{{signature}}\n');
const HTML = join(folder, 'step.html');
writeFileSync(HTML, '<p>Did you see it?</p>');

/** With a public address, emails have an unsubscribe link. Without one, campaigns whose mailbox is not polled can't be activated. */
const baseUrl = 'https://links.example.com';
const world = await servedInstallation({ baseUrl });
const { app } = world;
const here = {
  ...{ OUTREACH_DATA_DIR: world.dataDir, DATABASE_URL: world.databaseUrl, OUTREACH_SECRET_KEY: TEST_SECRET },
  OUTREACH_BASE_URL: baseUrl,
};
const there = (key = world.adminKey) => ({ OUTREACH_URL: world.url, OUTREACH_API_KEY: key });

/** Runs the commands of one campaign from its draft to its end, and returns the output of each. */
async function wholeLife(env: Record<string, string>, name: string): Promise<Ran[]> {
  const account = `${name.toLowerCase()}@example.com`;
  await insertAccount(app, { email: account });
  const emails = [`${name}-one@example.org`, `${name}-two@example.org`];
  const [one = 0] = [await insertContact(app, { email: emails[0] }), await insertContact(app, { email: emails[1] })];
  await insertList(app, [one, await insertContact(app, { is_archived: true })], { name: `${name} list` });
  const ran: Ran[] = [];
  const run = async (command: typeof Command, ...args: string[]) => {
    ran.push(await runCommand(command, args, env));
  };
  await run(
    CampaignCreate,
    name,
    '--account',
    account,
    '--days',
    'mon-fri',
    '--hours',
    '9-17',
    '--track-opens',
    'false',
    '--timezone',
    'UTC',
  );
  await run(CampaignSet, name, '--name', `${name} fair`, '--hours-b', '13-17', '--stop-company', 'true', '--json');
  await run(StepAdd, `${name} FAIR`, '--subject', 'A question', '--text-file', TEXT);
  await run(StepAdd, `${name} fair`, '--body-file', HTML, '--wait', '3', '--subject-b', 'B');
  await run(StepAdd, `${name} fair`, '--call', 'Ask for her', '--wait', '2', '--json');
  await run(StepSet, `${name} fair`, '2', '--wait', '5', '--without-b', '--json');
  await run(StepMove, `${name} fair`, '3', '2');
  await run(StepMove, `${name} fair`, '2', '1');
  await run(StepList, `${name} fair`, '--csv');
  await run(StepDelete, `${name} fair`, '2');
  await run(StepDelete, `${name} fair`, '2', '--yes');
  await run(StepSet, `${name} fair`, '9', '--wait', '1');
  await run(CampaignActivate, `${name} fair`);
  await run(CampaignEnrol, `${name} fair`, '--list', `${name} list`, '--json');
  await run(CampaignEnrol, `${name} fair`, '--contact', emails[0] ?? '', '--contact', emails[1] ?? '', '--contact', 'nobody@example.org');
  await run(CampaignEnrol, `${name} fair`);
  await run(CampaignEnrol, `${name} fair`, '--list', `${name} list`, '--search', 'one');
  await run(CampaignCheck, `${name} fair`);
  await run(CampaignActivate, `${name} fair`);
  await run(CampaignActivate, `${name} fair`, '--at', '2027-12-01 09:00');
  await run(CampaignActivate, `${name} fair`, '--at', '2027-12-01 09:00', '--yes');
  await run(CampaignContacts, `${name} fair`, '--status', 'active', '--csv', '--columns', 'email,status');
  await run(CampaignStop, `${name} fair`, emails[0] ?? '', emails[1] ?? '');
  await run(CampaignResume, `${name} fair`, emails[0] ?? '', '--json');
  await run(CampaignHold, `${name} fair`, emails[0] ?? '', '--until', '2027-12-24');
  await run(CampaignStop, `${name} fair`, 'nobody@example.org');
  await run(CampaignCopy, `${name} fair`);
  await run(CampaignPause, `${name} fair`);
  await run(CampaignContinue, `${name} fair`);
  await run(CampaignPause, `${name} fair`, '--json');
  await run(CampaignArchive, `${name} fair`);
  await run(CampaignUnarchive, `${name} fair`);
  await run(CampaignDelete, `${name} fair`);
  await run(CampaignDelete, `${name} fair`, '--yes');
  return ran;
}

let lived: Promise<Ran[]> | undefined;

/** Runs these commands once as the operator on this machine. */
function localLife(): Promise<Ran[]> {
  lived ??= wholeLife(here, 'Local');
  return lived;
}

/** Masks the ids and times, which differ from run to run, and the name. */
const masked = (ran: Ran[], name: string) =>
  ran.map(({ status, stdout, stderr }) => ({
    status,
    text: `${stdout}${stderr}`.replaceAll(new RegExp(name, 'gi'), 'NAME').replaceAll(/\d+/g, '#').replaceAll(/ +/g, ' '),
  }));

describe('a campaign, from its draft to its end', () => {
  it('is worked with from the terminal, on this machine as over HTTP', async () => {
    const local = masked(await localLife(), 'Local');
    const remote = masked(await wholeLife(there(), 'Remote'), 'Remote');
    expect(remote).toEqual(local);
    expect(local.map(({ status, text }) => `${status} ${text.split('\n')[0]}`)).toMatchInlineSnapshot(`
      [
        "0 NAME (campaign #): ○ draft",
        "0 {",
        "0 Step # was added to campaign #.",
        "0 Step # was added to campaign #.",
        "0 {",
        "0 {",
        "0 STEP KIND WAIT SUBJECT",
        "1 outreach: a call can't become step #",
        "0 step_order,kind,wait,subject,subject_b,attachments",
        "1 outreach: there is no terminal to ask at, so nothing was deleted; pass --yes to agree: Delete step # of campaign #?",
        "0 Step # of campaign # was deleted.",
        "1 outreach: step # not found; see: outreach campaign step list ID",
        "2 outreach: the campaign has no enrolled contact; enrol one before you activate it",
        "0 {",
        "0 # contact enrolled, # skipped.",
        "2 outreach: either --contact, --list or --search is required; see: outreach campaignenrol --help",
        "2 outreach: --list and --search can't be combined; see: outreach campaignenrol --help",
        "0 warn replies go to NAME@example.com, whose mailbox is not polled: replies and bounces will go unnoticed",
        "0 Campaign # "NAME fair" is active.",
        "1 outreach: there is no terminal to ask at, so nothing was changed; pass --yes to agree: "NAME fair" is sending now. Stop it, and continue at #-#-# #:# UTC?",
        "0 Campaign # "NAME fair" is active and starts at #-#-# #:# UTC.",
        "0 email,status",
        "0 NAME-one@example.org is stopped.",
        "0 {",
        "0 NAME-one@example.org is held until #-#-# #:# UTC.",
        "1 outreach: contact "nobody@example.org" not found; see: outreach contact list",
        "0 Campaign # "NAME fair (copy)" was created as a draft.",
        "0 Campaign # "NAME fair" is paused; to continue, run: outreach campaign resume #",
        "0 Campaign # "NAME fair" is active and starts at #-#-# #:# UTC.",
        "0 {",
        "0 Campaign # "NAME fair" is archived.",
        "0 Campaign # "NAME fair" was unarchived; to send, run: outreach campaign activate #",
        "1 outreach: there is no terminal to ask at, so nothing was deleted; pass --yes to agree: Delete campaign # "NAME fair"?",
        "0 Campaign # was deleted; to undo, run: outreach trash restore campaigns #",
      ]
    `);
  });
});

describe('a campaign whose start is planned', () => {
  it('resume keeps the planned start, activate drops it, and both say so', async () => {
    const starts_at = new Date('2030-01-07T08:00:00Z');
    const id = `${await insertCampaign(app, { name: 'Planned', timezone: 'Europe/Berlin', status: 'paused', starts_at })}`;
    await insertEnrolment(app, Number(id));
    const run = async (command: typeof Command) => (await runCommand(command, [id, '--force'], there())).stdout.split('\n')[0];
    expect(await run(CampaignContinue)).toBe(`Campaign ${id} "Planned" is active and starts at 2030-01-07 09:00 Europe/Berlin.`);
    expect((await app.db.query<{ starts_at: Date }>(sql`select starts_at from campaigns where id = ${Number(id)}`))[0]).toEqual({
      starts_at,
    });
    await runCommand(CampaignPause, [id], there());
    expect(await run(CampaignActivate)).toBe(
      `Campaign ${id} "Planned" is active and starts now: the planned start at 2030-01-07 09:00 Europe/Berlin was dropped.`,
    );
    expect(await run(CampaignContinue)).toBe(`Campaign ${id} "Planned" is active.`);
  });
});

it('asks the server only for what it prints: nothing for a hint or a name with --json', async () => {
  await insertAccount(app, { email: 'asked@example.org' });
  const proxy = await cuttingProxy(world.url, '/trpc/');
  const asked = async (command: typeof Command, ...args: string[]) => {
    proxy.asked.length = 0;
    const ran = await runCommand(command, args, { OUTREACH_URL: proxy.url, OUTREACH_API_KEY: world.adminKey });
    expect(ran).toMatchObject({ status: 0, stderr: command === Logs ? expect.any(String) : '' });
    return proxy.asked.map(({ path }) => path.replace(/^\/trpc\/|\?.*$/g, ''));
  };
  const reads = (paths: string[], procedure: string) => paths.flatMap((path) => path.split(',')).filter((name) => name === procedure);
  await insertAccount(app, { email: 'too@example.org' });
  const accounts = ['--account', 'asked@example.org,too@example.org'];
  expect(reads(await asked(CampaignCreate, 'Asked too', ...accounts), 'campaignOptions.get')).toHaveLength(1);
  expect(reads(await asked(CampaignShow, 'Asked too'), 'rotations.get')).toHaveLength(1);
  expect(reads(await asked(RotationSet, 'Asked too', '--days', 'mon'), 'campaignOptions.get')).toEqual([]);
  const { id } = JSON.parse((await runCommand(CampaignCreate, ['Asked', '--account', 'asked@example.org', '--json'], there())).stdout);
  expect(await asked(StepAdd, `${id}`, '--subject', 'Hi', '--text-file', TEXT, '--json')).toEqual(['steps.create']);
  expect(await asked(StepAdd, `${id}`, '--text-file', TEXT)).toEqual(['steps.create', 'rotations.list']);
  expect(await asked(CampaignCheck, `${id}`, '--json')).toEqual(['campaigns.warnings']);
  const list = await insertList(app, [await insertContact(app, { is_archived: true })]);
  expect(await asked(CampaignEnrol, `${id}`, '--list', `${list}`, '--json')).toEqual(['enrolments.enrol']);
  for (const flag of ['--json', '--csv', '--utc']) expect(await asked(Logs, flag), flag).toEqual(['activity.list']);
  expect(await asked(Logs)).toEqual(['access.workspace', 'activity.list']);
});

it('prints nothing on stdout where a list is empty, and says so on stderr: `until outreach logs | grep sent` waits', async () => {
  const { stdout, stderr } = await runCommand(Logs, ['--since', '1m'], there());
  expect(stdout).toBe('');
  expect(stderr).toContain('Nothing was sent');
});

it('cli.md: `activate` runs the check, of the start that it was given', async () => {
  const sink = await startSmtpSink({ users: { me: 'secret' } });
  afterFile(() => sink.close());
  const { campaignId } = await startSender(world, sink);
  const start = async (at: string) => (await runCommand(CampaignActivate, [String(campaignId), '--at', at, '--yes'], here)).stdout;
  const late = '1 contact will not finish within 30 days: 1 because the start and the waits between the steps leave too little time';
  expect(await start('2030-12-02')).toContain(late);
  expect(await start('tomorrow')).not.toContain('will not finish');
});

it.each([
  ['draft', 'activate'],
  ['paused', 'activate'],
  ['active', 'explain'],
  ['completed', 'explain'],
])('cli.md: "each command ends with what to do next", after a test or check of a campaign that is %s: %s', async (status, command) => {
  const api = { campaigns: { get: { query: async () => ({ status }) } } };
  expect(await nextOnceChecked(api as never, 7)).toBe(`campaign ${command} 7`);
});

describe('a template in a step', () => {
  it('gives its body and its subject, where the flags give none', async () => {
    await insertAccount(app, { email: 'templates@example.org' });
    const run = async (command: typeof Command, ...args: string[]) => {
      const ran = await runCommand(command, args, there());
      expect(ran).toMatchObject({ status: 0, stderr: '' });
      return ran.stdout;
    };
    await run(CampaignCreate, 'Templated', '--account', 'templates@example.org');
    await run(TemplateCreate, 'Opener', '--subject', 'For {{company}}', '--body-file', HTML);
    const html = '<p>Did you see it?</p>';
    expect(JSON.parse(await run(StepAdd, 'Templated', '--template', 'opener', '--json'))).toMatchObject({
      subject: 'For {{company}}',
      body_html: html,
    });
    const own = ['--template', 'Opener', '--subject', 'Mine', '--json'];
    // decisions D3.3: "every command that changes something print what a person wants to know, in words, with the fields just changed"
    const changed = await run(StepSet, 'Templated', '1', '--text-file', TEXT, '--subject-b', 'Other', '--wait', '2');
    expect(changed).toMatch(/^Step 1 of campaign \d+ was changed\.\n {2}Subject b +Other\n {2}Text file +\S+\n {2}Wait +2 days\n$/);
    expect(await run(StepSet, 'Templated', '1', '--without-b')).toMatch(/^Step 1 of campaign \d+ was changed\.\n {2}Variant b +removed\n$/);
    expect(JSON.parse(await run(StepSet, 'Templated', '1', ...own))).toMatchObject({ subject: 'Mine', body_html: html });
  });
});

describe('attachments of a step', () => {
  it.each(['here', 'there'] as const)('are attached, listed, applied from a file and removed, %s', async (where) => {
    const env = where === 'here' ? here : there();
    const name = `Attached ${where}`;
    await insertAccount(app, { email: `${where}@attached.example` });
    const run = (command: typeof Command, ...args: string[]) => runCommand(command, args, env);
    for (const file of ['prices.pdf', 'terms.txt', 'setup.exe']) writeFileSync(join(folder, file), `${where} ${file}`);
    const file = join(folder, `${where}.yaml`);
    const step = 'steps:\n  - subject: Hello\n    text: See {{name}}\n';
    writeFileSync(file, `name: ${name}\naccounts: [${where}@attached.example]\n${step}    attachments: [prices.pdf]\n`);
    expect(await run(CampaignApply, file, '--yes')).toMatchObject({ status: 0, stderr: '' });
    expect(await run(StepAttach, name, '1', join(folder, 'terms.txt'))).toMatchObject({
      status: 0,
      stdout: expect.stringMatching(/^terms.txt \(1\d bytes\) was attached to step 1 of campaign \d+\.\n$/),
    });
    const listed = JSON.parse((await run(StepList, name, '--json')).stdout);
    expect(listed.data[0].attachments).toEqual(['prices.pdf', 'terms.txt']);
    expect((await run(StepAttach, name, '1', join(folder, 'setup.exe'))).stderr).toMatch(/\.exe files can't be attached/);
    expect((await run(StepAttach, name, '1', join(folder, 'terms.txt'))).stderr).toMatch(/has an attachment named "terms.txt"/);
    expect((await run(StepDetach, name, '1', 'price.pdf')).stderr).toMatch(/no attachment "price.pdf"; it has prices.pdf, terms.txt/);

    // Applying an export changes nothing, and applying the file removes the attachment that it does not name.
    const exported = join(folder, `${where}-exported.yaml`);
    writeFileSync(exported, (await run(CampaignExport, name)).stdout);
    expect((await run(CampaignApply, exported, '--yes')).stdout).toMatch(/no changes/);
    expect((await run(CampaignApply, file, '--yes')).stdout).toMatch(/- {3}.*\n.*- name: terms.txt|-.*terms\.txt/s);
    expect(await run(StepDetach, name, '1', 'PRICES.pdf')).toMatchObject({ status: 0, stderr: '' });
    expect((await run(CampaignApply, exported, '--yes')).status).toBe(0);
    writeFileSync(file, `name: ${name}\n${step}    attachments: [gone.pdf]\n`);
    expect((await run(CampaignApply, file, '--yes')).stderr).toMatch(/yaml:5: steps\[0\]\.attachments\[0\]: .*gone\.pdf/);
  });
});

describe('the rights of a key', () => {
  it('a manager may do it, and one who only reads gets a refusal', async () => {
    const [manager, reader] = [await member(app, 'manager'), await member(app, 'view_only')];
    expect((await wholeLife(there(manager.key), 'Managed')).map(({ status }) => status)).toEqual(
      (await localLife()).map(({ status }) => status),
    );
    const created = await runCommand(CampaignCreate, ['Mine', '--account', 'managed@example.com'], there(reader.key));
    expect(created).toEqual({ status: 1, stdout: '', stderr: 'outreach: a view_only key can read but not change anything\n' });
  });
});

it('a campaign is created or changed with all that the flags say, or not at all', async () => {
  const id = await insertCampaign(app, { name: 'Untouched' });
  await insertAccount(app, { email: 'sender@untouched.example' });
  await insertAccount(app, { email: 'archived@untouched.example', is_archived: true });
  const create = (account: string, ...flags: string[]) =>
    runCommand(CampaignCreate, ['Half made', '--account', account, ...flags], there());
  for (const [status, said, ...wrong] of [
    [1, '"Nowhere" not found', '--list', 'Nowhere'],
    [1, '"Nowhere" not found', '--subsequence', 'finished: Nowhere'],
    [2, '--holidays: there is no country "XX"', '--holidays', 'XX'],
  ] as const) {
    expect(await create('sender@untouched.example', ...wrong)).toMatchObject({ status, stderr: expect.stringContaining(said) });
    expect(await runCommand(CampaignSet, [String(id), '--name', 'Half changed', ...wrong], there())).toMatchObject({ status });
  }
  expect(await create('sender@untouched.example,archived@untouched.example')).toMatchObject({ status: 2, stderr: /archived/ });
  expect(await app.db.query(sql`select name from campaigns where name like 'Half%' or id = ${id}`)).toEqual([{ name: 'Untouched' }]);
});

it('step move shows the whole wait of each step, as step list does', async () => {
  const id = String(await insertCampaign(app, { name: 'Moved' }));
  for (const args of [[], ['--wait', '6 hours'], ['--wait', '2']])
    await runCommand(StepAdd, [id, '--subject', 'S', '--text-file', TEXT, ...args], there());
  expect((await runCommand(StepMove, [id, '3', '2'], there())).stdout).toMatch(/^STEP +KIND +WAIT +SUBJECT\n[\s\S]*2 +email +6 hours/);
});

describe('campaign contacts says what became of each', () => {
  it('one that has ended is not called stopped, and one that is not in the campaign is named', async () => {
    const { campaignId, contactId } = await insertEnrolment(app, await insertCampaign(app), { status: 'replied' });
    const { email } = (await app.db.query<{ email: string }>(sql`select email from contacts where id = ${contactId}`))[0] ?? { email: '' };
    const stop = (...args: string[]) => runCommand(CampaignStop, [String(campaignId), ...args], there());
    expect(await stop(email)).toEqual({ status: 0, stdout: `${email} had ended already: replied.\n`, stderr: '' });
    const absent = String(await insertContact(app, { email: 'absent@stopped.example' }));
    expect(await stop(absent)).toEqual({
      ...{ status: 1, stdout: '' },
      stderr: `outreach: contact "${absent}" is not in campaign ${campaignId}; see: outreach campaign contacts ${campaignId}\n`,
    });
  });

  it('of several, one that cannot be resumed keeps no other from it', async () => {
    const campaign = await insertCampaign(app);
    const contacts = [];
    for (const name of ['one', 'two']) {
      const contact = await insertContact(app, { email: `${name}@resumed.example` });
      contacts.push(contact);
      await insertEnrolment(app, campaign, { contact_id: contact, status: 'stopped' });
    }
    await app.db.query(sql`update contacts set is_archived = true where id = ${contacts[0]}`);
    const ran = await runCommand(CampaignResume, [String(campaign), ...contacts.map(String)], there());
    expect(ran).toEqual({
      ...{ status: 1, stdout: 'two@resumed.example is active again.\n' },
      stderr: `${contacts[0]}: one@resumed.example is archived; unarchive the contact first\n`,
    });
  });
});
