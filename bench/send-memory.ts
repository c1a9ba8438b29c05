import { operator } from '../src/access/index.ts';
import type { App } from '../src/app.ts';
import { pauseCampaign } from '../src/campaigns/index.ts';
import { bulkLoad } from './bulk-load.ts';
import type { Measurement } from './measure.ts';
import { seedContacts } from './seed.ts';
import { activateAll, connectAccounts, draftCampaign, emailsOf, sendingInstallation, sendTurn } from './sending.ts';
import { startSink } from './sink.ts';

const SCALE = { accounts: 20, batch: 200, batches: 1 };
const FEW = 10_000;
const MANY = 1_000_000;
const MEGABYTE = 1_048_576;
const SAMPLE_MILLISECONDS = 20;

/**
 * Peak memory of the sending process for the same number of emails, with 1,000,000 due against 10,000 due: waiting emails must not
 * be held in memory. A ratio of 1 means no growth; less is just as good, since the process had grown before.
 */
export const sendMemoryRow: Measurement = {
  name: 'send-memory',
  unit: 'MB resident',
  rounds: 1,
  async prepare() {
    const sink = await startSink();
    const installation = await sendingInstallation();
    const { app } = installation;
    const accounts = await connectAccounts(app, sink.port, SCALE);
    await seedContacts(app.db, MANY / SCALE.accounts);
    /** Sends with this many emails due, and nothing else. */
    const peakOf = async (due: number): Promise<number> => {
      const campaigns = await campaignsOf(app, accounts, due);
      await activateAll(app, campaigns);
      let peak = 0;
      const sampling = setInterval(() => {
        peak = Math.max(peak, process.memoryUsage.rss());
      }, SAMPLE_MILLISECONDS);
      await sendTurn(installation, accounts, campaigns, SCALE);
      clearInterval(sampling);
      for (const id of campaigns) await pauseCampaign(app, operator(1, 1), id);
      return peak / MEGABYTE;
    };
    // A first run compiles the code and grows the heap.
    await peakOf(FEW);
    return {
      ours: () => peakOf(MANY),
      ceiling: () => peakOf(FEW),
      note: () => `${emailsOf(SCALE)} emails from ${SCALE.accounts} accounts, with 1M due against 10K due`,
      async close() {
        await installation.remove();
        await sink.stop();
      },
    };
  },
};

/** A campaign per account, with its share of this many contacts enrolled and due now. */
async function campaignsOf(app: App, accounts: readonly number[], due: number): Promise<number[]> {
  const campaigns: number[] = [];
  for (const accountId of accounts) campaigns.push(await draftCampaign(app, accountId, `${due} due`));
  await bulkLoad(app.db.pool, ['enrolments'], async (client) => {
    await client.query(
      `insert into enrolments (workspace_id, campaign_id, contact_id, due_at, created_at, updated_at)
       select 1, c.id, t.id, $3, $3, $3 from unnest($1::int[]) c (id) cross join (select id from contacts order by id limit $2) t`,
      [campaigns, due / campaigns.length, app.clock.now()],
    );
  });
  return campaigns;
}
