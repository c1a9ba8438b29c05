import { beforeAll, expect, it } from 'vitest';
import { type Caller, setWorkspace } from '../../src/access/index.ts';
import { sql } from '../../src/db/statement.ts';
import { recordEvents } from '../../src/events/index.ts';
import { campaignPage, createReportLink, findSharedReport, sharedReportPage } from '../../src/reports/index.ts';
import { member } from '../support/people.ts';
import { eventOf, insertAccount, insertCampaign, insertContact, insertEnrolment, insertReply, joinInGroup } from '../support/rows.ts';
import { servedInstallation } from '../support/served.ts';

const { api, app, caller } = await servedInstallation();
let campaign: number;

/** A contact of a campaign who was sent an email, and who replied so often, with these labels. */
async function person(campaignId: number, ...replies: { label?: string; kind?: string }[]): Promise<void> {
  const enrolment = await insertEnrolment(app, campaignId, {
    contact_id: await insertContact(app, { email: `p${Math.random()}@x.example` }),
  });
  const events = [eventOf(app, enrolment, 'sent'), ...(replies.length > 0 ? [eventOf(app, enrolment, 'replied')] : [])];
  await app.db.tx((tx) => recordEvents(tx, events));
  for (const reply of replies) await insertReply(app, enrolment, reply);
}

beforeAll(async () => {
  campaign = await insertCampaign(app, { name: 'Fair' });
  const other = await insertCampaign(app, { name: 'Fair (ben@us.example)', account_id: await insertAccount(app) });
  await joinInGroup(app, [campaign, other]);
  await person(campaign, { label: 'interested' }, { label: 'interested' });
  await person(other, { label: 'meeting' }, { kind: 'auto_reply' });
  await person(campaign, { kind: 'unsubscribe_request' });
  await person(campaign, {}, { kind: 'unsubscribe_request' });
  await person(other, { label: 'question' });
  for (let more = 0; more < 5; more++) await person(campaign);
});

const report = async (path: string) => (await api.get(path)).body;
const counted = ({
  labels,
  ...rates
}: { labels: { label: string; contacts: number }[] } & Record<string, { count: number; of: number }>) => ({
  ...Object.fromEntries(Object.entries(rates).map(([name, rate]) => [name, `${rate.count}/${rate.of}`])),
  labels: Object.fromEntries(labels.map(({ label, contacts }) => [label, contacts])),
});

it('docs/reports.md: "who asked to get no more email has not answered", a contact counts once for each label', async () => {
  const all = { answered: '3/10', positive: '2/10', asked_to_stop: '2/10', labels: { interested: 1, meeting: 1, null: 2, question: 1 } };
  for (const path of [`/rotations/${campaign}/report`, '/reports', '/reports?by=account'])
    expect(counted((await report(path)).answers), path).toEqual(all);
  expect(counted((await report(`/campaigns/${campaign}/report?by=day`)).answers)).toMatchObject({ positive: '1/8', asked_to_stop: '2/8' });
  expect(counted((await report('/reports?since=2020-01-01')).answers)).toEqual(all);
  expect((await report('/reports?until=2020-01-01')).answers).toEqual({ answered: null, positive: null, asked_to_stop: null, labels: [] });
  // The statistics count all who replied.
  expect((await report('/reports')).total.replied).toBe(5);
});

it('docs/reports.md: "a table has one kind of rate"; to people a rotation group is one campaign', async () => {
  for (const by of ['campaign', 'account', 'day', 'week']) {
    const { rows, total } = await report(`/reports?by=${by}`);
    expect(new Set([...rows, total].map((row) => row.rates_of)).size, by).toBe(1);
  }
  const { rows } = await report('/reports?by=campaign');
  expect(rows).toMatchObject([{ campaign_id: campaign, campaign_name: 'Fair', rotation_id: campaign, contacts: 10, replied: 5 }]);
  const weeks = (await report(`/rotations/${campaign}/report?by=week`)).rows;
  expect(weeks).toMatchObject([{ week: '2026-07-06', sent: 10 }]);
});

it('docs/reports.md: which labels are positive is a setting of the workspace', async () => {
  await setWorkspace(app, caller, { positive_labels: ['question'] });
  expect(counted((await report('/reports')).answers)).toMatchObject({ positive: '1/10' });
  expect((await report('/workspace')).positive_labels).toEqual(['question']);
});

it('docs/reports.md: "a campaign that is not tracked has a dash", but what was counted before tracking was switched off stays', async () => {
  const hosted = await insertAccount(app, { tracking_host: 'https://links.us.example' });
  const campaigns = {
    tracked: await insertCampaign(app, { account_id: hosted }),
    off: await insertCampaign(app, { account_id: hosted, track_opens: false }),
    withoutHost: await insertCampaign(app),
    wasTracked: await insertCampaign(app),
  };
  for (const [name, id] of Object.entries(campaigns)) {
    const enrolment = await insertEnrolment(app, id, { contact_id: await insertContact(app, { email: `${name}@x.example` }) });
    const opened = name === 'wasTracked' ? [eventOf(app, enrolment, 'opened')] : [];
    await app.db.tx((tx) => recordEvents(tx, [eventOf(app, enrolment, 'sent'), ...opened]));
  }
  const expected = {
    tracked: { opened: true, clicked: true },
    off: { opened: false, clicked: true },
    withoutHost: { opened: false, clicked: false },
    wasTracked: { opened: true, clicked: false },
  };
  const { rows, total } = await report('/reports');
  for (const [name, id] of Object.entries(campaigns)) {
    const tracked = expected[name as keyof typeof expected];
    expect((await report(`/campaigns/${id}/report`)).total.tracked, name).toEqual(tracked);
    expect(rows.find((row: { campaign_id: number }) => row.campaign_id === id).tracked, name).toEqual(tracked);
  }
  expect(total.tracked).toEqual({ opened: true, clicked: true });
});

it('who answered is named with the day of the answer in the zone of the campaign', async () => {
  const auckland = await insertCampaign(app, { name: 'Auckland', timezone: 'Pacific/Auckland' });
  const enrolment = await insertEnrolment(app, auckland);
  await app.db.tx((tx) => recordEvents(tx, [eventOf(app, enrolment, 'sent'), eventOf(app, enrolment, 'replied')]));
  await setWorkspace(app, caller, { positive_labels: ['interested'] });
  await insertReply(app, enrolment, { label: 'interested', received_at: new Date('2026-07-06T20:00:00Z') });
  const { page } = await campaignPage(app, caller, { campaign_id: auckland, shows_names: true, sender: 'Us' });
  expect(page.html).toContain('<td>interested</td><td>2026-07-07</td>');
});

// docs/reports.md: "A private contact of a colleague counts in them, and stays hidden from you": a link with names would name them.
it('a report names nobody who is hidden from whoever made its link, or gets it by email', async () => {
  const campaign = await insertCampaign(app, { name: 'Names', is_shared_to_all: true });
  for (const [name, isShared] of [
    ['Open', true],
    ['Secret', false],
  ] as const) {
    const contact_id = await insertContact(app, { is_shared_to_all: isShared });
    const enrolment = await insertEnrolment(app, campaign, { contact_id });
    await app.db.tx((tx) => recordEvents(tx, [eventOf(app, enrolment, 'sent'), eventOf(app, enrolment, 'replied')]));
    await insertReply(app, enrolment, { label: 'interested', sender_name: name });
  }
  const colleague: Caller = { ...caller, actor: 'user', userId: (await member(app, 'manager')).id, role: 'manager', isInstallAdmin: false };
  const wanted = { campaign_id: campaign, shows_names: true, sender: 'Us' };
  const linkOf = async (maker: Caller) => {
    const { url } = await createReportLink(app, maker, campaign, { expiresAt: null, showsNames: true, sender: null });
    return (await findSharedReport(app, url.slice(url.lastIndexOf('/') + 1))) ?? expect.unreachable();
  };
  const named = (html: string) => ['Open', 'Secret'].filter((name) => html.includes(`>${name}<`));
  const link = await linkOf(colleague);
  expect(named((await sharedReportPage(app, await linkOf(caller))).html)).toEqual(['Open', 'Secret']);
  expect(named((await sharedReportPage(app, link)).html)).toEqual(['Open']);
  expect(named((await campaignPage(app, colleague, wanted)).page.html)).toEqual(['Open']);
  await app.db.query(sql`delete from memberships where user_id = ${colleague.userId}`);
  expect(named((await sharedReportPage(app, link)).html)).toEqual(['Open']);
});
