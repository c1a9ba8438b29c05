import fc from 'fast-check';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import type { Caller } from '../../src/access/index.ts';
import type { App } from '../../src/app.ts';
import { applyCampaigns } from '../../src/campaign-files/apply.ts';
import { readDeclared } from '../../src/campaign-files/read-declared.ts';
import { type DeclaredCampaign, declaredCampaign } from '../../src/campaign-files/schema.ts';
import { activateCampaign, enrol, listSteps } from '../../src/campaigns/index.ts';
import type { ManualClock } from '../../src/core/clock.ts';
import { waitText } from '../../src/core/wait-text.ts';
import { sql } from '../../src/db/statement.ts';
import { TEST_START, testInstallation } from '../support/database.ts';
import { numberFaults } from '../support/number-faults.ts';
import { insertAccount, insertContact, insertList } from '../support/rows.ts';
import { runs } from '../support/runs.ts';

let app: App;
let clock: ManualClock;
let caller: Caller;
let accounts: string[];
let next = 0;

beforeAll(async () => {
  ({ app, clock, caller } = await testInstallation());
  accounts = [];
  for (const name of ['anna', 'ben', 'cleo']) {
    await insertAccount(app, { email: `${name}@us.example` });
    accounts.push(`${name}@us.example`);
  }
});
beforeEach(() => clock.set(TEST_START));
// Whatever a test did, every counter equals what it counts.
afterAll(async () => expect(await numberFaults(app)).toEqual([]));

const spring = (values: Partial<DeclaredCampaign> = {}): DeclaredCampaign => ({
  name: `Spring ${++next}`,
  accounts: accounts.slice(0, 1),
  steps: [
    { subject: 'A question', body: '<p>one</p>' },
    { wait: '3 days', body: '<p>two</p>' },
  ],
  ...values,
});
const apply = (...campaigns: DeclaredCampaign[]) => applyCampaigns(app, caller, campaigns, { dryRun: false });
const dryRun = (...campaigns: DeclaredCampaign[]) => applyCampaigns(app, caller, campaigns, { dryRun: true });
const idOf = async (campaign: DeclaredCampaign) => (await apply(campaign)).results[0]?.id ?? 0;
const mistakesIn = async (campaign: DeclaredCampaign) =>
  (await dryRun(campaign)).mistakes.map(({ field, message }) => `${field}: ${message}`);
const audited = async () => (await app.db.query(sql`select id from audit_log`)).length;

describe('exporting a campaign', () => {
  it('fails if its list can’t be read, and has no list only if that was deleted: applied, the file would unset it', async () => {
    const list = await insertList(app, [], { name: 'Leads' });
    const id = await idOf(spring({ list: 'Leads' }));
    const query: typeof app.db.query = (statement) => {
      const text = 'sql' in statement && typeof statement.sql === 'object' ? statement.sql.text : (statement as { text: string }).text;
      return / from lists l /.test(text) ? Promise.reject(new Error('canceling statement')) : app.db.query(statement);
    };
    const failing = { ...app, db: new Proxy(app.db, { get: (db, name) => (name === 'query' ? query : Reflect.get(db, name)) }) };
    await expect(readDeclared(failing, caller, id)).rejects.toThrow('canceling statement');
    expect((await readDeclared(app, caller, id)).list).toBe('Leads');
    await app.db.query(sql`update lists set deleted_at = now() where id = ${list}`);
    expect((await readDeclared(app, caller, id)).list).toBeNull();
  });
});

describe('applying a campaign', () => {
  it('creates it as a draft, with all that is declared, and exports it as it was declared', async () => {
    await insertList(app, [], { name: 'Newsletter' });
    const [demo] = (await apply({ ...spring(), name: 'Demo' })).results;
    const { options } = await readDeclared(app, caller, demo?.id ?? 0);
    const declared = spring({
      ...{
        accounts: accounts.slice(0, 2),
        timezone: 'Europe/Berlin',
        days: ['mon', 'sat'],
        hours: ['22-6', '9-12'],
        starts_at: '2026-12-01 09:00',
      },
      ...{ ab_test: { split: 30, hours_b: '13-17' }, reply_to: 'office@us.example', track: { opens: false, clicks: true } },
      cc: ['boss@partner.example'],
      bcc: ['crm@inbox.example'],
      list: 'Newsletter',
      subsequences: [
        { on: 'label interested', campaign: 'Demo' },
        { on: 'finished', wait_days: 3, campaign: 'Demo' },
      ],
      options: {
        ...options,
        auto_reopen: false,
        use_contact_timezone: true,
        footer: false,
        spintax: true,
        stop_company: true,
        when_unknown: 'continue',
        when_colleague_replies: 'continue',
        holidays: 'DE-BY',
        new_contacts_per_day: 40,
        skip_if_in_campaign: 'active',
        skip_risky: true,
        provider_match: 'prefer',
      },
      steps: [
        { subject: 'A question', body: '<p>one</p>', b: { subject: 'Another', body: '<p>other</p>' } },
        { wait: '1 day', call: 'Ask for Ms Meier' },
        { wait: '3 business days 4 hours', body: '<p>two</p>' },
      ],
    });
    const { results } = await apply(declared);
    expect(results).toMatchObject([{ action: 'create', before: null, after: declared, enrolled: 0 }]);
    expect(await readDeclared(app, caller, results[0]?.id ?? 0)).toEqual(declared);
  });

  it('applied again changes nothing and writes nothing', async () => {
    const declared = spring({ accounts: accounts.slice(0, 2) });
    await apply(declared);
    const before = await audited();
    expect((await apply(declared)).results).toMatchObject([{ action: 'none', fields: [] }]);
    expect(await audited()).toBe(before);
  });

  it('leaves keys that are left out as they are, and finds the campaign whatever the case of its name', async () => {
    const declared = spring({ hours: '8-12', timezone: 'Asia/Tokyo' });
    await apply(declared);
    const { results } = await apply({ name: declared.name.toUpperCase(), hours: '9-12' });
    expect(results).toMatchObject([{ action: 'update', name: declared.name, fields: ['hours'], after: { timezone: 'Asia/Tokyo' } }]);
  });

  it('a dry run tells the same changes under the same digest, and changes nothing', async () => {
    const declared = spring();
    const planned = await dryRun(declared);
    const before = await audited();
    expect((await dryRun(declared)).digest).toBe(planned.digest);
    expect(await audited()).toBe(before);
    const done = await applyCampaigns(app, caller, [declared], { dryRun: false, expected: planned.digest });
    expect(done).toMatchObject({ digest: planned.digest, results: [{ action: 'create' }] });
  });

  it('refuses changes other than those that were looked at', async () => {
    const declared = spring();
    await apply(declared);
    const { digest } = await dryRun({ ...declared, hours: '8-12' });
    await apply({ ...declared, timezone: 'Asia/Tokyo' });
    const again = applyCampaigns(app, caller, [{ ...declared, hours: '8-12' }], { dryRun: false, expected: digest });
    await expect(again).rejects.toMatchObject({ code: 'conflict' });
    expect((await dryRun({ name: declared.name })).results).toMatchObject([{ after: { hours: '9-17' } }]);
  });

  it('all or nothing: with a mistake in one of two campaigns, neither is made', async () => {
    const [good, bad] = [spring(), spring({ accounts: ['nobody@us.example'], reply_to: 'nonsense' })];
    await expect(apply(good, bad)).rejects.toThrow('campaigns[1].accounts[0]: no account sends from nobody@us.example');
    expect((await dryRun({ name: good.name })).mistakes).toMatchObject([{ field: 'accounts' }]);
  });

  it('reports every mistake of every campaign', async () => {
    const link = '<a href="javascript:alert(1)">x</a>';
    const bad = spring({
      accounts: ['a@us.example', 'b@us.example'],
      ...{ contacts: { list: 'Nobody' }, list: 'None', subsequences: [{ on: 'replied', campaign: 'Nothing' }] },
      steps: [{ body: 'x', b: { body: link } }],
    });
    const { mistakes } = await dryRun(bad, spring({ reply_to: 'x' }), spring({ starts_at: 'soon' }), {
      ...bad,
      name: bad.name.toUpperCase(),
    });
    expect(mistakes.map(({ campaign, field }) => `${campaign} ${field}`).toSorted()).toEqual([
      ...[
        '0 accounts[0]',
        '0 accounts[1]',
        '0 contacts.list',
        '0 list',
        '0 steps[0].b.body',
        '0 subsequences[0].campaign',
        '1 reply_to',
        '2 starts_at',
        '3 name',
      ],
    ]);
  });
});

describe('each mistake', () => {
  it.each<[string, Partial<DeclaredCampaign>]>([
    ['accounts: is required for a new campaign', { accounts: undefined }],
    [
      'accounts[0]: no account sends from x@us.example; connect it with: outreach account connect x@us.example',
      { accounts: ['x@us.example'] },
    ],
    ['reply_to: must be one email address, for example name@example.com', { reply_to: 'x' }],
    ['starts_at: must lie in the years 1900 to 2999', { starts_at: '9999-12-31T23:59:59-12:00' }],
    ['starts_at: must be a time such as 2026-12-01 09:00, in the time zone of the campaign', { starts_at: '2026-13-01 09:00' }],
    ['starts_at: must be in the future', { starts_at: '2020-01-01 09:00' }],
    ['contacts.list: there is no list named "Nobody"', { contacts: { list: 'Nobody' } }],
    ['steps[0].body: a link goes to "javascript:x"; use http, https, mailto or tel', { steps: [{ body: '<a href="javascript:x">x</a>' }] }],
  ])('%s', async (message, values) => {
    expect(await mistakesIn(spring(values))).toEqual([message]);
  });

  it('a name that several campaigns have, or that of an archived one', async () => {
    const declared = spring();
    const id = await idOf(declared);
    await app.db.query(sql`update campaigns set is_archived = true where id = ${id}`);
    expect(await mistakesIn(declared)).toEqual([`name: campaign ${id} of this name is archived; unarchive or rename it first`]);
    const [one, two] = [await idOf(spring()), await idOf(spring())];
    await app.db.query(sql`update campaigns set name = 'Twice' where id in (${one}, ${two})`);
    expect(await mistakesIn({ name: 'twice' })).toEqual([`name: several campaigns have this name: ${one}, ${two}; rename all but one`]);
  });
});

describe('accounts', () => {
  const sendsFrom = async (id: number) => (await readDeclared(app, caller, id)).accounts;

  it('one for another, one for several, several for others', async () => {
    const declared = spring();
    const id = await idOf(declared);
    for (const wanted of [accounts.slice(1, 2), accounts.slice(0, 2), accounts.slice(1), accounts.slice(2), accounts]) {
      await apply({ ...declared, accounts: wanted });
      expect((await sendsFrom(id))?.toSorted()).toEqual(wanted);
      expect((await apply({ ...declared, accounts: wanted.toReversed() })).results).toMatchObject([{ action: 'none' }]);
    }
  });
});

describe('contacts', () => {
  it('are enrolled, and nobody is taken out', async () => {
    const list = `People ${++next}`;
    const ids = [await insertContact(app), await insertContact(app)];
    const listId = await insertList(app, ids, { name: list });
    const declared = spring({ contacts: { list } });
    expect((await dryRun(declared)).results).toMatchObject([{ enrolled: 2 }]);
    expect((await apply(declared)).results).toMatchObject([{ enrolled: 2 }]);
    await app.db.query(sql`delete from list_members where list_id = ${listId}`);
    expect((await apply(declared)).results).toMatchObject([{ action: 'none', enrolled: 0 }]);
  });
});

describe('the planned start', () => {
  it('is kept when the draft is activated, and not compared afterwards', async () => {
    const declared = spring({ starts_at: '2026-12-01 09:00', timezone: 'Europe/Berlin' });
    const id = await idOf(declared);
    await enrol(app, caller, id, { contact_ids: [await insertContact(app)] });
    expect(await activateCampaign(app, caller, id)).toMatchObject({ status: 'active', starts_at: '2026-12-01 08:00:00' });
    const { results } = await apply({ ...declared, starts_at: '2026-12-24 09:00' });
    expect(results).toMatchObject([{ action: 'none', notes: [expect.stringContaining('starts_at is for drafts')] }]);
  });
});

describe('steps of a campaign that has sent emails', () => {
  /** A campaign whose contact has received the first `received` of its three steps. */
  const running = async (received: number) => {
    const declared = spring({
      steps: [
        { subject: 'S', body: 'one' },
        { body: 'two', wait: '2 days' },
        { body: 'three', wait: '3 days' },
      ],
    });
    const id = await idOf(declared);
    const contact = await insertContact(app);
    await enrol(app, caller, id, { contact_ids: [contact] });
    await app.db.query(sql`
      update enrolments set last_sent_step = ${received}, current_step = ${received + 1}, last_sent_at = ${clock.now()} where campaign_id = ${id}`);
    const at = async () => {
      const [row] = await app.db.query<{ current_step: number; last_sent_step: number; status: string }>(
        sql`select current_step, last_sent_step, status from enrolments where campaign_id = ${id}`,
      );
      const steps = await listSteps(app.db, caller, id);
      return { waits_for: row?.status === 'active' ? steps[(row?.current_step ?? 0) - 1]?.body_html : row?.status, ...row };
    };
    return { declared, id, at, with: (bodies: string[]) => ({ ...declared, steps: bodies.map((body) => ({ subject: 'S', body })) }) };
  };

  it.each<[string[], number, string]>([
    [['one', 'new', 'two', 'three'], 1, 'new'],
    [['one', 'new', 'two', 'three'], 2, 'three'],
    [['one', 'two', 'new', 'three'], 1, 'two'],
    [['new', 'one', 'two', 'three'], 2, 'three'],
    [['one', 'three'], 1, 'three'],
    [['one', 'two edited', 'three'], 2, 'three'],
    [['one', 'two'], 2, 'completed'],
    [['one', 'two', 'new'], 2, 'new'],
  ])('%j, for whoever received %i: next is %s', async (bodies, received, next) => {
    const { at, with: having } = await running(received);
    const steps = having(bodies).steps.map(({ body }, index) => (index === 0 ? { subject: 'S', body } : { body }));
    await apply({ ...having(bodies), steps });
    expect(await at()).toMatchObject({ waits_for: next });
  });

  it('refuses to move a step: contacts would get it twice or never', async () => {
    const { declared } = await running(2);
    const [one, two, three] = declared.steps ?? [];
    const moved = { ...declared, steps: [one, three, two].flatMap((step) => step ?? []) };
    expect(await mistakesIn(moved)).toEqual([expect.stringMatching(/^steps\[\d\]: step \d can't be moved once emails were sent/)]);
  });
});

const days = fc.shuffledSubarray(['mon', 'tue', 'wed', 'thu', 'fri', 'sat', 'sun'] as const, { minLength: 1 });
const hours = fc
  .tuple(fc.integer({ min: 0, max: 23 }), fc.integer({ min: 1, max: 24 }))
  .filter(([start, end]) => start !== end)
  .map(([start, end]) => `${start}-${end}`);
const body = fc
  .oneof(fc.string({ minLength: 1 }), fc.lorem({ mode: 'sentences' }))
  .map((text) => `<p>${text.replaceAll(/[<>&]/g, '')}\n</p> `);
const content = { subject: fc.option(fc.lorem({ maxCount: 4 }), { nil: undefined }), body };
const wait = fc.option(
  fc
    .record({ wait_days: fc.integer({ min: 0, max: 365 }), wait_hours: fc.integer({ min: 0, max: 720 }), business_days: fc.boolean() })
    .map(waitText),
  { nil: undefined },
);
const email = fc.record({ ...content, wait, b: fc.option(fc.record(content), { nil: undefined }) });
const call = fc.record({ call: body, wait });
const campaign = fc.record(
  {
    accounts: fc.integer({ min: 1, max: 7 }).map((bits) => ['anna', 'ben', 'cleo'].filter((_, index) => (bits >> index) & 1)),
    timezone: fc.constantFrom('UTC', 'Europe/Berlin', 'Asia/Kathmandu', 'America/New_York'),
    days,
    hours: fc.oneof(hours, fc.array(hours, { minLength: 1, maxLength: 3 })),
    starts_at: fc.constantFrom(null, '2026-12-01 09:00', '2026-10-25 02:30', '2026-11-01T06:30:00Z'),
    ab_test: fc.option(fc.record({ split: fc.integer({ min: 1, max: 99 }), hours_b: fc.option(hours) })),
    reply_to: fc.constantFrom(null, 'Office@us.example'),
    track: fc.record({ opens: fc.boolean(), clicks: fc.boolean() }),
    options: fc.record({
      holidays: fc.constantFrom('DE-BY', 'US', null),
      footer: fc.boolean(),
      spintax: fc.boolean(),
      stop_company: fc.boolean(),
      when_unknown: fc.constantFrom('wait', 'continue'),
      when_colleague_replies: fc.constantFrom('stop', 'continue'),
    }),
    steps: fc.tuple(email, fc.array(fc.oneof(email, call), { maxLength: 4 })).map(([first, rest]) => [first, ...rest]),
  },
  { requiredKeys: ['accounts'] },
);

it('whatever campaign: applied again it changes nothing, and neither does what export writes', async () => {
  const name = `Random ${++next}`;
  await fc.assert(
    fc.asyncProperty(campaign, async (values) => {
      const input = { ...values, accounts: values.accounts.map((account) => `${account}@us.example`), name };
      const declared = declaredCampaign.parse(JSON.parse(JSON.stringify(input)));
      const { results } = await apply(declared);
      const id = results[0]?.id ?? 0;
      expect((await apply(declared)).results).toMatchObject([{ action: 'none' }]);
      const exported = declaredCampaign.parse(JSON.parse(JSON.stringify(await readDeclared(app, caller, id))));
      expect((await apply(exported)).results).toMatchObject([{ action: 'none', after: exported }]);
      expect(exported).toMatchObject({ steps: (declared.steps ?? exported.steps ?? []).map(() => ({})) });
    }),
    { numRuns: Number(process.env.APPLY_RUNS ?? runs(4, 300)) },
  );
});
