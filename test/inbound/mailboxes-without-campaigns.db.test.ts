import { expect, it } from 'vitest';
import { roomFor } from '../../src/core/room.ts';
import { sql } from '../../src/db/statement.ts';
import { MailboxPoller } from '../../src/inbound/index.ts';
import { bulkCampaign, connectBulkAccount } from '../support/bulk-campaigns.ts';
import { sendingInstallation } from '../support/sender.ts';

const { installation, sink } = await sendingInstallation();
const { app, caller } = installation;
const ACCOUNTS = 1_000;

/** Returns the number of rows of campaigns and accounts read since the server started. */
async function rowsRead(): Promise<number> {
  await app.db.query(sql`select pg_stat_force_next_flush()`);
  const [row] = await app.db.query<{ read: number }>(sql`
    select sum(seq_tup_read + idx_tup_fetch)::int as read from pg_stat_user_tables where relname in ('accounts', 'campaigns')`);
  return row?.read ?? 0;
}

it('a claim of mailboxes reads their own campaigns, not all of the workspace for each', async () => {
  const sender = { email: 'first@sender.example', smtpUrl: `smtp://me@127.0.0.1:${sink.port}`, password: 'secret', batch: 1 };
  const account = await connectBulkAccount(app, caller, sender);
  const imap = JSON.stringify({ host: '127.0.0.1', port: 1, secure: false, tls: 'off', user: 'me' });
  await app.db.query(sql`update accounts set imap = ${imap}::jsonb, imap_secret = smtp_secret`);
  const campaign = await bulkCampaign(app, caller, 'First', account, 1);
  await app.db.query(sql`
    insert into accounts select (jsonb_populate_record(a, jsonb_build_object('id', a.id + n, 'email', n || '@sender.example', 'last_batch_at', null))).*
    from accounts a, generate_series(1, ${ACCOUNTS}::int) n where a.id = ${account}`);
  await app.db.query(sql`
    insert into campaigns select (jsonb_populate_record(c, jsonb_build_object('id', c.id + n, 'account_id', c.account_id + n, 'name', n))).*
    from campaigns c, generate_series(1, ${ACCOUNTS}::int) n where c.id = ${campaign}`);
  await app.db.query(sql`update campaigns set status = 'paused', updated_at = updated_at - interval '1 year'`);
  await app.db.query(sql`update accounts set next_poll_at = null`);
  await app.db.query(sql`analyze accounts, campaigns`);
  const before = await rowsRead();
  expect(await new MailboxPoller(app).claimDue(roomFor(200))).toEqual([]);
  expect((await rowsRead()) - before).toBeLessThan(10 * ACCOUNTS);
});
