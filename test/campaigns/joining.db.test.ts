import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeEach, describe, expect, it } from 'vitest';
import { listHistory } from '../../src/access/index.ts';
import {
  campaignsWithPending,
  changeCampaign,
  checkCampaign,
  copyAsDraft,
  createRotation,
  enrolPending,
} from '../../src/campaigns/index.ts';
import { importContacts } from '../../src/contacts/import/index.ts';
import { addMembers } from '../../src/contacts/index.ts';
import { raw, sql } from '../../src/db/statement.ts';
import { explainCampaign } from '../../src/sending/index.ts';
import { numberFaults } from '../support/number-faults.ts';
import { member } from '../support/people.ts';
import { insertAccount, insertCampaign, insertContact, insertList, insertRow, rowOf } from '../support/rows.ts';
import { refusal, servedInstallation } from '../support/served.ts';

/** "Evergreen: `list: NAME` of a campaign enrols whoever joins the list later." */
const { app, api, caller, dataDir } = await servedInstallation();
let list: number;
let campaign: number;

beforeEach(async () => {
  list = await insertList(app, [await insertContact(app)], { name: `Newsletter ${Math.random()}` });
  campaign = await insertCampaign(app, { list_id: list });
});
// After all tests, every counter equals the number of rows that it counts.
afterAll(async () => expect(await numberFaults(app)).toEqual([]));

const drain = async () => {
  for (const id of await campaignsWithPending(app, 100)) await enrolPending(app, id, new AbortController().signal);
};
const enrolled = async (id = campaign) =>
  (await app.db.query<{ contact_id: number }>(sql`select contact_id from enrolments where campaign_id = ${id} order by 1`)).map(
    ({ contact_id }) => contact_id,
  );
const joins = (...ids: number[]) => addMembers(app, caller, list, ids);
const historyOf = async (type: string, id: number) =>
  (await listHistory(app.db, caller, { resource: { type, id }, limit: 10 })).map(({ action, changes, user_id }) => ({
    action,
    changes,
    user_id,
  }));
const skips = async (id: number) => (await historyOf('contact', id)).filter(({ action }) => action === 'contact.not_enrolled');
const set = (body: object, id = campaign) => api.patch(`/campaigns/${id}/options`, body);

describe('a campaign with a list', () => {
  it('enrols whoever joins it by any way there is, each once, and not who was on it', async () => {
    const [added, batched] = [await insertContact(app), (await rowOf(app, 'contacts', await insertContact(app))).email];
    await api.post(`/lists/${list}/members`, { contact_ids: [added, added] });
    await api.post('/contacts', { email: 'created@example.org', list_ids: [list] });
    await api.post('/contacts/batch', {
      contacts: [
        { email: 'new@example.org', list_ids: [list] },
        { email: batched, list_ids: [list] },
      ],
      update: true,
    });
    await api.put('/contacts/by-email/put@example.org', { list_ids: [list] });
    writeFileSync(join(dataDir, 'people.csv'), `email\nimported@example.org\n${batched}\nnew@example.org\n`);
    const { name } = await rowOf(app, 'lists', list);
    await importContacts(app, caller, { path: join(dataDir, 'people.csv'), list: name as string });
    await drain();
    const rows = await app.db.query<{ email: string }>(
      sql`select k.email from enrolments e join contacts k on k.id = e.contact_id where e.campaign_id = ${campaign}`,
    );
    const { email } = await rowOf(app, 'contacts', added);
    const [created, put] = ['created@example.org', 'put@example.org'];
    expect(rows.map((row) => row.email).sort()).toEqual([created, email, batched, 'imported@example.org', 'new@example.org', put].sort());
    expect(await campaignsWithPending(app, 10)).toEqual([]);
  });

  it('an import that is tried out enrols nobody', async () => {
    writeFileSync(join(dataDir, 'dry.csv'), 'email\ndry@example.org\n');
    await importContacts(app, caller, { path: join(dataDir, 'dry.csv'), list: `${(await rowOf(app, 'lists', list)).name}`, dryRun: true });
    expect(await campaignsWithPending(app, 10)).toEqual([]);
  });

  it('records the enrolment as any other, in the name of whoever gave it the list, also after they left', async () => {
    const manager = await member(app, 'manager');
    await api.as(manager.key).patch(`/campaigns/${campaign}/options`, { list_id: null });
    await api.as(manager.key).patch(`/campaigns/${campaign}/options`, { list_id: list });
    await api.post(`/users/${manager.id}/disable`);
    const contact = await insertContact(app);
    const hidden = await insertContact(app, { is_shared_to_all: false });
    await joins(contact, hidden);
    await drain();
    expect(await enrolled()).toEqual([contact]);
    const [entry] = await historyOf('campaign', campaign);
    expect(entry).toEqual({ action: 'campaign.enrol', changes: { enrolled: 1, joined_list_id: list }, user_id: manager.id });
    expect((await api.get(`/campaigns/${campaign}/events`)).body.data).toMatchObject([{ type: 'enrolled', contact_id: contact }]);
    expect(await skips(hidden)).toMatchObject([{ changes: { campaign_id: campaign, joined_list_id: list, reason: 'not_found' } }]);
  });

  it('never enrols a suppressed address, an archived contact, or whom the campaign leaves out, and their history says why', async () => {
    const guarded = await insertCampaign(app, { list_id: list, skip_if_in_campaign: 'any' });
    const [suppressed, domain, archived, elsewhere] = [
      ...[await insertContact(app, { email: 'out@example.net' }), await insertContact(app, { email: 'a@sub.gone.example' })],
      ...[await insertContact(app, { is_archived: true }), await insertContact(app)],
    ];
    for (const email of ['out@example.net', '@gone.example']) await api.post('/suppressions', { email });
    await api.post(`/campaigns/${await insertCampaign(app)}/contacts`, { contact_ids: [elsewhere] });
    await joins(suppressed ?? 0, domain ?? 0, archived ?? 0, elsewhere ?? 0);
    await drain();
    expect(await enrolled()).toEqual([elsewhere]);
    expect(await enrolled(guarded)).toEqual([]);
    for (const [id, reason] of [
      [suppressed, 'suppressed'],
      [domain, 'suppressed'],
      [archived, 'archived'],
    ] as const)
      expect((await skips(id ?? 0)).map(({ changes }) => changes.reason)).toEqual([reason, reason]);
    expect((await skips(elsewhere ?? 0)).map(({ changes }) => changes)).toEqual([
      { campaign_id: guarded, joined_list_id: list, reason: 'in_other_campaign' },
    ]);
  });

  it.each([
    [{ is_archived: true }, 'campaign_archived'],
    [{ deleted_at: new Date() }, 'campaign_deleted'],
    [{ list_id: null }, 'rule_changed'],
  ])('enrols nobody who was still pending when it became %j', async (values, reason) => {
    const contact = await insertContact(app);
    await joins(contact);
    const [[column, value] = ['', null]] = Object.entries(values);
    await app.db.query(sql`update campaigns set ${raw(column)} = ${value} where id = ${campaign}`);
    await drain();
    expect(await enrolled()).toEqual([]);
    expect((await skips(contact)).map(({ changes }) => changes.reason)).toEqual([reason]);
  });

  it.each(['draft', 'paused'])('enrols into a campaign that is %s, which sends once it is active', async (status) => {
    await app.db.query(sql`update campaigns set status = ${status} where id = ${campaign}`);
    const contact = await insertContact(app);
    await joins(contact);
    await drain();
    expect(await enrolled()).toEqual([contact]);
    expect((await rowOf(app, 'campaigns', campaign)).status).toBe(status);
  });

  it('reopens a completed campaign, and leaves it completed without auto_reopen', async () => {
    const other = await insertCampaign(app, { list_id: list, status: 'completed', auto_reopen: false });
    await app.db.query(sql`update campaigns set status = 'completed' where id = ${campaign}`);
    await joins(await insertContact(app));
    await drain();
    expect([(await rowOf(app, 'campaigns', campaign)).status, (await rowOf(app, 'campaigns', other)).status]).toEqual([
      'active',
      'completed',
    ]);
    expect((await checkCampaign(app, caller, other)).map(({ code }) => code)).toContain('not_reopened');
  });

  it('a rotation group enrols each once, in one of its campaigns', async () => {
    const { id } = await createRotation(app, caller, campaign, [await insertAccount(app), await insertAccount(app)]);
    const members = await app.db.query<{ id: number; list_id: number }>(
      sql`select id, list_id from campaigns where rotation_group_id = ${id}`,
    );
    expect(members.map((one) => one.list_id)).toEqual([list, list, list]);
    await joins(await insertContact(app), await insertContact(app), await insertContact(app));
    expect(await campaignsWithPending(app, 10)).toEqual([campaign]);
    await drain();
    for (const one of members) expect(await enrolled(one.id)).toHaveLength(1);
  });

  it('a copy of the campaign enrols nobody by itself', async () => {
    const copy = await copyAsDraft(app, caller, campaign);
    expect((await rowOf(app, 'campaigns', copy.id)).list_id).toBeNull();
  });

  it('two daemons at once enrol everybody once', async () => {
    const ids = await Promise.all([...Array(50)].map(() => insertContact(app)));
    await Promise.all([drain(), ...ids.map((id) => joins(id).then(drain)), drain()]);
    await drain();
    expect(await enrolled()).toEqual(ids.toSorted((a, b) => a - b));
    expect((await api.get(`/campaigns/${campaign}/stats`)).body.contacts).toBe(50);
  });

  it('a crash between joining and enrolling loses nobody, and neither does one that interrupts the enrolment', async () => {
    const contact = await insertContact(app);
    await joins(contact);
    const failing = { ...app, random: { ...app.random, integer: () => expect.fail('killed') } };
    await expect(enrolPending(failing, campaign, new AbortController().signal)).rejects.toThrow('killed');
    expect(await enrolled()).toEqual([]);
    await drain();
    expect(await enrolled()).toEqual([contact]);
  });

  it('takes more than one chunk, each a transaction of its own', async () => {
    await app.db.query(sql`
      with made as (
        insert into contacts (workspace_id, name, email, created_at, updated_at)
        select 1, '', 'many' || i || '@example.org', now(), now() from generate_series(1, 4001) i returning id)
      insert into list_members (list_id, contact_id, added_at) select ${list}::int, id, now() from made`);
    const stopping = new AbortController();
    const { db } = app;
    let chunks = 0;
    const counting = { ...app, db: { ...db, tx: ((work) => db.tx(work).finally(() => chunks++)) as typeof db.tx } };
    await enrolPending(counting, campaign, stopping.signal);
    expect([chunks, (await enrolled()).length]).toEqual([3, 4001]);
    stopping.abort();
    await enrolPending(counting, campaign, stopping.signal);
    expect(chunks).toBe(3);
  });
});

describe('giving a campaign a list', () => {
  it('takes a list of the workspace only', async () => {
    const workspace_id = await insertRow(app, 'workspaces', { name: `W ${Math.random()}`, created_at: new Date(), updated_at: new Date() });
    const foreign = await insertList(app, [], { workspace_id });
    expect(await set({ list_id: foreign })).toMatchObject(refusal(400, 'invalid_request', `list_id: there is no list ${foreign}`));
    expect(await set({ list_id: 'x' })).toMatchObject(refusal(400, 'invalid_request', 'list_id: '));
    expect((await set({ list_id: null })).body).toMatchObject({ list_id: null });
  });

  it('a deleted list is kept, warned about, and joined again once it is restored', async () => {
    await api.delete(`/lists/${list}`);
    const { body } = await api.get(`/campaigns/${campaign}/options`);
    expect((await api.patch(`/campaigns/${campaign}/options`, body)).body).toMatchObject({ list_id: list });
    expect((await checkCampaign(app, caller, campaign)).map(({ code }) => code)).toContain('list_deleted');
    expect((await explainCampaign(app, caller, campaign)).notes).toContain(
      'The list whose new members are enrolled was deleted, so it enrols nobody.',
    );
  });

  it('waits for whoever is joining just then, so that nobody is neither on the list before nor enrolled after', async () => {
    await changeCampaign(app, caller, campaign, { list_id: null });
    const contact = await insertContact(app);
    let isSet = false;
    let setting: Promise<unknown> = Promise.resolve();
    await app.db.tx(async (tx) => {
      await tx.query(sql`insert into list_members (list_id, contact_id, added_at) values (${list}, ${contact}, now())`);
      setting = changeCampaign(app, caller, campaign, { list_id: list }).then(() => {
        isSet = true;
      });
      await tx.query(sql`select pg_sleep(0.2)`);
      expect(isSet).toBe(false);
    });
    await setting;
    expect(await campaignsWithPending(app, 10)).toEqual([]);
    // The reverse: a contact who joins while the list is being set is enrolled.
    await changeCampaign(app, caller, campaign, { list_id: null });
    const later = await insertContact(app);
    let joining: Promise<unknown> = Promise.resolve();
    await app.db.tx(async (tx) => {
      await changeCampaign({ ...app, db: app.db.within(tx) }, caller, campaign, { list_id: list });
      joining = app.db.query(sql`insert into list_members (list_id, contact_id, added_at) values (${list}, ${later}, now())`);
      await tx.query(sql`select pg_sleep(0.2)`);
    });
    await joining;
    await drain();
    expect(await enrolled()).toEqual([later]);
  });

  it('explain names the list and who is about to be enrolled', async () => {
    await joins(await insertContact(app), await insertContact(app));
    const { notes } = await explainCampaign(app, caller, campaign);
    expect(notes).toContain(`Contacts who join the list "${(await rowOf(app, 'lists', list)).name}" are enrolled.`);
    expect(notes).toContain('2 contacts wait to be enrolled by a list or a subsequence.');
    await drain();
  });
});
