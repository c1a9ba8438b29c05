import { beforeAll, describe, expect, it } from 'vitest';
import type { Caller } from '../../src/access/index.ts';
import type { App } from '../../src/app.ts';
import { campaignSearch } from '../../src/campaigns/index.ts';
import { listContacts } from '../../src/contacts/index.ts';
import { contactMatches } from '../../src/contacts/read-contact.ts';
import { searchContacts } from '../../src/contacts/search/index.ts';
import { sql } from '../../src/db/statement.ts';
import { type TestInstallation, testInstallation } from '../support/database.ts';
import { member, workspace } from '../support/people.ts';
import { insertCampaign, insertContact, insertEnrolment, insertEvent, insertList, insertRow } from '../support/rows.ts';

let installation: TestInstallation;
let app: App;

beforeAll(async () => {
  installation = await testInstallation();
  app = installation.app;
});

const found = async (query: string, caller: Caller = installation.caller) =>
  (await searchContacts(app, caller, query, { limit: 200, offset: 0 }, campaignSearch)).data.map(({ name }) => name);
const enrol = async (campaignId: number, contactId: number, values: Record<string, unknown> = {}) =>
  insertEnrolment(app, campaignId, { contact_id: contactId, ...values });

describe('status: and step: beside campaign: speak of that enrolment', () => {
  beforeAll(async () => {
    const [a, b] = [await insertCampaign(app, { name: 'A' }), await insertCampaign(app, { name: 'B' })];
    const both = await insertContact(app, { name: 'both', company: 'Enrolled' });
    await enrol(a, both, { status: 'replied', current_step: 1 });
    await enrol(b, both, { status: 'active', current_step: 2 });
    await enrol(a, await insertContact(app, { name: 'only a', company: 'Enrolled' }), { status: 'active', current_step: 2 });
    await insertContact(app, { name: 'never', company: 'Enrolled' });
  });

  it.each([
    ['campaign:A status:replied', ['both']],
    ['campaign:A status:active', ['only a']],
    ['campaign:B status:active', ['both']],
    ['status:active campaign:A', ['only a']],
    ['campaign:A campaign:B', ['both']],
    ['campaign:A campaign:B status:active', []],
    ['campaign:A,B status:active', ['both', 'only a']],
    ['(campaign:A OR campaign:B) status:active', ['both', 'only a']],
    ['campaign:A (status:active OR status:bounced)', ['only a']],
    ['campaign:A (status:active step:2)', ['only a']],
    ['campaign:A -status:replied', ['only a']],
    ['campaign:A NOT (status:active step:2)', ['both']],
    ['-(campaign:A status:active) company:enrolled', ['both', 'never']],
    ['-campaign:A status:active', []],
    ['-campaign:B status:active', ['only a']],
    ['campaign:A step:2', ['only a']],
    ['campaign:A status:none', []],
    ['campaign:A (status:active step:2 OR company:nothing)', ['only a']],
    ['campaign:A (campaign:B OR status:active)', ['both', 'only a']],
    ['campaign:A OR status:bounced', ['both', 'only a']],
  ])('%s', async (query, names) => expect(await found(query)).toEqual(names));

  it.each([
    ['status:active status:replied', ['both']],
    ['status:replied step:2', []],
    ['status:active step:2', ['both', 'only a']],
    ['status:active -step:1', ['both', 'only a']],
    ['status:none company:enrolled', ['never']],
    ['status:none,replied company:enrolled', ['both', 'never']],
    ['status:*', ['both', 'only a']],
    ['campaign:none company:enrolled', ['never']],
    ['-status:active company:enrolled', ['never']],
  ])('without a campaign, status: speaks of any enrolment: %s', async (query, names) => expect(await found(query)).toEqual(names));

  it('nesting that would multiply without end is refused', async () => {
    let query = 'step:1';
    for (let depth = 0; depth < 12; depth++) query = `campaign:a campaign:b (${query} OR status:active)`;
    await expect(found(query)).rejects.toThrow('query nests too many campaign, status and step terms');
  });
});

describe('what the caller can not see is not searched', () => {
  it('private contacts, private and deleted campaigns, deleted lists and fields, other workspaces', async () => {
    const { id: managerId } = await member(app, 'manager');
    const manager: Caller = { ...installation.caller, actor: 'user', userId: managerId, role: 'manager' };
    const seen = await insertContact(app, { name: 'Seen', custom_fields: '{"gone":"x"}' });
    const hidden = await insertContact(app, { name: 'Hidden', is_shared_to_all: false });
    const secret = await insertCampaign(app, { name: 'Secret', is_shared_to_all: false });
    const enrolment = await enrol(secret, seen, { status: 'bounced' });
    await insertEvent(app, enrolment, 'failed');
    const deleted = await insertCampaign(app, { name: 'Deleted', deleted_at: app.clock.now() });
    await enrol(deleted, seen, { status: 'stopped' });
    await insertList(app, [seen], { name: 'Deleted list', deleted_at: app.clock.now() });
    await insertRow(app, 'custom_fields', {
      ...{ workspace_id: 1, name: 'Gone', key: 'gone', field_type: 'text', created_at: app.clock.now(), deleted_at: app.clock.now() },
    });
    const elsewhere = await workspace(app);
    const foreigner = await insertContact(app, { name: 'Foreigner', workspace_id: elsewhere });
    const foreign = await insertCampaign(app, { name: 'Foreign', workspace_id: elsewhere });
    await enrol(foreign, foreigner, { workspace_id: elsewhere });

    for (const query of [
      'campaign:secret',
      `campaign_id:${secret}`,
      'status:bounced',
      'failed:true',
      `failed:${app.clock.now().toISOString().slice(0, 10)}`,
    ]) {
      expect(await found(query), query).toEqual(['Seen']);
      expect(await found(query, manager), query).toEqual([]);
    }
    expect(await found('name:seen status:none', manager)).toEqual(['Seen']);
    for (const caller of [installation.caller, manager])
      for (const query of ['campaign:deleted', 'status:stopped', 'list:"deleted list"', 'campaign:foreign', 'foreigner'])
        expect(await found(query, caller), query).toEqual([]);
    expect(await found('hidden')).toEqual(['Hidden']);
    expect(await found(`id:${hidden}`, manager)).toEqual([]);
    await insertRow(app, 'shares', {
      ...{ workspace_id: 1, resource_type: 'contacts', resource_id: hidden, user_id: managerId, granted_at: app.clock.now() },
    });
    expect(await found(`id:${hidden}`, manager)).toEqual(['Hidden']);
    await expect(found('gone:x')).rejects.toThrow('unknown field "gone" at position 1');
    await expect(found('cf.gone:x')).rejects.toThrow('unknown field "cf.gone" at position 1');
  });
});

describe('next_send', () => {
  it('is the instant that the enrolment shows: after waits, holds and both windows', async () => {
    // Tuesday noon; the campaign sends Monday to Friday from 9 to 17, the account every day from 8 to 18, all UTC.
    const campaign = await insertCampaign(app, { name: 'Next' }, [{}, { kind: 'call' }]);
    const due = async (name: string, values: Record<string, unknown>) =>
      enrol(campaign, await insertContact(app, { name, company: 'Next Ltd' }), { status: 'active', ...values });
    await due('now', { due_at: '2026-07-01T00:00:00Z' });
    await due('tomorrow morning', { due_at: '2026-07-07T17:00:00Z' });
    await due('after the hold', { due_at: '2026-07-01T00:00:00Z', held_until: '2026-07-09T10:30:00Z' });
    await due('monday', { due_at: '2026-07-10T17:00:00Z' });
    await due('call', { due_at: '2026-07-01T00:00:00Z', current_step: 2 });
    await due('nothing due', { due_at: null });
    await due('done', { due_at: null, status: 'completed' });
    const paused = await insertCampaign(app, { name: 'Paused', status: 'paused' });
    await enrol(paused, await insertContact(app, { name: 'paused', company: 'Next Ltd' }), { due_at: '2026-07-01T00:00:00Z' });

    expect(await found('next_send:today')).toEqual(['now']);
    expect(await found('next_send:2026-07-08')).toEqual(['tomorrow morning']);
    expect(await found('next_send:=2026-07-08T09:00:00Z')).toEqual(['tomorrow morning']);
    expect(await found('next_send:2026-07-09')).toEqual(['after the hold']);
    expect(await found('next_send:2026-07-10..2026-07-12')).toEqual([]);
    expect(await found('next_send:2026-07-13')).toEqual(['monday']);
    expect(await found('next_send:>=2026-07-08')).toEqual(['tomorrow morning', 'after the hold', 'monday']);
    expect(await found('next_send:<2026-07-08')).toEqual(['now']);
    expect(await found('has:next_send')).toEqual(['now', 'tomorrow morning', 'after the hold', 'monday']);
    expect(await found('next_send:none company:next')).toEqual(['call', 'nothing due', 'done', 'paused']);
    await app.db.query(sql`update accounts set send_window_start_hour = 0, send_window_end_hour = 8`);
    expect(await found('has:next_send')).toEqual([]);
  });
});

describe('letters', () => {
  it('match in any case in every alphabet', async () => {
    for (const name of ['ÉLODIE', 'ΣΊΣΥΦΟΣ', 'Жанна', 'İpek']) await insertContact(app, { name });
    expect(await found('élodie')).toEqual(['ÉLODIE']);
    expect(await found('name:σίσυφοσ')).toEqual(['ΣΊΣΥΦΟΣ']);
    expect(await found('name:ЖАН*')).toEqual(['Жанна']);
    expect(await found('name:=İPEK')).toEqual(['İpek']);
  });

  it('decisions G6: "case-insensitive, Unicode-folded": ς is σ and ß is ss, in every way to ask', async () => {
    for (const name of ['ΟΔΥΣΣΕΎΣ', 'Οδυσσεύς', 'Fritz Strauß', 'FRITZ STRAUSS', 'Strausberg', '100%ß_', 'Miſs'])
      await insertContact(app, { name });
    const greek = ['ΟΔΥΣΣΕΎΣ', 'Οδυσσεύς'];
    for (const query of ['οδυσσεύς', 'ΟΔΥΣΣΕΎΣ', 'name:Οδυσσεύς', 'name:=ΟΔΥΣΣΕΎΣ', 'name:="οδυσσεύς"', 'name:*εύς', 'οδυσσ*', 'σεύσ'])
      expect(await found(query), query).toEqual(greek);
    const german = ['Fritz Strauß', 'FRITZ STRAUSS'];
    for (const query of ['strauß', 'STRAUSS', '"z strauß"', 'name:="fritz strauss"', 'name:=FRITZ*', 'name:*STRAUẞ', 'name:auß'])
      expect(await found(query), query).toEqual(german);
    expect(await found('100%SS_')).toEqual(['100%ß_']);
    expect(await found('MIſs'), 'a long s is itself').toEqual(['Miſs']);
    expect(await found('-strauss fritz')).toEqual([]);
    const { data } = await listContacts(app.db, installation.caller, { q: 'STRAUSS', archived: false }, { limit: 10, offset: 0 });
    expect(data.map(({ name }) => name)).toEqual(german);
  });

  it('a text that has such a letter, and few others, is looked up by the index', async () => {
    const { db } = installation.app;
    await db.query(sql`insert into contacts (workspace_id, name, email, created_at, updated_at)
      select 1, md5(i::text), 'many' || i || '@example.org', now(), now() from generate_series(1, 20000) i`);
    await db.query(sql`analyze contacts`);
    for (const text of ['Ross', 'weiß', 'σοφός']) {
      const plan = await db.query<{ 'QUERY PLAN': string }>(
        sql`explain select id from contacts c where c.deleted_at is null and ${contactMatches('c', text)}`,
      );
      expect(plan.map((line) => line['QUERY PLAN']).join('\n'), text).toContain('Bitmap Index Scan on contacts_text');
    }
    await db.query(sql`delete from contacts where email like 'many%'`);
  });
});
