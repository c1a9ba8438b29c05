import { expect, it } from 'vitest';
import { activateCampaign, completeCampaigns } from '../../src/campaigns/index.ts';
import { sql } from '../../src/db/statement.ts';
import { bulkCampaign, connectBulkAccount } from '../support/bulk-campaigns.ts';
import { batchesOf, sendingInstallation } from '../support/sender.ts';

const { installation, sink } = await sendingInstallation();
const { app, caller, clock } = installation;
const BATCH = 20;

/** Returns the number of entries of a table's indexes that `work` reads. */
async function entriesRead(table: string, work: () => Promise<unknown>): Promise<number> {
  const counted = async () => {
    // Until then, each connection has its own counters.
    const connections = Array.from({ length: app.db.pool.totalCount });
    await Promise.all(connections.map(() => app.db.query(sql`select pg_stat_force_next_flush()`)));
    const [row] = await app.db.query<{ read: number }>(sql`
      select sum(idx_tup_read)::int as read from pg_stat_user_indexes where relname = ${table}`);
    return row?.read ?? 0;
  };
  const before = await counted();
  await work();
  return (await counted()) - before;
}

const connect = (name: string, batch: number) =>
  connectBulkAccount(app, caller, {
    email: `${name}@sender.example`,
    smtpUrl: `smtp://me@127.0.0.1:${sink.port}`,
    password: 'secret',
    batch,
  });

async function activate(name: string, account: number, contacts: number): Promise<number> {
  const id = await bulkCampaign(app, caller, name, account, contacts);
  await activateCampaign(app, caller, id, null);
  return id;
}

it('plans that were made while the tables were empty read what a batch needs, not all enrolments of the installation', async () => {
  // Autovacuum would not gather statistics for at least a minute, during which PostgreSQL would keep its plans.
  await app.db.query(sql`alter table enrolments set (autovacuum_enabled = off)`);
  const [first, second] = [await connect('one', BATCH), await connect('two', BATCH)];
  for (let index = 0; index < 20; index++) await activate(`few-${index}`, first, 100);
  await batchesOf(app).run(first);
  for (let index = 0; index < 8; index++) await activate(`more-${index}`, first, 900);
  const last = await activate('last', second, 900);
  clock.advance(60_000);
  const claiming = await entriesRead('enrolments', async () => {
    expect(await batchesOf(app).run(second)).toEqual({ sent: BATCH, other: 0 });
  });
  expect(claiming).toBeLessThan(2_000);
  const completing = await entriesRead('enrolments', () =>
    app.db.tx(async (tx) => {
      await completeCampaigns(tx, app, [last]);
      await tx.query(sql`select pg_stat_force_next_flush()`);
    }),
  );
  expect(completing).toBeLessThan(2_000);
});

it('a group of emails is settled by their ids, though the plan was made while the outbox was empty', async () => {
  await app.db.query(sql`alter table outbox set (autovacuum_enabled = off)`);
  const account = await connect('three', BATCH);
  await activate('all', account, 400);
  const sendBatch = async () => {
    clock.advance(60_000);
    expect(await batchesOf(app).run(account)).toEqual({ sent: BATCH, other: 0 });
  };
  for (let sent = 0; sent < 15; sent++) await sendBatch();
  const grown = await bulkCampaign(app, caller, 'grown', account, 10_000);
  await app.db.query(sql`
    insert into outbox (workspace_id, campaign_id, enrolment_id, contact_id, account_id, step_id, step_order, recipient, state, message_id, claimed_at,
      accepted_at, closed_at)
    select e.workspace_id, e.campaign_id, e.id, e.contact_id, ${account}, s.id, 1, 'ada@example.org', 'accepted', '<' || e.id || '@sender.example>',
      e.created_at, e.created_at, e.created_at
    from enrolments e join steps s on s.campaign_id = e.campaign_id where e.campaign_id = ${grown}`);
  expect(await entriesRead('outbox', sendBatch)).toBeLessThan(1_000);
});
