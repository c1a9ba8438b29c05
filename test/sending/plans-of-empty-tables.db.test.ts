import { expect, it } from 'vitest';
import { activateCampaign, completeCampaigns } from '../../src/campaigns/index.ts';
import { sql } from '../../src/db/statement.ts';
import { bulkCampaign, connectBulkAccount } from '../support/bulk-campaigns.ts';
import { batchesOf, sendingInstallation } from '../support/sender.ts';

const { installation, sink } = await sendingInstallation();
const { app, caller, clock } = installation;
const BATCH = 20;

/** Entries of indexes that `work` reads to find enrolments, but for those indexes. */
async function enrolmentsRead(work: () => Promise<unknown>, but: readonly string[]): Promise<number> {
  const counted = async () => {
    await app.db.query(sql`select pg_stat_force_next_flush()`);
    const [row] = await app.db.query<{ read: number }>(sql`
      select sum(idx_tup_read)::int as read from pg_stat_user_indexes where relname = 'enrolments' and indexrelname <> all(${but}::text[])`);
    return row?.read ?? 0;
  };
  const before = await counted();
  await work();
  return (await counted()) - before;
}

it('plans that were made while the tables were empty read what a batch needs, not all enrolments of the installation', async () => {
  // Autovacuum would gather statistics a minute later at the earliest; PostgreSQL keeps its plans until then.
  await app.db.query(sql`alter table enrolments set (autovacuum_enabled = off)`);
  const connect = (name: string) => {
    const account = { email: `${name}@sender.example`, smtpUrl: `smtp://me@127.0.0.1:${sink.port}`, password: 'secret', batch: BATCH };
    return connectBulkAccount(app, caller, account);
  };
  const [first, second] = [await connect('one'), await connect('two')];
  const activate = async (name: string, account: number, contacts: number) => {
    const id = await bulkCampaign(app, caller, name, account, contacts);
    await activateCampaign(app, caller, id, null);
    return id;
  };
  for (let index = 0; index < 20; index++) await activate(`few-${index}`, first, 100);
  await batchesOf(app).run(first);
  for (let index = 0; index < 8; index++) await activate(`more-${index}`, first, 900);
  const last = await activate('last', second, 900);
  clock.advance(60_000);
  // Indexes in which a batch finds its campaigns and counts what waits.
  const claiming = await enrolmentsRead(async () => {
    expect(await batchesOf(app).run(second)).toEqual({ sent: BATCH, other: 0 });
  }, ['enrolments_active', 'enrolments_next']);
  expect(claiming).toBeLessThan(2_000);
  const completing = await enrolmentsRead(() => app.db.txByKey((tx) => completeCampaigns(tx, app, [last])), []);
  expect(completing).toBeLessThan(2_000);
});
