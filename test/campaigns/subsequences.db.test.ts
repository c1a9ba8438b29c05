import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { listHistory } from '../../src/access/index.ts';
import type { CompletedStep } from '../../src/campaigns/enrolments/advance.ts';
import {
  advanceEnrolments,
  campaignsWithPending,
  checkCampaign,
  completeCampaigns,
  copyAsDraft,
  createRotation,
  enrolPending,
} from '../../src/campaigns/index.ts';
import { DAY, SECOND } from '../../src/core/clock.ts';
import { sql } from '../../src/db/statement.ts';
import { MailboxPoller } from '../../src/inbound/index.ts';
import { writeHits } from '../../src/tracking/write-hits.ts';
import { afterFile } from '../support/after-file.ts';
import { type ImapServer, startImapServer } from '../support/imap-server.ts';
import { reply } from '../support/inbound-mail.ts';
import { numberFaults } from '../support/number-faults.ts';
import { member } from '../support/people.ts';
import { arrive, mailboxAccount, PASSWORD, type SentMail, sentMail } from '../support/polled-mailbox.ts';
import { insertAccount, insertCampaign, insertEnrolment, rowOf } from '../support/rows.ts';
import { refusal, servedInstallation } from '../support/served.ts';

/** "Subsequence: on a label or an event, enrol into another campaign." */
const installation = await servedInstallation();
const { app, api, caller, clock } = installation;
const ZOE = 'zoe@example.com';
let server: ImapServer;
let zoe: number;
let target: number;
let people = 0;

beforeAll(async () => {
  server = await startImapServer({ users: { [ZOE]: PASSWORD } });
  afterFile(() => server.close());
  zoe = await mailboxAccount(app, server.port, ZOE);
});
beforeEach(async () => {
  target = await insertCampaign(app);
});
// After all tests, every counter of the campaigns that contacts entered equals the number of rows that it counts.
afterAll(async () => expect(await numberFaults(app)).toEqual([]));

const drain = async () => {
  for (const id of await campaignsWithPending(app, 100)) await enrolPending(app, id, new AbortController().signal);
};
type Rule = { on: string; label?: string; wait_days?: number; campaign_id?: number };
const follow = async (id: number, ...rules: Rule[]) => {
  const answer = await api.patch(`/campaigns/${id}/options`, { subsequences: rules.map((rule) => ({ campaign_id: target, ...rule })) });
  expect(answer.status, JSON.stringify(answer.body)).toBe(200);
};
/** Sends an email to a new contact, in a campaign with these rules. */
const mailed = async (...rules: Rule[]): Promise<SentMail> => {
  const mail = await sentMail(installation, zoe, { recipient: `ada${++people}@company-${people}.example` });
  await follow(mail.campaignId, ...rules);
  return mail;
};
const answered = async (mail: SentMail, text = 'Yes, let us talk.', headers = {}) => {
  clock.advance(600 * SECOND);
  await arrive(server, ZOE, reply(mail, headers, text));
  await new MailboxPoller(app).poll(zoe);
  const [row] = await app.db.query<{ id: number }>(sql`select id from replies where enrolment_id = ${mail.enrolmentId} order by id desc`);
  return row?.id ?? 0;
};
const contactOf = async (mail: SentMail) => (await rowOf<{ contact_id: number }>(app, 'enrolments', mail.enrolmentId)).contact_id;
const standing = async (mail: SentMail, campaign = target) => {
  const [row] = await app.db.query<{ status: string; stop_reason: string | null }>(sql`
    select status, stop_reason from enrolments where campaign_id = ${campaign} and contact_id = ${await contactOf(mail)}`);
  return row === undefined ? null : `${row.status}${row.stop_reason === null ? '' : `: ${row.stop_reason}`}`;
};
const label = (id: number, text: string | null) => api.patch(`/replies/${id}`, { label: text });
const reclassify = (id: number, kind: string) => api.post(`/replies/${id}/reclassify`, { kind });
const finish = (mail: SentMail) =>
  app.db.tx(async (tx) => {
    const step: CompletedStep = { enrolmentId: mail.enrolmentId, stepOrder: 9, at: clock.now(), sentFrom: null };
    await completeCampaigns(tx, app, await advanceEnrolments(tx, app, [step]));
  });
const fetched = async (mail: SentMail, kind: 'opened' | 'clicked') => {
  const [email] = await app.db.query<{ id: number }>(sql`select id from outbox where enrolment_id = ${mail.enrolmentId}`);
  clock.advance(600 * SECOND);
  const url = kind === 'clicked' ? 'https://example.com/' : null;
  const userAgent = 'Mozilla/5.0 (X11; Linux x86_64; rv:140.0) Gecko/20100101 Firefox/140.0';
  await writeHits(
    app,
    [{ outboxId: email?.id ?? 0, kind, url, at: clock.now(), ip: '203.0.113.9', userAgent, method: 'GET', headers: {} }],
    [],
  );
};
const reasons = async (mail: SentMail) =>
  (await listHistory(app.db, caller, { resource: { type: 'contact', id: await contactOf(mail) }, limit: 10 }))
    .filter(({ action }) => action === 'contact.not_enrolled')
    .map(({ changes }) => changes.reason);

describe('on a label', () => {
  it('enrols the contact once their reply gets it, in any case of letters, with the cause in the history', async () => {
    const mail = await mailed({ on: 'label', label: 'Interested' });
    const id = await answered(mail);
    await label(id, 'later');
    await drain();
    expect(await standing(mail)).toBeNull();
    await label(id, 'interested');
    await drain();
    expect(await standing(mail)).toBe('active');
    const [entry] = await listHistory(app.db, caller, { resource: { type: 'campaign', id: target }, limit: 1 });
    expect(entry).toMatchObject({
      action: 'campaign.enrol',
      changes: { enrolled: 1, from_campaign_id: mail.campaignId, on: 'label', label: 'interested' },
    });
    expect((await api.get(`/campaigns/${target}/events`)).body.data).toMatchObject([{ type: 'enrolled' }]);
  });

  it('a label that is changed takes back what is pending and what has sent nothing, and leaves what has', async () => {
    const [pending, unsent, sent] = [
      await mailed({ on: 'label', label: 'interested', wait_days: 1 }),
      await mailed({ on: 'label', label: 'interested' }),
      await mailed({ on: 'label', label: 'interested' }),
    ];
    const ids = [await answered(pending), await answered(unsent), await answered(sent)];
    for (const id of ids) await label(id, 'interested');
    await drain();
    await app.db.query(
      sql`update enrolments set last_sent_step = 1 where campaign_id = ${target} and contact_id = ${await contactOf(sent)}`,
    );
    for (const id of ids) await label(id, 'meeting');
    clock.advance(2 * DAY);
    await drain();
    expect([await standing(pending), await standing(unsent), await standing(sent)]).toEqual([
      ...[null, 'stopped: the label of the reply was changed', 'active'],
    ]);
  });
});

describe('on what a contact does', () => {
  it('a reply of a person enrols them, an automatic one does not', async () => {
    const [person, machine] = [await mailed({ on: 'replied' }), await mailed({ on: 'replied' })];
    await answered(person);
    await answered(machine, 'I am away.', { 'Auto-Submitted': 'auto-replied' });
    await drain();
    expect([await standing(person), await standing(machine)]).toEqual(['active', null]);
    expect((await rowOf(app, 'enrolments', person.enrolmentId)).status).toBe('replied');
  });

  it('whoever asks to be removed is never enrolled, though their request is a reply, too (D2.6)', async () => {
    const mail = await mailed({ on: 'replied' }, { on: 'label', label: 'interested' });
    const id = await answered(mail, 'Please remove me from your list.');
    await label(id, 'interested');
    await drain();
    // Once because of the reply, once because of the label.
    expect([await standing(mail), await reasons(mail)]).toEqual([null, ['suppressed', 'suppressed']]);
  });

  it.each(['opened', 'clicked'] as const)('whoever %s moves on: what is left of the first campaign is not sent', async (on) => {
    const mail = await mailed({ on });
    await fetched(mail, on);
    await drain();
    expect(await standing(mail)).toBe('active');
    expect(await standing(mail, mail.campaignId)).toBe(`stopped: moved to campaign ${target}`);
    await fetched(mail, on);
    expect(await campaignsWithPending(app, 10)).toEqual([]);
  });

  it('whoever finishes is enrolled after the wait, unless they reply before', async () => {
    const [silent, late] = [await mailed({ on: 'finished', wait_days: 3 }), await mailed({ on: 'finished', wait_days: 3 })];
    for (const mail of [silent, late]) await finish(mail);
    await drain();
    expect(await standing(silent)).toBeNull();
    clock.advance(2 * DAY);
    await answered(late);
    clock.advance(DAY);
    await drain();
    expect([await standing(silent), await standing(late)]).toEqual(['active', null]);
    expect(await reasons(late)).toEqual(['replied']);
  });

  it('a reply to the first campaign ends the second, and the one that follows on that', async () => {
    const mail = await mailed({ on: 'finished' });
    const third = await insertCampaign(app);
    await follow(target, { on: 'opened', campaign_id: third });
    await finish(mail);
    await drain();
    await answered(mail);
    expect(await standing(mail)).toBe('stopped: replied to an earlier campaign');
  });

  it('campaigns that name each other come to an end: a contact enters each once', async () => {
    const mail = await mailed({ on: 'finished' });
    await follow(target, { on: 'finished', campaign_id: mail.campaignId });
    await finish(mail);
    await drain();
    const [there] = await app.db.query<{ id: number }>(sql`select id from enrolments where campaign_id = ${target}`);
    await finish({ ...mail, enrolmentId: there?.id ?? 0 });
    await drain();
    expect([await standing(mail), await standing(mail, mail.campaignId)]).toEqual(['completed', 'completed']);
    expect(await campaignsWithPending(app, 10)).toEqual([]);
  });
});

describe('a reply that is reclassified', () => {
  it('takes back what it caused, and has it go on when it was a reply after all', async () => {
    const mail = await mailed({ on: 'replied' });
    const id = await answered(mail);
    await drain();
    expect((await reclassify(id, 'auto_reply')).status).toBe(200);
    expect([await standing(mail), await standing(mail, mail.campaignId)]).toEqual(['stopped: the reply was reclassified', 'active']);
    await reclassify(id, 'reply');
    await drain();
    expect([await standing(mail), await standing(mail, mail.campaignId)]).toEqual(['active', 'replied']);
  });

  it('enrols nobody who is still pending, and enrols whom a correction makes one who replied', async () => {
    const [mail, other] = [await mailed({ on: 'replied' }), await mailed({ on: 'replied' })];
    await reclassify(await answered(mail), 'auto_reply');
    await reclassify(await answered(other, 'I am away.', { 'Auto-Submitted': 'auto-replied' }), 'reply');
    await drain();
    expect([await standing(mail), await standing(other)]).toEqual([null, 'active']);
  });
});

describe('the rules', () => {
  it('are checked: known causes, a label for labels only, another campaign that the caller sees, each once', async () => {
    const id = await insertCampaign(app);
    const hidden = await insertCampaign(app, { is_shared_to_all: false });
    const manager = api.as((await member(app, 'manager')).key);
    const set = (rules: object[], client = api) => client.patch(`/campaigns/${id}/options`, { subsequences: rules });
    const refused = async (message: string, rules: object[], client = api) =>
      expect(await set(rules, client)).toMatchObject(refusal(400, 'invalid_request', message));
    await refused('subsequences[0].on: must be label, replied, opened, clicked or finished', [{ on: 'bounced', campaign_id: target }]);
    await refused('subsequences[0].label: is required', [{ on: 'label', campaign_id: target }]);
    await refused('subsequences[0].label: is only for', [{ on: 'replied', label: 'x', campaign_id: target }]);
    await refused('subsequences[0].campaign_id: must be another campaign', [{ on: 'replied', campaign_id: id }]);
    await refused(`subsequences[0].campaign_id: there is no campaign ${hidden}`, [{ on: 'replied', campaign_id: hidden }], manager);
    const twice = { on: 'label', label: 'x', campaign_id: target };
    await refused('subsequences[1]: listed twice', [twice, { ...twice, label: 'X' }]);
    expect((await set([{ on: 'finished', campaign_id: target }])).body.subsequences).toEqual([
      { on: 'finished', label: null, wait_days: 0, campaign_id: target },
    ]);
  });

  it('hold for the rotation group, and for a copy in the name of who made it', async () => {
    const id = await insertCampaign(app);
    await follow(id, { on: 'replied' });
    const group = await createRotation(app, caller, id, [await insertAccount(app)]);
    for (const { campaign_id } of group.members)
      expect((await api.get(`/campaigns/${campaign_id}/options`)).body.subsequences).toMatchObject([
        { on: 'replied', campaign_id: target },
      ]);
    const manager = await member(app, 'manager');
    const copy = await copyAsDraft(app, { ...caller, actor: 'user', userId: manager.id, role: 'manager' }, id);
    expect(await rowOf(app, 'campaigns', copy.id)).toMatchObject({ subsequences_set_by: manager.id, subsequences: [{ on: 'replied' }] });
  });

  it('act in the name of who set them: nobody is enrolled in a campaign that is hidden from them by then', async () => {
    const mail = await mailed();
    const manager = await member(app, 'manager');
    await api.as(manager.key).patch(`/campaigns/${mail.campaignId}/options`, { subsequences: [{ on: 'replied', campaign_id: target }] });
    await app.db.query(sql`update campaigns set is_shared_to_all = false where id = ${target}`);
    await answered(mail);
    await drain();
    expect([await standing(mail), await reasons(mail)]).toEqual([null, ['campaign_not_found']]);
  });

  it('that are gone by then, or lead to a campaign that takes nobody, enrol nobody', async () => {
    const [changed, archived] = [await mailed({ on: 'replied' }), await mailed({ on: 'replied' })];
    await answered(changed);
    await follow(changed.campaignId);
    await drain();
    await answered(archived);
    await api.post(`/campaigns/${target}/archive`);
    await drain();
    expect([await reasons(changed), await reasons(archived)]).toEqual([['rule_changed'], ['campaign_archived']]);
    expect((await checkCampaign(app, caller, archived.campaignId)).map(({ code }) => code)).toContain('subsequence_gone');
  });

  it('do not count the campaign that a contact leaves as one that keeps them out, but every other', async () => {
    await app.db.query(sql`update campaigns set skip_if_in_campaign = 'any' where id = ${target}`);
    const [mail, elsewhere] = [await mailed({ on: 'clicked' }), await mailed({ on: 'clicked' })];
    await insertEnrolment(app, await insertCampaign(app), { contact_id: await contactOf(elsewhere) });
    for (const one of [mail, elsewhere]) await fetched(one, 'clicked');
    await drain();
    expect([await standing(mail), await standing(elsewhere), await reasons(elsewhere)]).toEqual(['active', null, ['in_other_campaign']]);
    expect(await standing(elsewhere, elsewhere.campaignId)).toBe('active');
  });

  it('check warns of what is not tracked, and of campaigns that send nothing', async () => {
    const id = await insertCampaign(app, { track_opens: false });
    const draft = await insertCampaign(app, { status: 'draft' });
    await follow(id, { on: 'opened' }, { on: 'replied', campaign_id: draft });
    const messages = (await checkCampaign(app, caller, id)).map(({ message }) => message);
    expect(messages).toContain('the subsequence "opened" enrols nobody: this is not tracked');
    expect(messages).toContain(`the subsequence "replied" enrols contacts who are sent nothing until campaign ${draft} is active`);
  });
});
