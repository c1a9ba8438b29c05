import fc from 'fast-check';
import { beforeEach, describe, expect, it } from 'vitest';
import { deleteStep, insertStep, listSteps, moveStep } from '../../src/campaigns/index.ts';
import { HOUR } from '../../src/core/clock.ts';
import { OutreachError } from '../../src/core/errors.ts';
import { EVENT_TYPES } from '../../src/core/event-types.ts';
import { sql } from '../../src/db/statement.ts';
import {
  foldEvents,
  forgetDomains,
  markEmails,
  moveEvents,
  type NewEvent,
  recordEvents,
  recountTotals,
  retractEvents,
  unmarkEmail,
} from '../../src/events/index.ts';
import { CAMPAIGN_REPORTS, campaignReport } from '../../src/reports/index.ts';
import { testInstallation } from '../support/database.ts';
import { numberFaults } from '../support/number-faults.ts';
import {
  type Enrolled,
  eventOf,
  insertAccount,
  insertCampaign,
  insertContact,
  insertLoggedEnrolment,
  insertMail,
  joinInGroup,
} from '../support/rows.ts';
import { runs } from '../support/runs.ts';
import { countsOf, type ModelCounts, type ModelEmail, type ModelEvent, modelReport } from './modelled-log.ts';

const CONTACTS = 6;
const ZONES = ['Pacific/Kiritimati', 'Europe/Berlin', 'America/Los_Angeles'] as const;
const MARKS = ['machine_opened', 'machine_clicked', 'auto_replied'] as const;

const { app, caller, clock } = await testInstallation();
const accounts = [await insertAccount(app), await insertAccount(app)] as const;

interface Person extends Enrolled {
  variant: 'A' | 'B' | null;
  domain: string;
  emails: Map<number, ModelEmail>;
}

/** The campaigns of a rotation group and what happened in them, kept beside the database. */
let campaigns: number[];
let zones: Map<number, string>;
let people: Person[];
let log: ModelEvent[];

beforeEach(begin);

/** A new rotation group of two campaigns, whose zones are on different days at noon UTC; nobody was sent anything. */
async function begin(): Promise<void> {
  campaigns = [];
  zones = new Map();
  people = [];
  log = [];
  for (const [index, timezone] of ZONES.slice(0, 2).entries()) {
    const id = await insertCampaign(app, { timezone, account_id: accounts[index] }, [{ subject: 'Hi' }, {}, {}]);
    campaigns.push(id);
    zones.set(id, timezone);
  }
  await joinInGroup(app, campaigns);
  for (let index = 0; index < CONTACTS; index++) {
    const domain = `domain${index % 3}.com`;
    const variant = ([null, 'A', 'B'] as const)[index % 3] ?? null;
    const contactId = await insertContact(app, { email: `c${campaigns[0]}-${index}@${domain}` });
    const enrolment = await insertLoggedEnrolment(app, campaigns[index % 2] ?? 0, { contact_id: contactId, variant });
    people.push({ ...enrolment, variant, domain, emails: new Map() });
  }
}

const who = fc.nat(CONTACTS - 1);
const step = fc.nat(2);
const event = fc.record({
  ...{ who, step, type: fc.constantFrom(...EVENT_TYPES.filter((type) => type !== 'enrolled')), hours: fc.integer({ min: -72, max: 0 }) },
  replyId: fc.integer({ min: 1, max: 2 }),
});
const move = fc.oneof(
  { weight: 6, arbitrary: fc.record({ kind: fc.constant('events' as const), events: fc.array(event, { minLength: 1, maxLength: 5 }) }) },
  {
    weight: 3,
    arbitrary: fc.record({ kind: fc.constantFrom('mark' as const, 'unmark' as const), who, step, mark: fc.constantFrom(...MARKS) }),
  },
  { weight: 2, arbitrary: fc.record({ kind: fc.constant('retract' as const), who, replyId: fc.integer({ min: 1, max: 2 }) }) },
  { weight: 2, arbitrary: fc.record({ kind: fc.constantFrom('forget' as const, 'to the other campaign' as const), who }) },
  { weight: 1, arbitrary: fc.record({ kind: fc.constant('zone' as const), campaign: fc.nat(1), zone: fc.constantFrom(...ZONES) }) },
  {
    weight: 2,
    arbitrary: fc.record({
      kind: fc.constantFrom('insert step' as const, 'move step' as const, 'delete step' as const),
      ...{ step: fc.nat(3), to: fc.integer({ min: 1, max: 4 }) },
    }),
  },
  {
    weight: 5,
    arbitrary: fc.record({
      kind: fc.constantFrom('fold' as const, 'fold twice at once' as const, 'fold is killed' as const, 'recount' as const),
    }),
  },
);
type Move = typeof move extends fc.Arbitrary<infer Value> ? Value : never;

const dayIn = (zone: string, at: Date) => at.toLocaleDateString('sv-SE', { timeZone: zone });
const personAt = (index: number) => people[index] as Person;

/** The email of a live step to somebody, made if it is the first that is asked for; undefined if there is no such step. */
async function emailOf(person: Person, position: number): Promise<ModelEmail | undefined> {
  const found = (await listSteps(app.db, caller, person.campaignId))[position];
  if (found === undefined) return undefined;
  const known = person.emails.get(found.id);
  if (known !== undefined) return known;
  const accountId = accounts[found.id % 2] ?? 0;
  const { variant, domain } = person;
  const id = await insertMail(app, person, { step_id: found.id, step_order: position + 1, variant, account_id: accountId });
  await app.db.query(sql`update enrolments set last_sent_step = greatest(last_sent_step, ${position + 1}::int) where id = ${person.id}`);
  const email: ModelEmail = { id, stepId: found.id, stepOrder: position + 1, variant, accountId, domain };
  person.emails.set(found.id, email);
  return email;
}

async function record({ events }: Extract<Move, { kind: 'events' }>): Promise<void> {
  const told: NewEvent[] = [];
  for (const { who, step, type, hours, replyId } of events) {
    const person = personAt(who);
    const email = await emailOf(person, step);
    if (email === undefined) continue;
    const at = new Date(clock.now().getTime() + hours * HOUR);
    log.push({ enrolmentId: person.id, type, email, day: dayIn(zones.get(person.campaignId) ?? '', at), replyId });
    told.push(eventOf(app, person, type, { stepOrder: step + 1, emailId: email.id, at, details: { reply_id: replyId } }));
  }
  await app.db.tx((tx) => recordEvents(tx, told));
}

/** Marks of an email are unique. */
async function mark({ kind, who, step, mark: type }: Extract<Move, { kind: 'mark' | 'unmark' }>): Promise<void> {
  const person = personAt(who);
  const email = await emailOf(person, step);
  if (email === undefined) return;
  const isIt = (event: ModelEvent) => event.type === type && event.email.id === email.id;
  const at = clock.now();
  if (kind === 'mark') {
    await app.db.tx((tx) => markEmails(tx, [{ outboxId: email.id, mark: type, at }]));
    if (!log.some(isIt))
      log.push({ enrolmentId: person.id, type, email, day: dayIn(zones.get(person.campaignId) ?? '', at), replyId: null });
    return;
  }
  await app.db.tx((tx) => unmarkEmail(tx, { enrolmentId: person.id, outboxId: email.id, mark: type }));
  log = log.filter((event) => !isIt(event));
}

/** Steps are changed as people do it; what is refused stays as it was. */
async function changeSteps({ kind, step, to }: Extract<Move, { step: number; to: number }>): Promise<void> {
  const [leader = 0] = campaigns;
  const id = (await listSteps(app.db, caller, leader))[step]?.id;
  const last = (await listSteps(app.db, caller, leader)).length;
  try {
    if (kind === 'insert step')
      await insertStep(app, caller, leader, Math.min(to, last + 1), { kind: 'email', body_html: '<p>New</p>', subject: 'New' } as never);
    else if (id !== undefined && kind === 'move step') await moveStep(app, caller, leader, id, to);
    else if (id !== undefined && last > 1) await deleteStep(app, caller, leader, id);
  } catch (error) {
    if (!(error instanceof OutreachError)) throw error;
  }
}

async function make(done: Move): Promise<void> {
  switch (done.kind) {
    case 'events':
      return record(done);
    case 'mark':
    case 'unmark':
      return mark(done);
    case 'retract': {
      const { id } = personAt(done.who);
      await app.db.tx((tx) => retractEvents(tx, id, done.replyId));
      log = log.filter(
        ({ enrolmentId, type, replyId }) =>
          enrolmentId !== id || replyId !== done.replyId || (type !== 'replied' && type !== 'unsubscribed'),
      );
      return;
    }
    case 'forget': {
      const person = personAt(done.who);
      const domain = 'erased.invalid';
      await app.db.tx(async (tx) => {
        await tx.query(sql`update outbox set recipient = 'x' || id || '@erased.invalid' where contact_id = ${person.contactId}`);
        await tx.query(sql`update contacts set email = 'x' || id || '@erased.invalid' where id = ${person.contactId}`);
        await forgetDomains(tx, [person.contactId], domain);
      });
      person.domain = domain;
      for (const email of person.emails.values()) email.domain = domain;
      return;
    }
    case 'to the other campaign': {
      const person = personAt(done.who);
      if (person.emails.size > 0) return;
      const to = campaigns.find((id) => id !== person.campaignId) ?? 0;
      await app.db.tx(async (tx) => {
        await tx.query(sql`update enrolments set campaign_id = ${to} where id = ${person.id}`);
        await moveEvents(tx, [person.id], to);
      });
      person.campaignId = to;
      return;
    }
    case 'zone': {
      const id = campaigns[done.campaign] ?? 0;
      await app.db.query(sql`update campaigns set timezone = ${done.zone} where id = ${id}`);
      zones.set(id, done.zone);
      return;
    }
    case 'fold':
      return foldEvents(app);
    case 'fold twice at once':
      await Promise.all([foldEvents(app), foldEvents(app)]);
      return;
    case 'fold is killed':
      return killFold();
    case 'recount':
      expect(await recountTotals(app)).toEqual([]);
      return;
    default:
      return changeSteps(done);
  }
}

/** A fold that has written its totals and fails before it is committed: its last statement finds the mark taken away. */
async function killFold(): Promise<void> {
  await app.db.pool.query(`
    create or replace function kill_fold() returns trigger language plpgsql as $$
    begin perform pg_terminate_backend(pg_backend_pid()); return null; end $$;
    create or replace trigger kill_fold after update on fold_marks for each statement execute function kill_fold()`);
  await foldEvents(app).catch(() => undefined);
  await app.db.pool.query('drop trigger kill_fold on fold_marks');
}

const keyOf = (row: Record<string, unknown>, by: string): string =>
  by === 'step' ? `${row.step_order}${row.is_deleted === true ? ' deleted' : ''}` : String(row[by === 'account' ? 'account_id' : by]);

/** Every report on every campaign, over all days and some, by the product and by the model. */
async function reports() {
  const steps = await app.db.query<{ id: number; key: string }>(sql`
    select id, step_order || case when deleted_at is null then '' else ' deleted' end as key from steps where campaign_id = any(${campaigns}::int[])`);
  const stepNames = new Map(steps.map(({ id, key }) => [id, key]));
  const names = { stepOf: (id: number) => stepNames.get(id) ?? '', providerOf: () => 'unknown' };
  const shown: Record<string, unknown> = {};
  const modelled: Record<string, unknown> = {};
  for (const campaignId of campaigns) {
    const ids = people.filter((person) => person.campaignId === campaignId).map(({ id }) => id);
    const events = log.filter(({ enrolmentId }) => ids.includes(enrolmentId));
    for (const days of [{}, { since: '2000-01-01' }, { since: '2026-07-06', until: '2026-07-07' }] as { since?: string; until?: string }[])
      for (const by of CAMPAIGN_REPORTS) {
        const { rows } = await campaignReport(app, caller, campaignId, { by, domains: 100, ...days });
        const byKey: Record<string, ModelCounts> = {};
        for (const row of rows) {
          const key = keyOf(row as unknown as Record<string, unknown>, by);
          const [sum, added] = [byKey[key], countsOf(row)];
          byKey[key] = sum === undefined ? added : addUp(sum, added);
        }
        const name = `${campaigns.indexOf(campaignId)} by ${by} ${JSON.stringify(days)}`;
        shown[name] = withoutEmpty(byKey);
        modelled[name] = modelReport(events, by, days, names);
      }
  }
  return { shown, modelled };
}

/** A row may hold but what the model does not count, such as a second email that its contact opened. */
const withoutEmpty = (rows: Record<string, ModelCounts>) =>
  Object.fromEntries(Object.entries(rows).filter(([, row]) => Object.values(row).some((count) => count !== 0)));

const addUp = (one: ModelCounts, other: ModelCounts): ModelCounts =>
  Object.fromEntries(Object.entries(one).map(([name, count]) => [name, count + other[name as keyof ModelCounts]])) as ModelCounts;

async function expectAsModelled(after: string): Promise<void> {
  const { shown, modelled } = await reports();
  expect(shown, after).toEqual(modelled);
}

describe('every number', () => {
  it('is what the bare log counts, after any history, folded or not', { timeout: 3_600_000 }, async () => {
    await fc.assert(
      fc.asyncProperty(fc.array(move, { minLength: 3, maxLength: 14 }), async (moves) => {
        await begin();
        for (const done of moves) {
          await make(done);
          await expectAsModelled(done.kind);
        }
        expect(await numberFaults(app)).toEqual([]);
        await expectAsModelled('all is folded');
        expect(await recountTotals(app)).toEqual([]);
      }),
      { numRuns: Number(process.env.NUMBERS_RUNS ?? runs(2, 1_000)) },
    );
  });

  it('that somebody spoilt by hand is found, named and put right by a recount, and not before', async () => {
    await make({ kind: 'events', events: [0, 1].map((index) => ({ who: index, step: 0, type: 'sent' as const, hours: 0, replyId: 1 })) });
    await foldEvents(app);
    const [one = 0, other = 0] = campaigns;
    await app.db.query(sql`update event_totals set events = 7 where campaign_id = ${one} and counts_as = 'sent'`);
    await app.db.query(sql`delete from domain_totals where campaign_id = ${other}`);
    await foldEvents(app);
    expect(await numberFaults(app)).not.toEqual([]);
    expect((await recountTotals(app)).map(({ campaign_id }) => campaign_id).sort((a, b) => a - b)).toEqual(
      [one, other].sort((a, b) => a - b),
    );
    expect(await numberFaults(app)).toEqual([]);
    await expectAsModelled('recounted');
    expect(await recountTotals(app)).toEqual([]);
  });

  it('stays right while people write, correct, fold and recount at the same time', async () => {
    const ids = people.map((_, index) => index);
    for (const index of ids) for (const position of [0, 1, 2]) await emailOf(personAt(index), position);
    const write = async (index: number) => {
      for (const type of ['sent', 'opened', 'replied', 'bounced', 'replied'] as const)
        await make({
          kind: 'events',
          events: [0, 1].map((offset) => ({ who: (index + offset) % CONTACTS, step: offset, type, hours: 0, replyId: 1 })),
        });
      await make({ kind: 'mark', who: index, step: 0, mark: 'machine_opened' });
      await make({ kind: 'forget', who: index });
      await app.db.tx(async (tx) => {
        await tx.query(sql`select from enrolments where id = ${personAt(index).id} for no key update`);
        await retractEvents(tx, personAt(index).id, 1);
      });
    };
    let isWriting = true;
    const meanwhile = async (work: () => Promise<unknown>) => {
      while (isWriting) await work();
    };
    const others = [meanwhile(() => foldEvents(app)), meanwhile(() => foldEvents(app)), meanwhile(() => make({ kind: 'recount' }))];
    try {
      await Promise.all(ids.map(write));
    } finally {
      isWriting = false;
      await Promise.all(others);
    }
    expect(await numberFaults(app)).toEqual([]);
  });

  it('stops folding where the daemon is told to stop, and goes on later', async () => {
    await make({ kind: 'events', events: [{ who: 0, step: 0, type: 'sent', hours: 0, replyId: 1 }] });
    await foldEvents(app, AbortSignal.abort());
    expect(await app.db.query(sql`select from event_totals where campaign_id = ${campaigns[0]} and counts_as = 'sent'`)).toEqual([]);
    await expectAsModelled('not folded');
    await foldEvents(app);
    await expectAsModelled('folded');
  });
});

describe('a fold', () => {
  it('waits for an event that commits late, and then counts it', async () => {
    const [early, late] = [personAt(0), personAt(2)];
    const recorded = Promise.withResolvers<void>();
    const end = Promise.withResolvers<void>();
    const open = app.db.tx(async (tx) => {
      await recordEvents(tx, [eventOf(app, late, 'sent')]);
      recorded.resolve();
      await end.promise;
    });
    await recorded.promise;
    await app.db.tx((tx) => recordEvents(tx, [eventOf(app, early, 'sent')]));
    await foldEvents(app);
    const sent = async () => (await campaignReport(app, caller, campaigns[0] ?? 0, { by: 'day', domains: 1 })).total.sent;
    const folded = async () =>
      (
        await app.db.query<{ sum: number }>(sql`
        select coalesce(sum(events), 0)::int as sum from event_totals where campaign_id = ${campaigns[0]} and counts_as = 'sent'`)
      )[0]?.sum;
    expect([await sent(), await folded()]).toEqual([1, 0]);
    end.resolve();
    await open;
    expect(await sent()).toBe(2);
    await foldEvents(app);
    expect([await sent(), await folded()]).toEqual([2, 2]);
    expect(await numberFaults(app)).toEqual([]);
  });
});
