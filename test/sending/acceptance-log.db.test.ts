import pg from 'pg';
import { expect, it } from 'vitest';
import { sql } from '../../src/db/statement.ts';
import { afterFile } from '../support/after-file.ts';
import { sendingInstallation, startSender } from '../support/sender.ts';
import { waitUntil } from '../support/wait-until.ts';

const { installation, sink } = await sendingInstallation();
const { app, databaseUrl } = installation;

const EMAILS = 400;
/** A hundred may wait. In addition there are the previous group and the emails sent before the sender notices. */
const BOUND = 300;

const startLargeSender = () =>
  startSender(installation, sink, {
    account: { send_batch_min: EMAILS, send_batch_max: EMAILS },
    contacts: Array.from({ length: EMAILS }, () => ({})),
  });

it('a sender waits when a hundred accepted emails wait for their record, and then goes on', async () => {
  const sender = await startLargeSender();
  const somebody = new pg.Client({ connectionString: databaseUrl });
  await somebody.connect();
  afterFile(() => somebody.end());
  // Permits do not write events; the records of accepted emails do.
  await somebody.query('begin; lock table events in exclusive mode');
  const batch = sender.batch();
  let [sent, since] = [0, performance.now()];
  await waitUntil('nothing is sent for half a second', () => {
    if (sink.messages.length > sent) [sent, since] = [sink.messages.length, performance.now()];
    return sent >= 100 && performance.now() - since > 500;
  });
  expect(sent).toBeLessThan(BOUND);
  await somebody.query('rollback');
  expect(await batch).toEqual({ sent: EMAILS, other: 0 });
});

it('a sender stops when the database refuses to record accepted emails', async () => {
  const sender = await startLargeSender();
  await app.db.query(sql`
    create function refuse() returns trigger language plpgsql as $$ begin raise 'refused' using errcode = '23514'; end $$`);
  await app.db.query(
    sql`create trigger refuse before update on outbox for each row when (new.state = 'accepted') execute function refuse()`,
  );
  await expect(sender.batch()).rejects.toThrow('refused');
  expect(sink.messages.length).toBeLessThan(BOUND);
  const states = await app.db.query(sql`
    select state, count(*)::int as emails from outbox where campaign_id = ${sender.campaignId} group by state order by state desc`);
  expect(states).toEqual([{ state: 'transmitting', emails: sink.messages.length }, expect.objectContaining({ state: 'retry' })]);
});
