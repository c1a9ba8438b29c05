import { expect, it } from 'vitest';
import { holdEnrolments } from '../../src/campaigns/enrolments/hold.ts';
import {
  addToRotation,
  changeCampaign,
  changeContact,
  checkCampaign,
  createRotation,
  endEnrolments,
  enrol,
  insertStep,
  listCampaignsOfContact,
  rematchHeld,
} from '../../src/campaigns/index.ts';
import { HOUR, MINUTE } from '../../src/core/clock.ts';
import { sql } from '../../src/db/statement.ts';
import { lookUpProviders, wantProviders } from '../../src/mail-domains/index.ts';
import { matchProviders } from '../../src/main/match-providers.ts';
import { explainCampaign, forecastCampaign, forecastRotation } from '../../src/sending/index.ts';
import { testInstallation } from '../support/database.ts';
import { mxOnly } from '../support/mx-only.ts';
import { numberFaults } from '../support/number-faults.ts';
import { insertAccount, insertCampaign, insertContact } from '../support/rows.ts';

const { app, caller, clock } = await testInstallation();

const MX: Record<string, string> = { google: 'aspmx.l.google.com', microsoft: 'x.mail.protection.outlook.com', own: 'mx.own.net' };
const asked: string[] = [];
/** Name servers for which a name tells its provider, such as acme-google.com. */
const dns = mxOnly(async (name) => {
  asked.push(name);
  if (name.startsWith('silent')) throw Object.assign(new Error('no answer'), { code: 'ETIMEOUT' });
  return [{ priority: 1, exchange: MX[name.replace(/^.*-|\.com$/g, '')] ?? 'mx.else.net' }];
});
const lookUp = () => matchProviders(app, dns);

const people = (name: string, ...domains: string[]) => domains.map((domain, index) => ({ email: `${name}-${index}@${domain}` }));

/** Creates a group of an account at Google and, by default, one at Microsoft, with these contacts. */
async function group(name: string, provider_match: string, domains: string[], others = [{ email: `me-${name}@ours-microsoft.com` }]) {
  const account_id = await insertAccount(app, { email: `me-${name}@ours-google.com` });
  const campaignId = await insertCampaign(app, { account_id, status: 'active', provider_match });
  const accounts: number[] = [];
  for (const values of others) accounts.push(await insertAccount(app, values));
  const { id, members } = await createRotation(app, caller, campaignId, accounts);
  const contact_ids: number[] = [];
  for (const values of people(name, ...domains)) contact_ids.push(await insertContact(app, values));
  await enrol(app, caller, campaignId, { contact_ids });
  return { campaignId, groupId: id, members: members.map((member) => member.campaign_id) };
}

/** Returns the sender of each contact by domain, and the reason for a hold. */
async function placed(members: readonly number[]): Promise<Record<string, string | null>> {
  const rows = await app.db.query<{ domain: string; sender: string; reason: string | null }>(sql`
    select split_part(k.email, '@', 2) as domain, split_part(split_part(a.email, '@', 2), '.', 1) as sender, e.hold_reason as reason
    from enrolments e join contacts k on k.id = e.contact_id join campaigns c on c.id = e.campaign_id join accounts a on a.id = c.account_id
    where c.id = any(${members as number[]}::int[]) order by 1`);
  return Object.fromEntries(rows.map(({ domain, sender, reason }) => [domain, reason ?? sender]));
}

it('C4: prefer holds contacts until their domains were looked up, once each, and then sends Google to Google', async () => {
  asked.length = 0;
  const { groupId, members, campaignId } = await group('prefer', 'prefer', [
    'a-google.com',
    'a-microsoft.com',
    'a-own.com',
    'dark.internal',
  ]);
  const held = await forecastRotation(app, caller, groupId, 10);
  expect(held.map(({ email }) => email)).toEqual([]);
  const { reasons } = await explainCampaign(app, caller, campaignId);
  expect(reasons.join()).toMatch(/held(, for example)?: the email provider of .* is being looked up/);
  await lookUp();
  expect(await placed(members)).toMatchObject({ 'a-google.com': 'ours-google', 'a-microsoft.com': 'ours-microsoft' });
  // Names that are not public are not looked up; the accounts' own domains are.
  expect(asked.sort()).toEqual(['a-google.com', 'a-microsoft.com', 'a-own.com', 'ours-google.com', 'ours-microsoft.com']);
  const forecast = await forecastRotation(app, caller, groupId, 10);
  expect(Object.fromEntries(forecast.map((row) => [row.email.split('@')[1], row.account_email.split('@')[1]]))).toMatchObject({
    'a-google.com': 'ours-google.com',
    'a-microsoft.com': 'ours-microsoft.com',
  });
  expect(forecast).toHaveLength(4);
  const later = await insertContact(app, { email: 'later@a-microsoft.com' });
  await enrol(app, caller, campaignId, { contact_ids: [later] });
  await lookUp();
  expect(asked).toHaveLength(5);
  expect(await placed(members)).toMatchObject({ 'a-microsoft.com': 'ours-microsoft' });
});

it('C4: require waits for an account of the provider, explain and check say so, and an account that joins takes them', async () => {
  const { groupId, members, campaignId } = await group(
    'require',
    'require',
    ['b-google.com', 'b-microsoft.com'],
    [{ email: 'two@ours-google.com' }],
  );
  await lookUp();
  const reason = 'no account of the group sends from Microsoft, where b-microsoft.com has its email';
  expect(await placed(members)).toEqual({ 'b-google.com': 'ours-google', 'b-microsoft.com': reason });
  const { rows } = await app.db.pool.query('select distinct contact_id from enrolments where campaign_id = any($1)', [members]);
  const waiting = (await Promise.all(rows.map(({ contact_id }) => listCampaignsOfContact(app, caller, contact_id)))).flatMap(
    ({ data }) => data,
  );
  expect(waiting.map(({ next_send_at }) => next_send_at === null).toSorted()).toEqual([false, true]);
  const said = await Promise.all(members.map((id) => explainCampaign(app, caller, id)));
  expect(JSON.stringify(said)).toContain(`1 contact is held: ${reason}`);
  expect(await checkCampaign(app, caller, campaignId)).toContainEqual(
    expect.objectContaining({ code: 'no_matching_account', message: expect.stringMatching(/sends from Microsoft/) }),
  );
  await addToRotation(app, caller, groupId, [await insertAccount(app, { email: 'new@ours-microsoft.com' })]);
  const all = await app.db.query<{ id: number }>(sql`select id from campaigns where rotation_group_id = ${groupId}`);
  expect(await placed(all.map(({ id }) => id))).toEqual({ 'b-google.com': 'ours-google', 'b-microsoft.com': 'ours-microsoft' });
  expect((await checkCampaign(app, caller, campaignId)).map(({ code }) => code)).not.toContain('no_matching_account');
});

it('C4: who waits goes on when the match is turned off', async () => {
  const { members, campaignId } = await group('off', 'require', ['c-microsoft.com'], [{ email: 'three@ours-google.com' }]);
  await lookUp();
  expect(Object.values(await placed(members))).toEqual([expect.stringMatching('no account')]);
  await changeCampaign(app, caller, campaignId, { provider_match: 'off' });
  expect(Object.values(await placed(members))).toEqual(['ours-google']);
});

it('C4: a hold by a person in between strands nobody, and lets nobody go to a wrong account', async () => {
  const { members, campaignId } = await group('person', 'require', ['e-microsoft.com'], [{ email: 'four@ours-google.com' }]);
  await lookUp();
  const waiting = () =>
    app.db.query<{ id: number; due_at: Date | null; hold_kind: string | null; hold_reason: string | null }>(
      sql`select id, due_at, hold_kind, hold_reason from enrolments where campaign_id = any(${members}::int[])`,
    );
  const [{ id } = { id: 0 }] = await waiting();
  const until = new Date(clock.now().getTime() + HOUR);
  await app.db.tx((tx) => holdEnrolments(tx, app, caller, [id], { until, reason: 'on leave' }));
  clock.advance(2 * HOUR);
  await rematchHeld(app);
  expect(await waiting()).toMatchObject([
    { due_at: null, hold_kind: 'provider', hold_reason: expect.stringMatching('^no account of the group') },
  ]);
  await changeCampaign(app, caller, campaignId, { provider_match: 'off' });
  expect(await waiting()).toMatchObject([{ due_at: clock.now(), hold_kind: null, hold_reason: null }]);
});

it('C4: who waits gets a step that is inserted first, and waits no more once its enrolment has ended', async () => {
  const { members, campaignId } = await group('first', 'require', ['f-microsoft.com'], [{ email: 'five@ours-google.com' }]);
  await lookUp();
  const waiting = () =>
    app.db.query<{ id: number }>(
      sql`select id, status, current_step, hold_kind, due_at from enrolments where campaign_id = any(${members}::int[])`,
    );
  const step = { subject: 'First', body_html: '<p>First</p>', subject_b: null, body_html_b: null, wait_days: 0, kind: 'email' as const };
  await insertStep(app, caller, campaignId, 1, step);
  expect(await waiting()).toMatchObject([{ status: 'active', current_step: 1, hold_kind: 'provider', due_at: null }]);
  const ids = (await waiting()).map(({ id }) => id);
  await app.db.tx((tx) => endEnrolments(tx, app, caller, ids, { status: 'stopped' }));
  expect(await waiting()).toMatchObject([{ status: 'stopped', hold_kind: null, due_at: null }]);
});

it('C4: a domain without an answer counts as other, and is asked again after an hour at the earliest', async () => {
  const { members, campaignId } = await group('silent', 'require', ['silent-google.com']);
  await lookUp();
  expect(Object.values(await placed(members))).toEqual([expect.stringMatching('^ours-')]);
  const again = async (name: string) => {
    await enrol(app, caller, campaignId, { contact_ids: [await insertContact(app, { email: `${name}@silent-google.com` })] });
    asked.length = 0;
    await lookUp();
    return asked;
  };
  expect(await again('soon')).toEqual([]);
  clock.advance(HOUR + MINUTE);
  expect(await again('later')).toEqual(['silent-google.com']);
});

it('C4: one campaign alone sends to everybody', async () => {
  const campaignId = await insertCampaign(app, { status: 'active', provider_match: 'require' });
  await enrol(app, caller, campaignId, { contact_ids: [await insertContact(app, { email: 'alone@d-google.com' })] });
  expect(await forecastCampaign(app, caller, campaignId, 10)).toHaveLength(1);
  expect(await numberFaults(app)).toEqual([]);
});

it('a domain that only a report asks for has nobody distributed again; one that somebody is held for is looked up first', async () => {
  const now = app.clock.now();
  await app.db.query(sql`delete from mail_domains`);
  const many = Array.from({ length: 300 }, (_, index) => `report-${index}-own.com`);
  await wantProviders(app.db, [...many, 'both-google.com'], now, { isAwaited: false });
  await wantProviders(app.db, ['both-google.com'], new Date(now.getTime() + MINUTE), { isAwaited: true });
  expect(await lookUpProviders(app, dns)).toBe(true);
  expect(asked.slice(-200)).toContain('both-google.com');
  expect(await lookUpProviders(app, dns)).toBe(false);
  expect(await app.db.query(sql`select count(*)::int as left from mail_domains where wanted_at is not null`)).toEqual([{ left: 0 }]);
});

it('"provider match after an edit": an address at another provider, and another account of a campaign, before the first email', async () => {
  const { members } = await group('edited', 'require', ['a-google.com', 'a-microsoft.com']);
  await lookUp();
  const [contact] = await app.db.query<{ id: number }>(sql`select id from contacts where email = 'edited-0@a-google.com'`);
  await changeContact(app, caller, contact?.id ?? 0, { email: 'edited-0@b-microsoft.com' });
  await lookUp();
  expect(await placed(members)).toEqual({ 'a-microsoft.com': 'ours-microsoft', 'b-microsoft.com': 'ours-microsoft' });
  const account_id = await insertAccount(app, { email: 'edited@other-google.com' });
  await changeContact(app, caller, contact?.id ?? 0, { email: 'edited-0@c-google.com' });
  await changeCampaign(app, caller, members.at(-1) ?? 0, { account_id });
  await lookUp();
  const after = await placed(members);
  expect(after['c-google.com']).toMatch(/-google$/);
  expect(after['a-microsoft.com']).toMatch(/^no account of the group sends from Microsoft/);
});
