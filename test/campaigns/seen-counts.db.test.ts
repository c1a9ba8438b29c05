import fc from 'fast-check';
import { beforeAll, describe, expect, it } from 'vitest';
import type { Caller } from '../../src/access/index.ts';
import type { App } from '../../src/app.ts';
import { campaignStats, ENROLMENT_STATUSES, getRotation, listRotations } from '../../src/campaigns/index.ts';
import { sql } from '../../src/db/statement.ts';
import { EVENT_TYPES, moveEvents, recordEvents, recountMoved } from '../../src/events/index.ts';
import { testInstallation } from '../support/database.ts';
import { member } from '../support/people.ts';
import { eventOf, insertCampaign, insertContact, insertEnrolment, insertRow } from '../support/rows.ts';

const CONTACTS = 12;

let app: App;
let group: number;
let callers: Caller[];
const campaigns: number[] = [];
const contacts: number[] = [];

beforeAll(async () => {
  const installation = await testInstallation();
  app = installation.app;
  const people = [await member(app, 'manager'), await member(app, 'view_only')];
  callers = [installation.caller, ...people.map(({ id }) => ({ ...installation.caller, userId: id, role: 'manager' as const }))];
  group = await insertRow(app, 'rotation_groups', { workspace_id: 1, created_at: app.clock.now() });
  for (let index = 0; index < 3; index++) campaigns.push(await insertCampaign(app, { rotation_group_id: group }));
  for (let index = 0; index < CONTACTS; index++)
    contacts.push(await insertContact(app, { created_by: callers[index % 3]?.userId, is_shared_to_all: index % 2 === 0 }));
});

const move = fc.record({
  kind: fc.constantFrom('enrol', 'happen', 'happen', 'status', 'contact', 'share', 'move', 'delete'),
  contact: fc.nat(CONTACTS - 1),
  campaign: fc.nat(2),
  choice: fc.nat(100),
});
type Move = typeof move extends fc.Arbitrary<infer Value> ? Value : never;

const CONTACT_CHANGES = [
  sql`is_shared_to_all = false`,
  sql`is_shared_to_all = true`,
  sql`deleted_at = now()`,
  sql`deleted_at = null`,
  sql`is_archived = not is_archived`,
  sql`created_by = null`,
];

async function carryOut({ kind, contact, campaign, choice }: Move): Promise<void> {
  const [contactId = 0, campaignId = 0] = [contacts[contact], campaigns[campaign]];
  const [found] = await app.db.query<{ id: number }>(
    sql`select id from enrolments where contact_id = ${contactId} and campaign_id = ${campaignId}`,
  );
  const pick = <Value>(values: readonly Value[]) => values[choice % values.length] as Value;
  if (kind === 'contact') await app.db.query(sql`update contacts set ${pick(CONTACT_CHANGES)} where id = ${contactId}`);
  if (kind === 'share')
    await app.db.query(sql`
      insert into shares (workspace_id, resource_type, resource_id, user_id, granted_at)
      values (1, 'contacts', ${contactId}, ${callers[1]?.userId}, now()) on conflict do nothing`);
  if (kind === 'enrol' && found === undefined) {
    await insertEnrolment(app, campaignId, { contact_id: contactId, status: choice % 2 === 0 ? 'active' : pick(ENROLMENT_STATUSES) });
    await app.db.query(sql`update campaign_stats set contacts = contacts + 1 where campaign_id = ${campaignId}`);
  }
  if (found === undefined) return;
  const { id } = found;
  if (kind === 'happen') await app.db.tx((tx) => recordEvents(tx, [eventOf(app, { id, contactId, campaignId }, pick(EVENT_TYPES))]));
  if (kind === 'status') await app.db.query(sql`update enrolments set status = ${pick(ENROLMENT_STATUSES)} where id = ${id}`);
  if (kind === 'delete')
    await app.db.tx(async (tx) => {
      await tx.query(sql`delete from events where enrolment_id = ${id}`);
      await tx.query(sql`delete from enrolments where id = ${id}`);
      await recountMoved(tx, campaignId);
    });
  if (kind === 'move') await moveTo(id, contactId, campaignId, pick(campaigns));
}

async function moveTo(id: number, contactId: number, from: number, to: number): Promise<void> {
  const there = await app.db.query(sql`select from enrolments where contact_id = ${contactId} and campaign_id = ${to}`);
  if (there.length > 0) return;
  await app.db.tx(async (tx) => {
    await tx.query(sql`update enrolments set campaign_id = ${to} where id = ${id}`);
    await moveEvents(tx, [id], to);
    for (const campaign of [from, to].sort((one, other) => one - other)) await recountMoved(tx, campaign);
  });
}

/** What the members of the group count, from the rows. */
const counted = () =>
  app.db.query(sql`
  select c.id as campaign_id, count(e.id)::int as contacts, count(e.id) filter (where e.status = 'active')::int as active,
    coalesce(sum((select count(*) from events v where v.enrolment_id = e.id and v.type = 'sent')), 0)::int as sent,
    count(e.opened_at)::int as opened, count(e.clicked_at)::int as clicked, count(e.replied_at)::int as replied,
    count(e.bounced_at)::int as bounced, count(e.failed_at)::int as failed
  from campaigns c left join enrolments e on e.campaign_id = c.id where c.rotation_group_id = ${group} group by c.id order by c.id`);

describe('what is counted of a rotation group and its campaigns', () => {
  it('is what counting the rows gives, the same for whoever may open it, after any moves', async () => {
    let active = 0;
    await fc.assert(
      fc.asyncProperty(fc.array(move, { minLength: 10, maxLength: 40 }), async (moves) => {
        for (const one of moves) await carryOut(one);
        const rows = await counted();
        for (const caller of callers) {
          const { members, ...row } = await getRotation(app.db, caller, group);
          expect(members).toMatchObject(rows);
          const { data } = await listRotations(app.db, caller, { limit: 50, offset: 0 });
          expect(data).toEqual([row]);
          for (const { campaign_id, active: _, ...counts } of members as (typeof members)[number][])
            expect(counts).toMatchObject(await statsOf(caller, campaign_id));
          expect(row.active).toBe(members.reduce((sum, one) => sum + one.active, 0));
          active = Math.max(active, row.active);
        }
      }),
      { numRuns: 25, seed: 12 },
    );
    expect(active).toBeGreaterThan(3);
  }, 120_000);
});

async function statsOf(caller: Caller, campaignId: number) {
  const { steps: _, ...stats } = await campaignStats(app.db, caller, campaignId);
  return stats;
}
