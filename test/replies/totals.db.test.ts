import fc from 'fast-check';
import { beforeAll, describe, expect, it } from 'vitest';
import { type Caller, operator } from '../../src/access/index.ts';
import type { App } from '../../src/app.ts';
import { type Sql, sql } from '../../src/db/statement.ts';
import { listReplies, type ReplyFilter } from '../../src/replies/index.ts';
import { testInstallation } from '../support/database.ts';
import { member } from '../support/people.ts';
import { insertCampaign, insertContact, insertEnrolment, insertReply, insertRow } from '../support/rows.ts';

let app: App;
const contacts: number[] = [];
const replies: number[] = [];
const callers: Caller[] = [operator(1, 1)];

beforeAll(async () => {
  app = (await testInstallation()).app;
  const [manager, colleague] = [await member(app, 'manager'), await member(app, 'manager')];
  for (const { id } of [manager, colleague]) callers.push({ ...operator(1, id), actor: 'user', role: 'manager', isInstallAdmin: false });
  const campaigns = [await insertCampaign(app), await insertCampaign(app), await insertCampaign(app, { is_shared_to_all: false })];
  for (let index = 0; index < 4; index++) contacts.push(await insertContact(app, { created_by: manager.id }));
  await insertRow(app, 'shares', {
    ...{ workspace_id: 1, resource_type: 'contacts', resource_id: contacts[0], user_id: colleague.id, granted_at: app.clock.now() },
  });
  for (const campaign of campaigns)
    for (const contact of contacts) {
      const enrolment = await insertEnrolment(app, campaign, { contact_id: contact });
      replies.push(await insertReply(app, enrolment), await insertReply(app, enrolment, { kind: 'auto_reply' }));
    }
});

const CHANGES: Readonly<Record<string, (reply: number, contact: number) => Sql>> = {
  read: (reply) => sql`update replies set is_read = not is_read where id = ${reply}`,
  label: (reply) => sql`update replies set label = case when label is null then 'meeting' end where id = ${reply}`,
  assign: (reply) => sql`update replies set assigned_to = case when assigned_to is null then 1 end where id = ${reply}`,
  kind: (reply) => sql`update replies set kind = case kind when 'reply' then 'auto_reply' else 'reply' end where id = ${reply}`,
  clear: (reply) => sql`update replies set subject = '', sender = '' where id = ${reply}`,
  private: (_, contact) => sql`update contacts set is_shared_to_all = not is_shared_to_all where id = ${contact}`,
  deleted: (_, contact) => sql`update contacts set deleted_at = case when deleted_at is null then now() end where id = ${contact}`,
  'given away': (_, contact) => sql`update contacts set created_by = nullif(1, created_by) where id = ${contact}`,
  time: (reply) => sql`update replies set received_at = received_at - interval '20 days' where id = ${reply}`,
  'campaign private': (reply) => sql`
    update campaigns set is_shared_to_all = not is_shared_to_all where id = (select campaign_id from replies where id = ${reply})`,
  'campaign deleted': (reply) => sql`
    update campaigns set deleted_at = case when deleted_at is null then now() end where id = (select campaign_id from replies where id = ${reply})`,
};

const change = fc.record({ what: fc.constantFrom(...Object.keys(CHANGES)), reply: fc.nat(23), contact: fc.nat(3) });
/** Each list is one transaction. */
const history = fc.array(fc.array(change, { minLength: 1, maxLength: 4 }), { minLength: 1, maxLength: 6 });

const carryOut = (changes: readonly { what: string; reply: number; contact: number }[]) =>
  app.db.tx(async (tx) => {
    for (const { what, reply, contact } of changes) {
      const statement = CHANGES[what]?.(replies[reply] ?? 0, contacts[contact] ?? 0);
      if (statement !== undefined) await tx.query(statement);
    }
  });

const FILTERS: readonly ReplyFilter[] = [
  {},
  { isRead: false },
  { label: 'meeting' },
  { assignedTo: 1 },
  { kind: 'auto_reply' },
  { accountId: 1 },
  { since: new Date('2026-06-11T03:00:00Z') },
  { since: new Date('2026-05-01T00:00:00Z'), isRead: false },
];

/** The total and the number of rows that a caller gets. */
async function totals(caller: Caller, filter: ReplyFilter) {
  const { data, pagination } = await listReplies(app.db, caller, filter, { limit: 200, offset: 0 });
  return { total: pagination.total, rows: data.length };
}

describe('the total of a list of replies', () => {
  it('is the number of its rows after any changes of replies and of who sees their contacts and campaigns, for everyone and every filter', async () => {
    await fc.assert(
      fc.asyncProperty(history, async (transactions) => {
        for (const changes of transactions) await carryOut(changes);
        for (const caller of callers)
          for (const filter of FILTERS) {
            const { total, rows } = await totals(caller, filter);
            expect({ filter, caller: caller.userId, total }).toEqual({ filter, caller: caller.userId, total: rows });
          }
      }),
      { numRuns: 12 },
    );
  });
});
