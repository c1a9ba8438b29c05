import fc from 'fast-check';
import { beforeAll, describe, expect, it } from 'vitest';
import type { Caller } from '../../src/access/index.ts';
import type { App } from '../../src/app.ts';
import { campaignStats, ENROLMENT_STATUSES, getRotation, listRotations } from '../../src/campaigns/index.ts';
import { EVENT_TYPES } from '../../src/core/event-types.ts';
import { sql } from '../../src/db/statement.ts';
import { foldEvents, listCampaignEvents, moveEvents, recordEvents } from '../../src/events/index.ts';
import { campaignReport } from '../../src/reports/index.ts';
import { testInstallation } from '../support/database.ts';
import { member } from '../support/people.ts';
import { eventOf, insertCampaign, insertContact, insertLoggedEnrolment, joinInGroup } from '../support/rows.ts';
import { runs } from '../support/runs.ts';

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
  for (let index = 0; index < 3; index++) campaigns.push(await insertCampaign(app));
  await joinInGroup(app, campaigns);
  group = campaigns[0] ?? 0;
  for (let index = 0; index < CONTACTS; index++) {
    contacts.push(await insertContact(app, { created_by: callers[index % 3]?.userId, is_shared_to_all: index % 2 === 0 }));
  }
});

const move = fc.record({
  kind: fc.constantFrom('enrol', 'happen', 'happen', 'status', 'contact', 'share', 'move', 'fold'),
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
  if (kind === 'fold') return foldEvents(app);
  if (kind === 'contact') await app.db.query(sql`update contacts set ${pick(CONTACT_CHANGES)} where id = ${contactId}`);
  if (kind === 'share')
    await app.db.query(sql`
      insert into shares (workspace_id, resource_type, resource_id, user_id, granted_at)
      values (1, 'contacts', ${contactId}, ${callers[1]?.userId}, now()) on conflict do nothing`);
  if (kind === 'enrol' && found === undefined)
    await insertLoggedEnrolment(app, campaignId, { contact_id: contactId, status: choice % 2 === 0 ? 'active' : pick(ENROLMENT_STATUSES) });
  if (found === undefined) return;
  const { id } = found;
  if (kind === 'happen') await app.db.tx((tx) => recordEvents(tx, [eventOf(app, { id, contactId, campaignId }, pick(EVENT_TYPES))]));
  if (kind === 'status') await app.db.query(sql`update enrolments set status = ${pick(ENROLMENT_STATUSES)} where id = ${id}`);
  if (kind === 'move') await moveTo(id, contactId, pick(campaigns));
}

async function moveTo(id: number, contactId: number, to: number): Promise<void> {
  const there = await app.db.query(sql`select from enrolments where contact_id = ${contactId} and campaign_id = ${to}`);
  if (there.length > 0) return;
  await app.db.tx(async (tx) => {
    await tx.query(sql`update enrolments set campaign_id = ${to} where id = ${id}`);
    await moveEvents(tx, [id], to);
  });
}

/** Counts for every caller, from the rows of the group's members. */
const counted = () => {
  const contacts = (type: string) =>
    sql`(select count(distinct v.enrolment_id)::int from events v where v.campaign_id = c.id and v.type = ${type})`;
  return app.db.query<{ campaign_id: number }>(sql`
    select c.id as campaign_id, (select count(*)::int from enrolments e where e.campaign_id = c.id) as contacts,
      (select count(*)::int from enrolments e where e.campaign_id = c.id and e.status = 'active') as active,
      (select count(*)::int from events v where v.campaign_id = c.id and v.type = 'sent') as sent,
      ${contacts('opened')} as opened, ${contacts('clicked')} as clicked, ${contacts('replied')} as replied,
      ${contacts('bounced')} as bounced, ${contacts('failed')} as failed
    from campaigns c where c.rotation_group_id = ${group} order by c.id`);
};

/** Counts the events of a campaign whose contacts the caller can see. */
async function seenEvents(caller: Caller, campaignId: number): Promise<number> {
  const [row] = await app.db.query<{ seen: number }>(sql`
    select count(*)::int as seen from events v join contacts k on k.id = v.contact_id
    where v.campaign_id = ${campaignId} and k.deleted_at is null and (${caller.role === 'admin'} or k.is_shared_to_all
      or k.created_by = ${caller.userId} or exists (select from shares s where s.resource_id = k.id and s.user_id = ${caller.userId}))`);
  return row?.seen ?? 0;
}

describe('what is counted of a rotation group and its campaigns', () => {
  it('is what counting the rows gives, for everybody who may open them, while the feed hides contacts', async () => {
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
          for (const campaignId of campaigns) {
            const { data: events, pagination } = await listCampaignEvents(app.db, caller, campaignId, undefined, { limit: 200, offset: 0 });
            const seen = await seenEvents(caller, campaignId);
            expect([events.length, pagination.total]).toEqual([Math.min(seen, 200), seen]);
            for (const by of ['step', 'domain'] as const)
              expect(await campaignReport(app, caller, campaignId, { by, domains: 3 })).toEqual(
                await campaignReport(app, callers[0] as Caller, campaignId, { by, domains: 3 }),
              );
          }
          expect(row.active).toBe(members.reduce((sum, one) => sum + one.active, 0));
          active = Math.max(active, row.active);
        }
      }),
      { numRuns: runs(4, 40), seed: 12 },
    );
    expect(active).toBeGreaterThan(3);
  }, 120_000);
});

async function statsOf(caller: Caller, campaignId: number) {
  const { steps: _, ...stats } = await campaignStats(app.db, caller, campaignId);
  return stats;
}
