import fc from 'fast-check';
import { beforeAll, describe, expect, it } from 'vitest';
import type { Caller } from '../../src/access/index.ts';
import type { App } from '../../src/app.ts';
import { HOUR } from '../../src/core/clock.ts';
import { raw, type Sql, sql } from '../../src/db/statement.ts';
import {
  type EmailMark,
  EVENT_TYPES,
  forgetDomains,
  markEmails,
  recordEvents,
  recountCampaign,
  retractEvents,
  sumUpDomains,
  unmarkEmail,
} from '../../src/events/index.ts';
import { lookUpProviders, type MxLookups } from '../../src/mail-domains/index.ts';
import { CAMPAIGN_REPORTS, campaignReport } from '../../src/reports/index.ts';
import { testInstallation } from '../support/database.ts';
import { member } from '../support/people.ts';
import { type Enrolled, eventOf, insertAccount, insertCampaign, insertContact, insertEnrolment, insertMail } from '../support/rows.ts';
import { runs } from '../support/runs.ts';

const CONTACTS = 4;
const STEPS = 3;
const MARKS: readonly EmailMark[] = ['machine_opened', 'machine_clicked', 'auto_replied'];

let app: App;
let caller: Caller;
let manager: Caller;
let accounts: number[];
let world: World;

interface World {
  campaigns: number[];
  enrolments: (Enrolled & { emails: number[] })[];
}

beforeAll(async () => {
  ({ app, caller } = await testInstallation());
  manager = { ...caller, userId: (await member(app, 'manager')).id, role: 'manager' };
  accounts = [await insertAccount(app), await insertAccount(app)];
  world = await newWorld();
});

/** Two campaigns, whose zones are on different days at noon UTC, with an email of each step to everybody. */
async function newWorld(): Promise<World> {
  const steps = Array.from({ length: STEPS }, () => ({}));
  const world: World = { campaigns: [], enrolments: [] };
  for (const timezone of ['Pacific/Kiritimati', 'Europe/Berlin']) {
    const campaignId = await insertCampaign(app, { timezone, account_id: accounts[0] }, steps);
    world.campaigns.push(campaignId);
    const stepIds = await app.db.query<{ id: number }>(sql`select id from steps where campaign_id = ${campaignId} order by step_order`);
    for (let index = 0; index < CONTACTS; index++) {
      const variant = [null, 'A', 'B'][index % 3];
      const contactId = await insertContact(app, { email: `c${campaignId}-${index}@domain${index % 2}.com` });
      const enrolment = await insertEnrolment(app, campaignId, { contact_id: contactId, variant });
      const emails: number[] = [];
      for (const [order, { id }] of stepIds.entries())
        emails.push(await insertMail(app, enrolment, { step_order: order + 1, step_id: id, variant, account_id: accounts[order % 2] }));
      world.enrolments.push({ ...enrolment, emails });
    }
    await app.db.query(
      sql`update campaign_stats set contacts = ${CONTACTS}, variant_a = 1, variant_b = 1 where campaign_id = ${campaignId}`,
    );
  }
  return world;
}

/** Makes the world as it was before anything happened. */
async function begin({ campaigns }: World): Promise<void> {
  for (const table of [
    'events',
    'email_marks',
    'report_counts',
    'private_counts',
    'domain_counts',
    'domain_totals',
    'domain_quarters',
    'provider_totals',
  ])
    await app.db.query(sql`delete from ${raw(table)} where campaign_id = any(${campaigns}::int[])`);
  await app.db.query(sql`
    update enrolments set opened_at = null, clicked_at = null, replied_at = null, bounced_at = null, failed_at = null, unsubscribed_at = null
    where campaign_id = any(${campaigns}::int[])`);
  await app.db.query(sql`delete from mail_domains`);
  await app.db.query(sql`delete from shares`);
  await app.db.query(
    sql`update contacts set email = id || '@domain' || id % 2 || '.com', is_shared_to_all = true, created_by = 1, deleted_at = null`,
  );
  await app.db.query(sql`update campaigns set timezone = 'Pacific/Kiritimati', account_id = ${accounts[0]} where id = ${campaigns[0]}`);
  for (const id of campaigns) await app.db.tx((tx) => recountCampaign(tx, id, app.clock.now()));
}

const HOSTS = { google: 'aspmx.l.google.com', microsoft: 'x.mail.protection.outlook.com', other: 'mx.else.net', silent: 'silent' };

const who = fc.nat(2 * CONTACTS - 1);
const step = fc.integer({ min: 1, max: STEPS });
const move = fc.oneof(
  {
    weight: 6,
    arbitrary: fc.record({
      kind: fc.constant('events' as const),
      events: fc.array(fc.record({ who, step, type: fc.constantFrom(...EVENT_TYPES), hours: fc.integer({ min: -72, max: 0 }) }), {
        minLength: 1,
        maxLength: 5,
      }),
    }),
  },
  { weight: 2, arbitrary: fc.record({ kind: fc.constant('mark' as const), who, step, mark: fc.constantFrom(...MARKS) }) },
  { weight: 1, arbitrary: fc.record({ kind: fc.constant('unmark' as const), who, step, mark: fc.constantFrom(...MARKS) }) },
  { weight: 2, arbitrary: fc.record({ kind: fc.constant('sum up' as const) }) },
  { weight: 2, arbitrary: fc.record({ kind: fc.constant('look up' as const), host: fc.constantFrom(...Object.values(HOSTS)) }) },
  { weight: 2, arbitrary: fc.record({ kind: fc.constantFrom('retract', 'forget', 'zone', 'address'), who }) },
  { weight: 3, arbitrary: fc.record({ kind: fc.constantFrom('private', 'public', 'given away', 'given', 'delete', 'share'), who }) },
);
type Move = typeof move extends fc.Arbitrary<infer Value> ? Value : never;

/** What becomes of a contact, and who sees it. */
const CHANGES: Record<string, Sql> = {
  private: sql`is_shared_to_all = false`,
  public: sql`is_shared_to_all = true`,
  'given away': sql`created_by = null`,
  get given() {
    return sql`created_by = ${manager.userId}`;
  },
  delete: sql`deleted_at = case when deleted_at is null then now() end`,
};

async function make({ enrolments }: World, done: Move): Promise<void> {
  if (done.kind === 'sum up') return sumUpDomains(app);
  if (done.kind === 'look up') return lookUp(done.host);
  const of = (index: number) => enrolments[index] as World['enrolments'][number];
  const now = app.clock.now();
  await app.db.tx(async (tx) => {
    if ('events' in done) {
      // As whoever sends does.
      const ids = done.events.map((event) => of(event.who).id);
      await tx.query(sql`select from enrolments where id = any(${ids}::int[]) order by id for no key update`);
      const details = (type: string) => (type === 'replied' || type === 'unsubscribed' ? { reply_id: 1 } : null);
      return recordEvents(
        tx,
        done.events.map((event) =>
          eventOf(app, of(event.who), event.type, {
            ...{ stepOrder: event.step, at: new Date(now.getTime() + event.hours * HOUR), details: details(event.type) },
          }),
        ),
      );
    }
    const { id, contactId, campaignId, emails } = of(done.who);
    if ('mark' in done) {
      const outboxId = emails[done.step - 1] ?? 0;
      if (done.kind === 'mark') return markEmails(tx, [{ outboxId, mark: done.mark, at: now }]);
      return unmarkEmail(tx, { enrolmentId: id, outboxId, mark: done.mark });
    }
    if (done.kind === 'retract') return retractEvents(tx, id, 1);
    if (done.kind === 'forget') return forgetDomains(tx, [contactId], 'erased.invalid');
    const changed = CHANGES[done.kind];
    if (changed !== undefined) await tx.query(sql`update contacts set ${changed} where id = ${contactId}`);
    else if (done.kind === 'share')
      await tx.query(sql`
        insert into shares (workspace_id, resource_type, resource_id, user_id, granted_at) values (1, 'contacts', ${contactId}, ${manager.userId}, now())
        on conflict do nothing`);
    else if (done.kind === 'zone')
      await tx.query(sql`update campaigns set timezone = 'America/Los_Angeles', account_id = ${accounts[1]} where id = ${campaignId}`);
    else await tx.query(sql`update contacts set email = id || '@elsewhere.example' where id = ${contactId}`);
  });
}

/** Looks every domain up, whose email this host receives now; or nobody answers. */
async function lookUp(host: string): Promise<void> {
  await app.db.query(sql`update mail_domains set wanted_at = ${app.clock.now()}`);
  const dns: MxLookups = {
    resolveMx: async () => (host === HOSTS.silent ? Promise.reject(new Error('no answer')) : [{ priority: 1, exchange: host }]),
  };
  await lookUpProviders(app, dns);
}

const NAMES = ['sent', 'opened', 'clicked', 'replied', 'bounced', 'failed'] as const;
const numbersOf = (row: object) => NAMES.map((name) => (row as Record<string, number>)[name]);
const sumsOf = (rows: readonly object[]) => NAMES.map((_, index) => rows.reduce((sum, row) => sum + (numbersOf(row)[index] ?? 0), 0));

/** The sums of every report on a campaign, over all days together and one by one, that are not its statistics. */
async function wrongReports(campaignId: number): Promise<unknown[]> {
  const [stats = {}] = await app.db.query<object>(sql`select * from campaign_stats where campaign_id = ${campaignId}`);
  return [...(await unlike(stats, campaignId, caller)), ...(await unlike(await loggedFor(manager, campaignId), campaignId, manager))];
}

/** Condition: contact `k` is not hidden from the reader. */
const isSeen = ({ role, userId }: Caller): Sql => sql`(${role === 'admin'} or k.is_shared_to_all or k.created_by = ${userId}
  or k.id in (select resource_id from shares where resource_type = 'contacts' and user_id = ${userId}))`;

/** The statistics of a campaign by the log, of contacts that are not hidden from a member. */
async function loggedFor(reader: Caller, campaignId: number): Promise<object> {
  const [stats = {}] = await app.db.query<object>(sql`
    select count(e.opened_at)::int as opened, count(e.clicked_at)::int as clicked, count(e.replied_at)::int as replied,
      count(e.bounced_at)::int as bounced, count(e.failed_at)::int as failed,
      coalesce(sum((select count(*) from events v where v.enrolment_id = e.id and v.type = 'sent')), 0)::int as sent
    from enrolments e join contacts k on k.id = e.contact_id
    where e.campaign_id = ${campaignId} and ${isSeen(reader)}`);
  return stats;
}

async function unlike(stats: object, campaignId: number, by: Caller): Promise<unknown[]> {
  const wrong: unknown[] = [];
  for (const since of [undefined, '2000-01-01'])
    for (const key of CAMPAIGN_REPORTS) {
      const { rows, total } = await campaignReport(app.db, by, campaignId, { by: key, since, domains: 2 });
      const sums = [sumsOf(rows), numbersOf(total), numbersOf(stats)].map(String);
      if (new Set(sums).size > 1) wrong.push({ by: key, since, role: by.role, sums });
    }
  return wrong;
}

/** Emails sent in a campaign by the provider or domain of the report, and by the log, to contacts that are not hidden from the reader. */
async function sentBy(campaignId: number, by: 'provider' | 'domain', reader: Caller) {
  const logged = await app.db.query<{ key: string; sent: number }>(sql`
    select ${raw(by === 'domain' ? 'v.domain' : `coalesce(d.provider, 'unknown')`)} as key, count(*)::int as sent
    from events v left join mail_domains d on d.domain = v.domain join contacts k on k.id = v.contact_id
    where v.campaign_id = ${campaignId} and v.type = 'sent' and ${isSeen(reader)} group by 1`);
  const { rows } = await campaignReport(app.db, reader, campaignId, { by, domains: 1_000 });
  const reported = rows.filter(({ sent }) => sent > 0).map((row) => [row[by], row.sent]);
  return [Object.fromEntries(reported), Object.fromEntries(logged.map(({ key, sent }) => [key, sent]))];
}

async function expectAsLogged(campaignId: number): Promise<void> {
  for (const reader of [caller, manager])
    for (const by of ['provider', 'domain'] as const) {
      const [reported, logged] = await sentBy(campaignId, by, reader);
      expect(reported, `by ${by} for ${reader.role}`).toEqual(logged);
    }
}

/** The two domains with the most emails, by the report and by the log. */
async function largestTwo(campaignId: number, reader: Caller) {
  const logged = await app.db.query<{ domain: string }>(sql`
    select v.domain from events v join contacts k on k.id = v.contact_id where v.campaign_id = ${campaignId} and v.type = 'sent' and ${isSeen(reader)}
    group by 1 order by count(*) desc, v.domain collate "C" limit 2`);
  const { rows } = await campaignReport(app.db, reader, campaignId, { by: 'domain', domains: 2 });
  return [rows, logged].map((each) => each.filter((row) => row.domain && (!('sent' in row) || row.sent > 0)).map(({ domain }) => domain));
}

describe('the counters of the reports', () => {
  it('add up to the statistics, and equal a recount, after any history', { timeout: 3_600_000 }, async () => {
    await fc.assert(
      fc.asyncProperty(fc.array(move, { minLength: 1, maxLength: 12 }), async (moves) => {
        await begin(world);
        for (const done of moves) await make(world, done);
        for (const id of world.campaigns) {
          expect(await wrongReports(id)).toEqual([]);
          for (const reader of [caller, manager]) {
            const [reported, logged] = await largestTwo(id, reader);
            expect(reported).toEqual(logged);
          }
        }
        await sumUpDomains(app);
        for (const id of world.campaigns) {
          await expectAsLogged(id);
          expect(await app.db.tx((tx) => recountCampaign(tx, id, app.clock.now()))).toEqual([]);
          expect(await wrongReports(id)).toEqual([]);
          await expectAsLogged(id);
        }
      }),
      { numRuns: Number(process.env.REPORT_RUNS ?? runs(8, 1_000)) },
    );
  });

  it('of providers and domains are corrected by a recount, and not before', async () => {
    await begin(world);
    await make(world, { kind: 'events', events: [0, 1, 2].map((index) => ({ who: index, step: 1, type: 'sent' as const, hours: 0 })) });
    await sumUpDomains(app);
    const [id = 0] = world.campaigns;
    await app.db.query(sql`update domain_totals set sent = sent + 5, provider = 'google' where domain = 'domain0.com'`);
    await app.db.query(sql`delete from provider_totals where day = '-infinity'`);
    await app.db.query(sql`update domain_quarters set from_11 = from_11 + 1, contacts = 0 where domain = 'domain0.com'`);
    await sumUpDomains(app);
    expect(await wrongReports(id)).not.toEqual([]);
    const corrections = await app.db.tx((tx) => recountCampaign(tx, id, app.clock.now()));
    expect(corrections.map(({ counter, counted }) => [counter, counted])).toEqual([
      ['domain_totals.cells', 2],
      ['domain_quarters.cells', 1],
      ['provider_totals.cells', 4],
    ]);
    expect(await wrongReports(id)).toEqual([]);
  });

  it('add up while others count, sum up, look up and recount at the same time', async () => {
    await begin(world);
    const types = ['sent', 'opened', 'replied', 'bounced'] as const;
    const count = async (worker: number) => {
      for (let round = 0; round < 6; round++)
        await make(world, {
          kind: 'events',
          events: types.map((type, index) => ({ who: (worker + index) % (2 * CONTACTS), step: 1 + (round % STEPS), type, hours: -round })),
        });
      await make(world, { kind: 'forget', who: worker });
    };
    const give = async () => {
      for (const kind of ['private', 'given', 'given away', 'public', 'private', 'given'] as const)
        for (let index = 0; index < 2 * CONTACTS; index++) await make(world, { kind, who: index });
    };
    let isCounting = true;
    const meanwhile = async (work: () => Promise<unknown>) => {
      while (isCounting) await work();
    };
    const hosts = Object.values(HOSTS);
    let turn = 0;
    const others = [
      meanwhile(() => sumUpDomains(app)),
      meanwhile(() => sumUpDomains(app)),
      meanwhile(() => lookUp(hosts[turn++ % hosts.length] ?? '')),
      meanwhile(async () => {
        for (const id of world.campaigns) expect(await app.db.tx((tx) => recountCampaign(tx, id, app.clock.now()))).toEqual([]);
      }),
    ];
    try {
      await Promise.all([give(), ...Array.from({ length: 6 }, (_, worker) => count(worker))]);
    } finally {
      isCounting = false;
      await Promise.all(others);
    }
    await sumUpDomains(app);
    for (const id of world.campaigns) {
      expect(await wrongReports(id)).toEqual([]);
      await expectAsLogged(id);
    }
  });

  it('find the largest domain after a larger one has lost its emails', async () => {
    await begin(world);
    const [id = 0] = world.campaigns;
    await app.db.query(sql`
      insert into domain_totals (campaign_id, day, domain, sent) values (${id}, '-infinity', 'lost.com', 5), (${id}, '-infinity', 'kept.com', 4)`);
    await app.db.query(sql`insert into domain_counts (campaign_id, day, domain, sent) values (${id}, '-infinity', 'lost.com', -3)`);
    const { rows } = await campaignReport(app.db, caller, id, { by: 'domain', domains: 1 });
    expect(rows[0]).toMatchObject({ domain: 'kept.com', sent: 4 });
    await begin(world);
  });
});
