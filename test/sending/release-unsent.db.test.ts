import { expect, it } from 'vitest';
import { sql } from '../../src/db/statement.ts';
import { claimEmails, releaseUnsent } from '../../src/sending/email/claim.ts';
import { insertAccount, rowOf } from '../support/rows.ts';
import { sendingInstallation, startSender } from '../support/sender.ts';

const { installation, sink } = await sendingInstallation();
const { app, clock } = installation;

it('an account releases what it has not sent, but no email that another account has claimed since and is sending', async () => {
  const { accountId, campaignId } = await startSender(installation, sink);
  const group = { isB: false, zones: null, window: { timezone: 'UTC', startHour: 0, endHour: 24, days: [] }, due: 1, nextDue: null };
  const account = { id: accountId, email: 'sender@example.com', timezone: 'UTC', hasRefusedFollowUp: false };
  const claimed = await claimEmails(app, { account, allocation: { campaignId, count: 1, groups: [group] } });
  const [{ id } = { id: 0 }] = claimed;
  const sendFrom = (sender: number) =>
    app.db.query(sql`update outbox set account_id = ${sender}, state = 'transmitting', transmitting_at = ${clock.now()} where id = ${id}`);
  await sendFrom(await insertAccount(app));
  await releaseUnsent(app, account, claimed);
  expect(await rowOf(app, 'outbox', id)).toMatchObject({ state: 'transmitting' });
  await sendFrom(accountId);
  await releaseUnsent(app, account, claimed);
  expect(await rowOf(app, 'outbox', id)).toMatchObject({ state: 'retry', worker: null });
});
