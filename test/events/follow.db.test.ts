import { beforeAll, describe, expect, it } from 'vitest';
import { sql } from '../../src/db/statement.ts';
import { listEventsAfter, recordEvents, withContacts } from '../../src/events/index.ts';
import { testInstallation } from '../support/database.ts';
import { type Enrolled, eventOf, insertCampaign, insertContact, insertEnrolment } from '../support/rows.ts';

const { app, caller } = await testInstallation();
let who: Enrolled;
beforeAll(async () => {
  who = await insertEnrolment(app, await insertCampaign(app), {
    contact_id: await insertContact(app, { email: 'ada@example.org', name: 'Ada' }),
  });
});

const eventsAfter = async (afterId: number, limit = 200) => (await listEventsAfter(app.db, caller, { afterId }, { limit, offset: 0 })).data;
const record = () => app.db.tx((tx) => recordEvents(tx, [eventOf(app, who, 'sent')]));

/** A transaction that has recorded an event and stays open until it is told to end. */
async function openEvent(): Promise<{ end(how: 'commit' | 'rollback'): Promise<void> }> {
  const recorded = Promise.withResolvers<void>();
  const end = Promise.withResolvers<'commit' | 'rollback'>();
  const undone = new Error('rolled back');
  const done = app.db.tx(async (tx) => {
    // Whoever records locks the enrolment: each has its own.
    await recordEvents(tx, [eventOf(app, await insertEnrolment(app, await insertCampaign(app)), 'sent')]);
    recorded.resolve();
    if ((await end.promise) === 'rollback') throw undone;
  });
  await recorded.promise;
  return {
    end: async (how) => {
      end.resolve(how);
      await done.catch((error: unknown) => {
        if (error !== undone) throw error;
      });
    },
  };
}

describe('GET /events?after_id=N: ascending, never skips a row that commits late, never repeats one', () => {
  it('an event waits for those before it that are not committed, and no longer', async () => {
    const begin = (await eventsAfter(0)).at(-1)?.id ?? 0;
    const late = await openEvent();
    await record();
    expect(await eventsAfter(begin)).toEqual([]);
    await late.end('commit');
    const both = await eventsAfter(begin);
    expect(both).toHaveLength(2);
    expect(both[0]?.id).toBeLessThan(both[1]?.id ?? 0);
    const undone = await openEvent();
    await record();
    expect(await eventsAfter(both[1]?.id ?? 0)).toEqual([]);
    await undone.end('rollback');
    expect(await eventsAfter(both[1]?.id ?? 0)).toHaveLength(1);
  });

  it('an event that is committed while a later transaction is open does not wait for that', async () => {
    const begin = (await eventsAfter(0)).at(-1)?.id ?? 0;
    await record();
    const later = await openEvent();
    expect(await eventsAfter(begin)).toHaveLength(1);
    await later.end('commit');
    expect(await eventsAfter(begin)).toHaveLength(2);
  });

  it('eight writers and a reader: every id once, in order', async () => {
    const campaigns = await Promise.all(Array.from({ length: 8 }, async () => insertEnrolment(app, await insertCampaign(app))));
    let last = (await eventsAfter(0)).at(-1)?.id ?? 0;
    const begin = last;
    let writing = true;
    const writers = campaigns.map(async (own) => {
      for (let round = 0; round < 25; round++)
        await app.db.tx(async (tx) => {
          await recordEvents(tx, [eventOf(app, own, 'sent')]);
          // Other work of the transaction, of a random length: commits come in another order than ids.
          await tx.query(sql`select pg_sleep(${((round * 7) % 5) / 1_000})`);
        });
    });
    const read: number[] = [];
    const reader = (async () => {
      for (let more = true; more; ) {
        more = writing;
        for (const { id } of await eventsAfter(last, 7)) {
          read.push(id);
          last = id;
          more = true;
        }
      }
    })();
    await Promise.all(writers);
    writing = false;
    await reader;
    expect(read).toEqual((await eventsAfter(begin)).map(({ id }) => id));
    expect(read).toHaveLength(200);
    expect(read).toEqual([...new Set(read)].sort((a, b) => a - b));
  });
});

it('expand=contact: the record carries email and name', async () => {
  const page = await listEventsAfter(app.db, caller, { afterId: 0, contactId: who.contactId }, { limit: 1, offset: 0 });
  expect((await withContacts(app.db, page)).data).toMatchObject([
    { contact_id: who.contactId, contact: { id: who.contactId, email: 'ada@example.org', name: 'Ada' } },
  ]);
});

it('docs/events.md: "`total` is then exact up to 10,000; of more it is greater than the end of the page as long as more follow"', async () => {
  const { campaignId, contactId, id } = await insertEnrolment(app, await insertCampaign(app));
  const totalAt = async (offset: number) =>
    (await listEventsAfter(app.db, caller, { afterId: 0, contactId }, { limit: 50, offset })).pagination.total;
  const log = (count: number) =>
    app.db.query(sql`
      insert into events (workspace_id, campaign_id, contact_id, enrolment_id, type, in_feed, step_order, at, counts_as, day, account_id, domain,
        is_first_of_email, is_first_of_contact, is_of_first_email)
      select 1, ${campaignId}, ${contactId}, ${id}, 'opened', true, 1, now(), 'opened', now(), 1, 'x.example', false, false, false
      from generate_series(1, ${count}::int)`);
  await log(10_000);
  expect(await totalAt(0)).toBe(10_000);
  await log(60);
  expect(await totalAt(9_950)).toBeGreaterThan(10_000);
  expect(await totalAt(10_000)).toBeGreaterThan(10_050);
  expect(await totalAt(10_050)).toBe(10_060);
});
