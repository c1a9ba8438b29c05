import type { Command } from '@oclif/core';
import { beforeAll, describe, expect, it } from 'vitest';
import CampaignActivate from '../../../commands/campaign/activate.ts';
import CampaignArchive from '../../../commands/campaign/archive.ts';
import CampaignCheck from '../../../commands/campaign/check.ts';
import CampaignContactsHold from '../../../commands/campaign/contacts/hold.ts';
import CampaignContacts from '../../../commands/campaign/contacts/index.ts';
import CampaignContactsResume from '../../../commands/campaign/contacts/resume.ts';
import CampaignContactsStop from '../../../commands/campaign/contacts/stop.ts';
import CampaignDelete from '../../../commands/campaign/delete.ts';
import CampaignExplain from '../../../commands/campaign/explain.ts';
import CampaignForecast from '../../../commands/campaign/forecast.ts';
import CampaignList from '../../../commands/campaign/list.ts';
import CampaignPause from '../../../commands/campaign/pause.ts';
import CampaignReport from '../../../commands/campaign/report.ts';
import CampaignSet from '../../../commands/campaign/set.ts';
import CampaignShow from '../../../commands/campaign/show.ts';
import CampaignUnarchive from '../../../commands/campaign/unarchive.ts';
import RotationActivate from '../../../commands/rotation/activate.ts';
import RotationAdd from '../../../commands/rotation/add.ts';
import RotationCreate from '../../../commands/rotation/create.ts';
import RotationList from '../../../commands/rotation/list.ts';
import RotationPause from '../../../commands/rotation/pause.ts';
import RotationRemove from '../../../commands/rotation/remove.ts';
import RotationReport from '../../../commands/rotation/report.ts';
import RotationSet from '../../../commands/rotation/set.ts';
import RotationShow from '../../../commands/rotation/show.ts';
import RotationStats from '../../../commands/rotation/stats.ts';
import { member } from '../../support/people.ts';
import { insertAccount, insertCampaign, insertContact } from '../../support/rows.ts';
import { runCommand } from '../../support/run-command.ts';
import { TEST_SECRET } from '../../support/secret.ts';
import { servedInstallation } from '../../support/served.ts';

const baseUrl = 'https://links.example.com';
const world = await servedInstallation({ baseUrl });
const { app, api } = world;
const here = {
  ...{ OUTREACH_DATA_DIR: world.dataDir, DATABASE_URL: world.databaseUrl, OUTREACH_SECRET_KEY: TEST_SECRET },
  OUTREACH_BASE_URL: baseUrl,
};
const there = (key = world.adminKey) => ({ OUTREACH_URL: world.url, OUTREACH_API_KEY: key });

/** Runs a command here and there, which must print the same, and returns what it printed. */
async function both(command: typeof Command, ...args: string[]): Promise<string> {
  const [local, remote] = [await runCommand(command, args, here), await runCommand(command, args, there())];
  expect(remote).toEqual(local);
  return local.stdout + local.stderr;
}
const run = async (command: typeof Command, ...args: string[]) => {
  const ran = await runCommand(command, args, there());
  expect(ran.stderr).toBe('');
  return ran.stdout;
};
const json = async (command: typeof Command, ...args: string[]) => JSON.parse(await run(command, ...args, '--json'));

const OPEN = {
  smtp: JSON.stringify({ host: 'smtp.example.com', port: 465, secure: true, user: 'x' }),
  imap: JSON.stringify({ host: 'imap.example.com', port: 993, secure: true, user: 'x' }),
  send_window_start_hour: 0,
  send_window_end_hour: 24,
};
const STEP = { subject: 'Hello', body_html: '<p>{{company}}</p><a href="{{unsubscribe_url}}">no more</a>' };
const EVERY_HOUR = { sending_days: '{1,2,3,4,5,6,7}', sending_hour_start: 0, sending_hour_end: 24 };
let spring: number;
let group: number;

beforeAll(async () => {
  await insertCampaign(app, { name: 'Alone', status: 'draft' });
  for (const name of ['ben', 'cleo', 'dora']) await insertAccount(app, { email: `${name}@example.com`, ...OPEN });
  const anna = await insertAccount(app, { email: 'anna@example.com', ...OPEN });
  spring = await insertCampaign(app, { name: 'Spring', status: 'draft', account_id: anna, ...EVERY_HOUR }, [STEP]);
  group = (await json(RotationCreate, 'spring', '--accounts', 'ben@example.com, cleo@example.com')).id;
  const contacts = await Promise.all([1, 2, 3, 4, 5, 6].map((i) => insertContact(app, { company: i > 1 ? 'Acme' : null })));
  await api.post(`/campaigns/${spring}/contacts`, { contact_ids: contacts });
});

describe('a rotation group is one campaign to a person', () => {
  it('in campaign list, with the sums of its accounts; --members opens it', async () => {
    expect(await both(CampaignList, '--columns', 'name,status,account_email,contact_count')).toMatch(
      /Alone +draft +\S+ +0\nSpring +draft +anna@example\.com \+2 +6\n$/,
    );
    expect(await both(CampaignList, '--members', '--columns', 'name,contact_count')).toMatch(
      /Spring +2\nSpring \(ben@example\.com\) +2\nSpring \(cleo@example\.com\) +2\n$/,
    );
    const { data, pagination } = await json(CampaignList, '--limit', '1');
    expect(pagination).toMatchObject({ total: 2, limit: 1 });
    expect(data[0]).toMatchObject({ name: 'Alone', rotation_id: null, account_count: 1 });
    expect((await json(CampaignList, '--all')).data[1]).toMatchObject({ id: spring, rotation_id: group, account_count: 3 });
    expect(await both(CampaignList, '--status', 'active')).toMatch(/^No records in workspace "Default" match/);
    expect((await json(CampaignList, '--archived')).pagination.total).toBe(0);
  });

  it('in campaign show, with the sums and the campaign of each account', async () => {
    const shown = await json(CampaignShow, 'Spring');
    expect(shown).toMatchObject({ id: spring, rotation: { id: group, contacts: 6, members: [{}, {}, {}] } });
    expect((await json(CampaignShow, 'Alone')).rotation).toBeNull();
    expect(await both(CampaignShow, 'Spring')).toMatch(
      /rotation group \d+\): ○ draft[\s\S]*Accounts +anna@example\.com, ben@example\.com, cleo@example\.com[\s\S]*Contacts +6 enrolled/,
    );
  });

  it('in campaign check: what concerns one account names it and keeps no email of the others', async () => {
    await app.db.pool.query(`update accounts set status = 'paused', pause_reason = 'manual' where email = 'ben@example.com'`);
    const checked = await json(CampaignCheck, 'Spring');
    expect(checked.ok).toBe(true);
    const messages = checked.warnings.map((warning: { message: string }) => warning.message);
    expect(messages).toContain('the account ben@example.com is paused');
    expect(messages.filter((message: string) => /postal address/.test(message))).toHaveLength(1);
    expect(messages).toContain('step 1: 1 contact has no value for {{company}}, which has no fallback');
    await app.db.pool.query(`update accounts set status = 'active', pause_reason = null where email = 'ben@example.com'`);
  });

  it('in campaign explain and forecast; --members opens it', async () => {
    expect(await both(CampaignExplain, 'Spring')).toBe(
      `"Spring" sends from 3 accounts (rotation group ${group}).\nThe campaign is a draft; activate it to start.\n`,
    );
    await run(RotationActivate, 'Spring');
    await app.db.pool.query(`update accounts set daily_send_limit = 0 where email = 'ben@example.com'`);
    // Only over HTTP: the server's clock is stopped, but a local command uses the real time.
    expect(await run(CampaignExplain, `${spring + 1}`)).toMatch(
      /^"Spring" sends from .*\nSending now\.\nben@example\.com has a daily limit of 0\.\n/,
    );
    expect(await run(CampaignExplain, 'Spring', '--members')).toMatch(
      /ben@example\.com \(campaign \d+\):\nben@example\.com has a daily limit of 0\./,
    );
    expect(await json(CampaignExplain, 'Spring')).toMatchObject({ campaign_id: spring, rotation_id: group, status: 'active', reasons: [] });
    await app.db.pool.query(`update accounts set daily_send_limit = 50 where email = 'ben@example.com'`);
    const { data } = await json(CampaignForecast, 'Spring');
    expect(data).toHaveLength(6);
    expect(new Set(data.map((row: { account_email: string }) => row.account_email)).size).toBe(3);
    expect(await run(CampaignForecast, 'Spring', '--members')).toMatch(/ACCOUNT +EMAILS[\s\S]*cleo@example\.com +2 /);
    const counted = async (...args: string[]) => (await runCommand(CampaignForecast, ['Spring', '--members', ...args], here)).stderr;
    expect(await counted('--limit', '5')).toBe('Only the next 5 emails are counted; use --all to count the next 10,000.\n');
    expect(await counted('--limit', '6')).toBe('');
  });

  it('in campaign contacts and report, whichever of its campaigns is named', async () => {
    const cleo = 'Spring (cleo@example.com)';
    const listed = await both(CampaignContacts, cleo, '--columns', 'email,account_email', '--csv');
    expect(listed).toBe(await both(CampaignContacts, 'Spring', '--columns', 'email,account_email', '--csv'));
    const rows = listed
      .trimEnd()
      .split('\n')
      .slice(1)
      .map((row) => row.split(','));
    expect(rows).toHaveLength(6);
    expect(new Set(rows.map(([, account]) => account)).size).toBe(3);
    expect(await json(CampaignContacts, 'Spring', '--limit', '3')).toMatchObject({ data: [{}, {}, {}], pagination: { total: 6 } });
    const [[email = '']] = rows.filter(([, account]) => account !== 'cleo@example.com') as [string[]];
    expect(await run(CampaignContactsStop, cleo, email)).toBe(`${email} is stopped.\n`);
    expect(await run(CampaignContactsResume, 'Spring', email)).toBe(`${email} is active again.\n`);
    const found = await run(CampaignContactsHold, 'Spring', '--search', `email:${email}`, '--until', '2099-01-05 09:00');
    expect(found).toBe('1 contact is held until 2099-01-05 09:00 UTC.\n');
    expect(await run(CampaignContactsStop, cleo, '--search', `email:${email}`)).toBe('1 contact is stopped.\n');
    expect(await run(CampaignContactsStop, cleo, '--search', `email:${email}`)).toBe('0 contacts are stopped. 1 contact was not active.\n');
    expect(await run(CampaignContactsResume, 'Spring', email)).toBe(`${email} is active again.\n`);
    const nobody = await runCommand(CampaignContactsStop, [cleo, '--search', 'email:nobody@nowhere.example'], there());
    expect(nobody).toMatchObject({ status: 2, stderr: expect.stringContaining('no contact of the campaign matches') });
    const absent = String(await insertContact(app));
    const stranger = await runCommand(CampaignContactsStop, [cleo, absent], there());
    expect(stranger).toMatchObject({ status: 1, stderr: expect.stringContaining(`outreach: contact "${absent}" is not in campaign`) });
    const report = await json(CampaignReport, cleo, '--by', 'account');
    expect(report).toEqual(await json(RotationReport, 'Spring', '--by', 'account'));
  });

  it('when a verb of campaign names one of its campaigns: it holds for all, and says so', async () => {
    const all = `(all 3 accounts of rotation group ${group})`;
    const cleo = `Spring (cleo@example.com)`;
    expect(await run(CampaignPause, cleo)).toContain(`${all} is paused`);
    expect(await run(CampaignActivate, cleo)).toContain(`${all} is active`);
    expect(await run(CampaignArchive, 'Spring')).toContain(`${all} is archived`);
    expect((await json(CampaignList, '--archived')).data).toMatchObject([{ id: spring, contact_count: 6 }]);
    expect(await run(CampaignUnarchive, 'Spring')).toContain(`${all} was unarchived`);
    const changed = await runCommand(CampaignSet, ['Spring', '--hours', '8-18'], there());
    expect(changed.stderr).toBe('Changed in 3 campaigns of the group; each keeps its own account.\n');
    expect((await json(CampaignShow, cleo)).sending_hour_start).toBe(8);
  });
});

describe('rotation', () => {
  it('list, show and stats give the sums and each account, here and over HTTP', async () => {
    expect(await both(RotationList)).toMatch(/Spring +paused +3 +6 +6 +0 +0\n$/);
    expect(await both(RotationShow, 'Spring')).toMatch(
      /^Spring \(campaign \d+, rotation group \d+\): .*paused\n.*\nAccounts .*anna@example\.com.*\nSends .*\n\nSTEP .*\n\nCAMPAIGN /s,
    );
    expect(await both(RotationStats, 'Spring')).toMatch(/anna@example\.com +2 +2 [\s\S]*total +6 +6 +0 /);
  });

  it('activate refuses what keeps emails from leaving, unless it is forced, and pause stops all', async () => {
    const paused = `update accounts set status = 'paused', pause_reason = 'manual' where email ~ '(anna|ben|cleo)'`;
    await app.db.pool.query(paused);
    expect((await runCommand(RotationActivate, ['Spring'], there())).stderr).toMatch(
      /^outreach: not activated: the account anna@example\.com is paused \(and 2 more problems\); see: outreach campaign check/,
    );
    await app.db.pool.query(paused.replace(`'paused', pause_reason = 'manual'`, `'active', pause_reason = null`));
    expect(await run(RotationActivate, `${group}`)).toContain(`"Spring" is active: all 3 accounts of rotation group ${group}.`);
    // "A campaign that is sending stops until its new start": it asks, as campaign activate does.
    const unasked = await runCommand(RotationActivate, [`${group}`, '--at', '3d'], there());
    expect(unasked).toMatchObject({ status: 1, stderr: expect.stringContaining('pass --yes to agree: "Spring" is sending now') });
    expect(await run(RotationActivate, `${group}`, '--at', '3d', '--yes')).toContain(' and starts at ');
    expect(await both(RotationPause, `${group}`)).toContain('"Spring" is paused: all 3 accounts');
  });

  it('activate keeps the planned start of drafts', async () => {
    const campaign = await insertCampaign(app, { name: 'Later', status: 'draft', starts_at: new Date('2026-12-01T09:00:00Z') }, [STEP]);
    await run(RotationCreate, 'Later', '--accounts', 'dora@example.com');
    await api.post(`/campaigns/${campaign}/contacts`, { contact_ids: [await insertContact(app)] });
    await run(RotationActivate, 'Later', '--force');
    expect((await api.get(`/campaigns/${campaign}`)).body.starts_at).toBe('2026-12-01 09:00:00');
  });

  it('set changes all its campaigns and shows no field of one alone', async () => {
    const changed = await json(RotationSet, 'Spring', '--name', 'Summer', '--stop-company', 'true', '--days', 'mon-thu');
    expect(changed).toMatchObject({ id: group, name: 'Summer', stop_company: true, sending_days: [1, 2, 3, 4], contacts: 6 });
    expect(changed).not.toHaveProperty('account_email');
    expect(changed.members.map((row: { name: string }) => row.name)).toContain('Summer (ben@example.com)');
    expect((await runCommand(RotationSet, ['Summer'], there())).stderr).toContain('nothing to change; see: outreach rotation set --help');
  });

  it('add and remove take several accounts by address or id', async () => {
    expect(await run(RotationAdd, 'Summer', 'dora@example.com')).toContain('dora@example.com');
    expect((await json(RotationRemove, 'Summer', 'dora@example.com', 'ben@example.com')).account_count).toBe(2);
    // "`rotation remove` with several accounts is not one transaction": of those that it can't all remove, it removes none.
    for (const [all, why] of [
      [['anna@example.com', 'cleo@example.com'], 'at least one account must remain; delete the campaign instead'],
      [['cleo@example.com', 'dora@example.com'], /account \d+ in this rotation group not found/],
    ] as const)
      expect(await runCommand(RotationRemove, ['Summer', ...all], there())).toMatchObject({
        status: 1,
        stderr: expect.stringMatching(why),
      });
    expect((await json(RotationShow, 'Summer')).account_count).toBe(2);
    expect(await both(RotationRemove, 'Sumer', 'ben@example.com')).toContain(
      `rotation group "Sumer" not found; did you mean "Summer" (${group})?`,
    );
    expect(await both(RotationAdd, 'Summer', 'bert@example.com')).toMatch(
      /account "bert@example\.com" not found; did you mean "ben@example\.com"/,
    );
  });

  it('a view-only key reads groups and changes none', async () => {
    const { key } = await member(app, 'view_only');
    expect((await runCommand(RotationList, [], there(key))).status).toBe(0);
    expect(await runCommand(RotationPause, ['Summer'], there(key))).toMatchObject({
      status: 1,
      stderr: expect.stringContaining('view_only'),
    });
  });

  it('is deleted as one', async () => {
    expect(await run(CampaignDelete, 'Summer', '--yes')).toContain(`(all 2 accounts of rotation group ${group}) was deleted`);
    expect(await both(RotationShow, 'Summer')).toContain('not found');
  });
});
