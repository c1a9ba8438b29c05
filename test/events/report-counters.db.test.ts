import fc from 'fast-check';
import { beforeAll, describe, expect, it } from 'vitest';
import type { App } from '../../src/app.ts';
import { HOUR } from '../../src/core/clock.ts';
import { raw, sql } from '../../src/db/statement.ts';
import {
  type EmailMark,
  EVENT_TYPES,
  forgetDomains,
  markEmails,
  recordEvents,
  recountCampaign,
  retractEvents,
  unmarkEmail,
} from '../../src/events/index.ts';
import { testInstallation } from '../support/database.ts';
import { type Enrolled, eventOf, insertAccount, insertCampaign, insertContact, insertEnrolment, insertMail } from '../support/rows.ts';
import { runs } from '../support/runs.ts';

const CONTACTS = 4;
const STEPS = 3;
const MARKS: readonly EmailMark[] = ['machine_opened', 'machine_clicked', 'auto_replied'];

let app: App;
let accounts: number[];
let world: World;

interface World {
  campaigns: number[];
  enrolments: (Enrolled & { emails: number[] })[];
}

beforeAll(async () => {
  app = (await testInstallation()).app;
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
      const contactId = await insertContact(app, { email: `c${campaignId}-${index}@domain${index % 2}.example` });
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
  for (const table of ['events', 'email_marks', 'report_counts', 'domain_counts'])
    await app.db.query(sql`delete from ${raw(table)} where campaign_id = any(${campaigns}::int[])`);
  await app.db.query(sql`
    update enrolments set opened_at = null, clicked_at = null, replied_at = null, bounced_at = null, failed_at = null, unsubscribed_at = null
    where campaign_id = any(${campaigns}::int[])`);
  await app.db.query(sql`update contacts set email = id || '@domain' || id % 2 || '.example'`);
  await app.db.query(sql`update campaigns set timezone = 'Pacific/Kiritimati', account_id = ${accounts[0]} where id = ${campaigns[0]}`);
  for (const id of campaigns) await app.db.tx((tx) => recountCampaign(tx, id));
}

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
  { weight: 2, arbitrary: fc.record({ kind: fc.constantFrom('retract', 'forget', 'zone', 'address'), who }) },
);
type Move = typeof move extends fc.Arbitrary<infer Value> ? Value : never;

async function make({ enrolments }: World, done: Move): Promise<void> {
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
    if (done.kind === 'zone')
      await tx.query(sql`update campaigns set timezone = 'America/Los_Angeles', account_id = ${accounts[1]} where id = ${campaignId}`);
    else await tx.query(sql`update contacts set email = id || '@elsewhere.example' where id = ${contactId}`);
  });
}

/** What the reports of a campaign add up to, by each way of counting, and its statistics. */
async function sumsOf(campaignId: number) {
  const names = ['sent', 'opened', 'clicked', 'replied', 'bounced', 'failed'];
  const sums = raw(names.map((name) => `coalesce(sum(${name}), 0)::int as ${name}`).join(', '));
  const [cells] = await app.db.query(sql`select ${sums} from report_counts where campaign_id = ${campaignId}`);
  const [domains] = await app.db.query(sql`select ${sums} from domain_counts where campaign_id = ${campaignId} and day = '-infinity'`);
  const [days] = await app.db.query(sql`select ${sums} from domain_counts where campaign_id = ${campaignId} and day > '-infinity'`);
  const [stats] = await app.db.query(
    sql`select sent, opened, clicked, replied, bounced, failed from campaign_stats where campaign_id = ${campaignId}`,
  );
  return { cells, domains, days, stats };
}

describe('the counters of the reports', () => {
  it('add up to the statistics, and equal a recount, after any history', { timeout: 3_600_000 }, async () => {
    await fc.assert(
      fc.asyncProperty(fc.array(move, { minLength: 1, maxLength: 12 }), async (moves) => {
        await begin(world);
        for (const done of moves) await make(world, done);
        for (const id of world.campaigns) expect(await app.db.tx((tx) => recountCampaign(tx, id))).toEqual([]);
        for (const campaignId of world.campaigns) {
          const { cells, domains, days, stats } = await sumsOf(campaignId);
          expect([cells, domains, days]).toEqual([stats, stats, stats]);
        }
      }),
      { numRuns: Number(process.env.REPORT_RUNS ?? runs(8, 1_000)) },
    );
  });
});
