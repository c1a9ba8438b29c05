import type { Caller } from '../../src/access/index.ts';
import { DAY, HOUR } from '../../src/core/clock.ts';
import type { EventType } from '../../src/core/event-types.ts';
import { type Random, seededRandom } from '../../src/core/random.ts';
import { sql } from '../../src/db/statement.ts';
import { type NewEvent, recordEvents } from '../../src/events/index.ts';
import type { TestInstallation } from './database.ts';
import { member } from './people.ts';
import { eventOf, insertCampaign, insertContact, insertEnrolment, insertList, insertRow } from './rows.ts';

/** The searchable data of a contact as plain values: an independent reference for the database's answers. */
export interface Person {
  id: number;
  name: string;
  email: string;
  company: string | null;
  custom: Record<string, string>;
  isArchived: boolean;
  isShared: boolean;
  createdBy: number;
  created: number;
  updated: number;
  isSuppressed: boolean;
  lists: { id: number; name: string; isDeleted: boolean }[];
  enrolments: Enrolment[];
  events: { type: EventType; at: number; campaign: Campaign }[];
  calls: { at: number; campaign: Campaign }[];
}

export interface Enrolment {
  campaign: Campaign;
  status: string;
  step: number;
}

export interface Campaign {
  id: number;
  name: string;
  isDeleted: boolean;
  isShared: boolean;
  createdBy: number;
}

export interface World {
  people: Person[];
  lists: { id: number; name: string }[];
  campaigns: Campaign[];
  users: { id: number; email: string }[];
  admin: Caller;
  /** Sees neither the admin's private contacts nor the private campaign. */
  manager: Caller;
  now: number;
}

export const STATUSES = ['active', 'replied', 'stopped', 'bounced', 'completed'];
export const EVENT_TYPES = ['sent', 'opened', 'clicked', 'replied', 'bounced', 'failed', 'unsubscribed', 'enrolled'] as const;
const FIRST = ['Ada', 'Grace', 'Élodie', 'ÖMER', 'Joan 100%', 'a_b', 'O\\Neil', '', '"Quoted" Q', 'Tim (x)', 'none'];
const LAST = ['Lovelace', 'hopper', 'Müller', 'de la Cruz', 'Å', '*star*', 'true', 'Strauß', 'STRAUSS', 'ΣΊΣΥΦΟΣ', 'Σίσυφος'];
const COMPANIES = ['Acme', 'ACME Labs', 'Analytical, Engines', 'Müller & Söhne', 'a..b', null, null, ''];
export const DOMAINS = ['acme.com', 'mail.acme.com', 'Example.ORG', 'xacme.com'];
const CUSTOM: Record<string, readonly (string | undefined)[]> = {
  industry: ['software', 'Software, retail', 'retail', 'none', undefined, undefined],
  employees: ['5', '05', '5.0', '-3', '1e3', '12.5', 'many', '', '.', '1e999', undefined],
  renewal: ['2026-07-07', '2026-07-01', '2026-02-30', 'soon', '0000-01-01', '9999-12-31', undefined],
  seen: [
    '2026-07-07T10:00:00Z',
    '2026-07-06T23:30:00-02:00',
    '2026-07-01t00:00:00.5z',
    '2026-02-30T00:00:00Z',
    '2026-07-07T10:00:00+23:00',
    '0000-01-01T00:00:00Z',
    'x',
    undefined,
  ],
  vip: ['true', 'false', undefined],
  hidden: ['secret', undefined],
};
const TYPES: Record<string, string> = { employees: 'number', renewal: 'date', seen: 'datetime', vip: 'boolean' };

const pick = <Item>(random: Random, items: readonly Item[]): Item => items[random.integer(0, items.length - 1)] as Item;
const chance = (random: Random, percent: number) => random.integer(1, 100) <= percent;

/** A few hundred contacts with lists, campaigns, events and custom values, drawn from few and awkward values. */
export async function searchWorld({ app, caller, clock }: TestInstallation, size: number): Promise<World> {
  const random = seededRandom(20_261_121);
  const now = clock.now().getTime();
  const { id: managerId, email: managerEmail } = await member(app, 'manager');
  const users = [
    { id: 1, email: 'admin@example.com' },
    { id: managerId, email: managerEmail },
  ];
  for (const [index, key] of Object.keys(CUSTOM).entries())
    await insertRow(app, 'custom_fields', {
      ...{ workspace_id: 1, name: key, key, field_type: TYPES[key] ?? 'text', created_at: new Date(now + index) },
      deleted_at: key === 'hidden' ? new Date(now) : null,
    });
  const world: World = {
    people: [],
    lists: [],
    campaigns: [],
    users,
    admin: { ...caller, actor: 'user', userId: 1 },
    manager: { ...caller, actor: 'user', userId: managerId, role: 'manager' },
    now,
  };
  for (let index = 0; index < size; index++) world.people.push(await addPerson(index));
  await addLists();
  await addCampaigns();
  return world;

  async function addPerson(index: number): Promise<Person> {
    const custom = Object.fromEntries(
      Object.entries(CUSTOM).flatMap(([key, values]) => {
        const value = pick(random, values);
        return value === undefined ? [] : [[key, value]];
      }),
    );
    const name = `${pick(random, FIRST)} ${pick(random, LAST)}`.trim();
    const created = now - random.integer(0, 40 * 24) * HOUR;
    const person = {
      name,
      email: `${pick(random, ['ada', 'Grace', 'o_neil'])}.${index}@${pick(random, DOMAINS)}`,
      company: pick(random, COMPANIES),
      custom,
      isArchived: chance(random, 20),
      isShared: chance(random, 80),
      createdBy: pick(random, users).id,
      created,
      updated: created + random.integer(0, 48) * HOUR,
      isSuppressed: chance(random, 15),
    };
    const id = await insertContact(app, {
      ...{ name, email: person.email, company: person.company, custom_fields: JSON.stringify(custom), is_archived: person.isArchived },
      ...{ is_shared_to_all: person.isShared, created_by: person.createdBy },
      ...{ created_at: new Date(created), updated_at: new Date(person.updated) },
    });
    if (person.isSuppressed)
      await insertRow(app, 'suppressions', { workspace_id: 1, email: person.email.toUpperCase(), created_at: new Date(now) });
    return { ...person, id, lists: [], enrolments: [], events: [], calls: [] };
  }

  async function addLists(): Promise<void> {
    for (const name of ['Spring', 'SPRING 2', 'Autumn (old)', 'deleted']) {
      const members = world.people.filter(() => chance(random, 25));
      const isDeleted = name === 'deleted';
      const ids = members.map(({ id }) => id);
      const id = await insertList(app, ids, { name, deleted_at: isDeleted ? new Date(now) : null });
      for (const person of members) person.lists.push({ id, name, isDeleted });
      world.lists.push({ id, name });
    }
  }

  async function addCampaigns(): Promise<void> {
    for (const name of ['Launch', 'launch 2', 'Winter, big', 'private', 'gone']) {
      const campaign = { name, isDeleted: name === 'gone', isShared: name !== 'private', createdBy: 1 };
      const values = { name, is_shared_to_all: campaign.isShared, deleted_at: campaign.isDeleted ? new Date(now) : null };
      const id = await insertCampaign(app, values, [{}, { kind: 'call' }, {}]);
      world.campaigns.push({ ...campaign, id });
      const call = await insertRow(app, 'steps', {
        ...{ campaign_id: id, step_order: 9, kind: 'call', body_html: '', created_at: new Date(now), updated_at: new Date(now) },
      });
      const events: NewEvent[] = [];
      for (const person of world.people.filter(() => chance(random, 30))) events.push(...(await enrol(person, { ...campaign, id }, call)));
      // In one transaction: a transaction for each event took a fifth of the processor time of the tests.
      await app.db.tx((tx) => recordEvents(tx, events));
    }
  }

  /** Returns the events, which are not recorded yet. */
  async function enrol(person: Person, campaign: Campaign, callStep: number): Promise<NewEvent[]> {
    const events: NewEvent[] = [];
    const enrolment = { campaign, status: pick(random, STATUSES), step: random.integer(1, 3) };
    const row = await insertEnrolment(app, campaign.id, {
      ...{ contact_id: person.id, status: enrolment.status, current_step: enrolment.step },
    });
    person.enrolments.push(enrolment);
    for (const type of EVENT_TYPES.filter(() => chance(random, 30))) {
      const at = now - random.integer(0, 40 * 24) * HOUR;
      events.push(eventOf(app, row, type, { at: new Date(at) }));
      if (type === 'sent') await app.db.query(sql`update enrolments set last_sent_at = ${new Date(at)} where id = ${row.id}`);
      person.events.push({ type, at, campaign });
    }
    if (!chance(random, 20)) return events;
    const isDone = chance(random, 60);
    const at = now - random.integer(0, 40) * DAY;
    await insertRow(app, 'call_tasks', {
      ...{ workspace_id: 1, campaign_id: campaign.id, enrolment_id: row.id, step_id: callStep, status: isDone ? 'done' : 'skipped' },
      ...{ due_at: new Date(at), closed_at: new Date(at), created_at: new Date(at) },
    });
    if (isDone) person.calls.push({ at, campaign });
    return events;
  }
}
