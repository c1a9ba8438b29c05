import { operator } from '../src/access/index.ts';
import { pauseCampaign } from '../src/campaigns/index.ts';
import { connectBulkAccount } from '../test/support/bulk-campaigns.ts';
import { startDaemon } from './daemon.ts';
import { untilSent } from './daemons.ts';
import { benchInstallation } from './installation.ts';
import type { Measurement } from './measure.ts';
import { peakOf } from './memory.ts';
import { seedContacts } from './seed.ts';
import { activateAll, draftCampaign, enrolInEach } from './sending.ts';
import { startSink } from './sink.ts';

const ACCOUNTS = 20;
const BATCH_SIZE = 200;
const SMALL_CAMPAIGN = 10_000;
const LARGE_CAMPAIGN = 1_000_000;
const caller = operator(1, 1);

/**
 * Peak memory of a daemon of the built program for the same number of emails, with 1,000,000 due against 10,000 due: waiting emails
 * must not be held in memory. A ratio of 1 means no growth.
 */
export const sendMemoryRow: Measurement = {
  name: 'send-memory',
  unit: 'MB resident',
  rounds: 1,
  async prepare() {
    const sink = await startSink();
    const installation = await benchInstallation();
    const { app } = installation;
    const accounts: number[] = [];
    for (let index = 0; index < ACCOUNTS; index++) {
      const account = { email: `sender-${index}@example.com`, smtpUrl: `smtp://127.0.0.1:${sink.port}`, password: '' };
      accounts.push(await connectBulkAccount(app, caller, { ...account, batch: BATCH_SIZE }));
    }
    await seedContacts(app.db, LARGE_CAMPAIGN / ACCOUNTS);
    /** Starts a daemon that sends one batch of each account with this many emails due, and nothing else. */
    const peakWith = async (due: number): Promise<number> => {
      const campaigns: number[] = [];
      for (const accountId of accounts) campaigns.push(await draftCampaign(app, accountId, `${due} due`));
      await enrolInEach(app, campaigns, due / ACCOUNTS);
      await activateAll(app, campaigns);
      const daemon = await startDaemon(installation);
      try {
        await untilSent(installation, campaigns, ACCOUNTS * BATCH_SIZE);
        return peakOf(daemon.pid);
      } finally {
        await daemon.end('SIGTERM');
        for (const id of campaigns) await pauseCampaign(app, caller, id);
      }
    };
    return {
      ours: () => peakWith(LARGE_CAMPAIGN),
      ceiling: () => peakWith(SMALL_CAMPAIGN),
      note: () => `a daemon that sends ${ACCOUNTS * BATCH_SIZE} emails from ${ACCOUNTS} accounts, with 1M due against 10K due`,
      async close() {
        await installation.remove();
        await sink.stop();
      },
    };
  },
};
