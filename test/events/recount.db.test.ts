import fc from 'fast-check';
import { beforeAll, describe, expect, it } from 'vitest';
import { operator } from '../../src/access/index.ts';
import type { App } from '../../src/app.ts';
import { HOUR, MINUTE } from '../../src/core/clock.ts';
import { sql } from '../../src/db/statement.ts';
import { EVENT_TYPES, listEvents, recordEnrolled, recordEvents, recountStats } from '../../src/events/index.ts';
import { testInstallation } from '../support/database.ts';
import { type Enrolled, eventOf, insertCampaign, insertContact, insertEnrolment, rowOf } from '../support/rows.ts';

let app: App;
const campaigns: number[] = [];
const contacts: number[] = [];
const enrolments: Enrolled[] = [];

beforeAll(async () => {
  app = (await testInstallation()).app;
  for (let index = 0; index < 3; index++) campaigns.push(await insertCampaign(app));
  for (let index = 0; index < 6; index++) contacts.push(await insertContact(app));
  for (const campaign of campaigns) {
    const made: Enrolled[] = [];
    for (const contact of contacts) made.push(await insertEnrolment(app, campaign, { contact_id: contact }));
    await app.db.tx(async (tx) => {
      await recordEnrolled(
        tx,
        made.map((enrolment) => enrolment.id),
        app.clock.now(),
      );
      await tx.query(sql`update campaign_stats set contacts = ${made.length} where campaign_id = ${campaign}`);
    });
    enrolments.push(...made);
  }
});

const happening = fc.record({
  enrolment: fc.nat(17),
  type: fc.constantFrom(...EVENT_TYPES),
  minutes: fc.integer({ min: -3_000, max: 0 }),
  stepOrder: fc.integer({ min: 1, max: 3 }),
});
const change = fc.record({ contact: fc.nat(5), what: fc.constantFrom('private', 'shared', 'deleted', 'restored', 'given away') });
const operation = fc.oneof(
  { weight: 3, arbitrary: fc.array(happening, { minLength: 1, maxLength: 6 }).map((events) => ({ events })) },
  { weight: 1, arbitrary: change },
);

const CHANGES = {
  private: sql`is_shared_to_all = false`,
  shared: sql`is_shared_to_all = true`,
  deleted: sql`deleted_at = now()`,
  restored: sql`deleted_at = null`,
  'given away': sql`created_by = null`,
} as const;

type Operation = typeof operation extends fc.Arbitrary<infer Value> ? Value : never;

async function carryOut(done: Operation): Promise<void> {
  if ('what' in done) {
    const changed = CHANGES[done.what as keyof typeof CHANGES];
    await app.db.query(sql`update contacts set ${changed} where id = ${contacts[done.contact]}`);
    return;
  }
  const events = done.events.map(({ enrolment, type, minutes, stepOrder }) =>
    eventOf(app, enrolments[enrolment] as Enrolled, type, { stepOrder, at: new Date(app.clock.now().getTime() + minutes * MINUTE) }),
  );
  await app.db.tx(async (tx) => {
    // As whoever sends does.
    await tx.query(
      sql`select from enrolments where id = any(${events.map((event) => event.enrolmentId)}::int[]) order by id for no key update`,
    );
    await recordEvents(tx, events);
  });
}

describe('counters', () => {
  it('equal a full recount after any events and changes of contacts, one after the other', async () => {
    await fc.assert(
      fc.asyncProperty(fc.array(operation, { minLength: 1, maxLength: 12 }), async (operations) => {
        for (const done of operations) await carryOut(done);
        expect(await recountStats(app)).toEqual([]);
      }),
      { numRuns: 40 },
    );
  });

  it('equal a full recount after the same at the same time', async () => {
    await fc.assert(
      fc.asyncProperty(fc.array(operation, { minLength: 4, maxLength: 16 }), async (operations) => {
        await Promise.all(operations.map(carryOut));
        expect(await recountStats(app)).toEqual([]);
      }),
      { numRuns: 25 },
    );
  });

  it('add up to the rows of the feed, in whatever hour it begins', async () => {
    for (const hours of [0, 1, 13, 24, 36, 49, 72])
      for (const type of [undefined, 'enrolled', 'opened'] as const) {
        const since = new Date(app.clock.now().getTime() - hours * HOUR);
        const [row] = await app.db.query<{ rows: number }>(sql`
          select count(*)::int as rows from events e join contacts k on k.id = e.contact_id and k.deleted_at is null
          where e.at >= ${since} and (${type ?? null}::text is null or e.type = ${type ?? null})`);
        const { pagination } = await listEvents(app.db, operator(1, 1), { since, type }, { limit: 1, offset: 0 });
        expect({ hours, type, total: pagination.total }).toEqual({ hours, type, total: row?.rows });
      }
  });

  it('lead to the page of the feed that a scan finds, far in, whatever is filtered', async () => {
    const campaign = await insertCampaign(app);
    const enrolment = await insertEnrolment(app, campaign);
    await app.db.query(sql`
      insert into events (workspace_id, campaign_id, contact_id, enrolment_id, type, step_order, at)
      select 1, ${campaign}::int, ${enrolment.contactId}::int, ${enrolment.id}::int, case when i % 2 = 0 then 'opened' else 'sent' end, 1,
        ${app.clock.now()}::timestamptz - i * interval '1 minute' from generate_series(1, 30000) i`);
    for (const filter of [
      {},
      { campaignId: campaign },
      { type: 'opened' },
      { since: new Date(app.clock.now().getTime() - 500 * HOUR) },
    ] as const)
      for (const offset of [10_000, 11_234, 14_990, 29_990, 200_000]) {
        const { campaignId = null, type = null, since = null } = { campaignId: null, type: null, since: null, ...filter };
        const rows = await app.db.query<{ id: number }>(sql`
          select e.id from events e join contacts k on k.id = e.contact_id and k.deleted_at is null
          where (${campaignId}::int is null or e.campaign_id = ${campaignId}) and (${type}::text is null or e.type = ${type})
            and (${since}::timestamptz is null or e.at >= ${since}) order by e.at desc, e.id desc limit 50 offset ${offset}`);
        const { data } = await listEvents(app.db, operator(1, 1), filter, { limit: 50, offset });
        expect(data.map(({ id }) => id)).toEqual(rows.map(({ id }) => id));
      }
  });

  it('writers never wait for each other in a circle', async () => {
    await app.db.query(sql`select pg_stat_force_next_flush()`);
    const [row] = await app.db.query<{ deadlocks: number }>(sql`select deadlocks from pg_stat_database where datname = current_database()`);
    expect(row?.deadlocks).toBe(0);
  });

  it('the first of each kind counts a contact once; the earliest is remembered, whatever the order they come in', async () => {
    const campaign = await insertCampaign(app);
    const enrolment = await insertEnrolment(app, campaign);
    const at = (minutes: number) => new Date(app.clock.now().getTime() + minutes * MINUTE);
    const opened = (minutes: number) => eventOf(app, enrolment, 'opened', { at: at(minutes) });
    await app.db.tx((tx) => recordEvents(tx, [opened(-5), opened(-20), opened(-10)]));
    await app.db.tx((tx) => recordEvents(tx, [opened(-30), eventOf(app, enrolment, 'unsubscribed', { at: at(-1) })]));
    expect(await rowOf(app, 'enrolments', enrolment.id)).toMatchObject({ opened_at: at(-30), unsubscribed_at: at(-1), replied_at: null });
    const [stats] = await app.db.query(sql`select opened, sent from campaign_stats where campaign_id = ${campaign}`);
    expect(stats).toEqual({ opened: 1, sent: 0 });
  });

  it('that somebody spoilt by hand are found, named and repaired', async () => {
    const campaign = await insertCampaign(app);
    const enrolment = await insertEnrolment(app, campaign, { variant: 'A' });
    await recountStats(app);
    await app.db.tx((tx) => recordEvents(tx, [eventOf(app, enrolment, 'sent'), eventOf(app, enrolment, 'opened')]));
    await app.db.query(sql`update campaign_stats set sent = 7 where campaign_id = ${campaign}`);
    await app.db.query(sql`update enrolments set opened_at = null where id = ${enrolment.id}`);
    await app.db.query(sql`update campaign_counts set count = 5 where campaign_id = ${campaign} and what = 'opened'`);
    const today = app.clock.now().toISOString().slice(0, 10);
    await app.db.query(sql`update event_day_counts set count = 3 where campaign_id = ${campaign} and what = 'opened'`);
    expect(await recountStats(app)).toEqual([
      { campaign_id: campaign, counter: 'enrolments.first_times', stored: 0, counted: 1 },
      { campaign_id: campaign, counter: 'sent', stored: 7, counted: 1 },
      { campaign_id: campaign, counter: 'opened/0', stored: 5, counted: 1 },
      { campaign_id: campaign, counter: `opened/0/${today}`, stored: 3, counted: 1 },
    ]);
    expect(await recountStats(app)).toEqual([]);
  });

  it('follow rows that are erased', async () => {
    const campaign = await insertCampaign(app);
    const enrolment = await insertEnrolment(app, campaign);
    await app.db.tx((tx) => recordEvents(tx, [eventOf(app, enrolment, 'sent'), eventOf(app, enrolment, 'opened')]));
    await app.db.query(sql`delete from events where campaign_id = ${campaign}`);
    await app.db.query(sql`delete from enrolments where campaign_id = ${campaign}`);
    const counts = await app.db.query<{ count: number }>(sql`select count from campaign_counts where campaign_id = ${campaign}`);
    expect(counts.map((row) => row.count)).toEqual([0, 0, 0]);
  });
});
