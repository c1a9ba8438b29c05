import fc from 'fast-check';
import { beforeAll, describe, expect, it } from 'vitest';
import { operator } from '../../src/access/index.ts';
import type { App } from '../../src/app.ts';
import { HOUR, MINUTE } from '../../src/core/clock.ts';
import { EVENT_TYPES } from '../../src/core/event-types.ts';
import { sql } from '../../src/db/statement.ts';
import { campaignCounts, foldEvents, listEvents, recordEvents } from '../../src/events/index.ts';
import { testInstallation } from '../support/database.ts';
import { numberFaults } from '../support/number-faults.ts';
import { type Enrolled, eventOf, insertCampaign, insertContact, insertEnrolment, logEnrolments } from '../support/rows.ts';
import { runs } from '../support/runs.ts';

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
    await logEnrolments(
      app,
      made.map(({ id }) => id),
    );
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
  await app.db.tx((tx) => recordEvents(tx, events));
}

describe('the log and its numbers', () => {
  it('agree after any events and changes of contacts, one after the other', async () => {
    await fc.assert(
      fc.asyncProperty(fc.array(operation, { minLength: 1, maxLength: 12 }), async (operations) => {
        for (const done of operations) await carryOut(done);
        expect(await numberFaults(app)).toEqual([]);
      }),
      { numRuns: runs(12, 40) },
    );
  });

  it('agree after the same at the same time, folded meanwhile', async () => {
    await fc.assert(
      fc.asyncProperty(fc.array(operation, { minLength: 4, maxLength: 16 }), async (operations) => {
        await Promise.all([...operations.map(carryOut), foldEvents(app), foldEvents(app)]);
        expect(await numberFaults(app)).toEqual([]);
      }),
      { numRuns: runs(8, 25) },
    );
  });

  it('the total of the feed is that of its rows, in whatever hour it begins', async () => {
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
      insert into events (workspace_id, campaign_id, contact_id, enrolment_id, type, step_order, at, in_feed, account_id, domain, day, counts_as,
        is_first_of_email, is_first_of_contact, is_of_first_email)
      select 1, ${campaign}::int, ${enrolment.contactId}::int, ${enrolment.id}::int, case when i % 2 = 0 then 'opened' else 'sent' end, 1,
        ${app.clock.now()}::timestamptz - i * interval '1 minute', true, 1, 'example.com', ${app.clock.now()}::timestamptz,
        case when i % 2 = 0 then 'opened' else 'sent' end, i <= 2, i <= 2, false from generate_series(1, 30000) i`);
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

  it('count a contact once, with its first event of each kind in the log', async () => {
    const campaign = await insertCampaign(app);
    const enrolment = await insertEnrolment(app, campaign);
    const opened = (minutes: number) => eventOf(app, enrolment, 'opened', { at: new Date(app.clock.now().getTime() + minutes * MINUTE) });
    await app.db.tx((tx) => recordEvents(tx, [opened(-5), opened(-20), opened(-10)]));
    await app.db.tx((tx) => recordEvents(tx, [opened(-30), eventOf(app, enrolment, 'unsubscribed')]));
    const rows = await app.db.query(sql`select opened, sent from (${campaignCounts(sql`select ${campaign}::int`)}) n`);
    expect(rows).toEqual([{ opened: 1, sent: 0 }]);
  });
});
