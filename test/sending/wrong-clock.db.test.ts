import { expect, it } from 'vitest';
import type { App } from '../../src/app.ts';
import { DAY, HOUR, MINUTE } from '../../src/core/clock.ts';
import { createLogger } from '../../src/core/log.ts';
import { sql } from '../../src/db/statement.ts';
import { MailboxPoller } from '../../src/inbound/index.ts';
import { dueMailboxes, mailboxAccount } from '../support/polled-mailbox.ts';
import { rowOf } from '../support/rows.ts';
import { batchesOf, sendingInstallation, startSender } from '../support/sender.ts';

const { installation, sink } = await sendingInstallation();

/** Creates the app of a machine whose clock differs from the database's by `skew`, and collects the errors that it logs. */
async function machineOff(skew: number): Promise<{ app: App; errors: () => string[] }> {
  const logged: string[] = [];
  const [row] = await installation.app.db.query<{ now: Date }>(sql`select clock_timestamp() as now`);
  const now = new Date((row?.now.getTime() ?? 0) + skew);
  const log = createLogger('error', { write: (line) => void logged.push(line) });
  const app = { ...installation.app, clock: { now: () => now, canBeWrong: true }, log };
  return { app, errors: () => logged.map((line) => JSON.parse(line).msg as string) };
}

/** Runs two batches with a wrong clock. Returns the logged errors. */
async function batchAt(skew: number, accountId: number): Promise<string[]> {
  const { app, errors } = await machineOff(skew);
  const batches = batchesOf(app);
  await batches.run(accountId);
  await batches.run(accountId);
  return errors();
}

/** Polls twice with a wrong clock. Returns the logged errors. */
async function pollAt(skew: number, accountId: number): Promise<string[]> {
  const { app, errors } = await machineOff(skew);
  const poller = new MailboxPoller(app);
  expect(await poller.poll(accountId)).toBeNull();
  expect(await poller.poll(accountId)).toBeNull();
  return errors();
}

it('a daemon whose clock is wrong sends nothing, says why, and leaves the account to the others', async () => {
  const sender = await startSender(installation, sink);
  const before = await rowOf(installation.app, 'accounts', sender.accountId);
  expect(await batchAt(HOUR, sender.accountId)).toEqual([
    expect.stringMatching(/^the clock of this machine is 3\d{3} s ahead of the database's/),
  ]);
  expect(await batchAt(-HOUR, sender.accountId)).toEqual([
    expect.stringMatching(/^the clock of this machine is 3\d{3} s behind the database's/),
  ]);
  expect(await rowOf(installation.app, 'accounts', sender.accountId)).toEqual(before);
  expect(sink.messages).toEqual([]);
  await sender.batch();
  expect(sink.messages).toHaveLength(1);
  expect(await batchAt(4 * MINUTE, sender.accountId)).toEqual([]);
});

it('a daemon whose clock is wrong polls no mailbox, says why, and leaves it to the others', async () => {
  const id = await mailboxAccount(installation.app, 1, 'skewed@example.com');
  const before = await rowOf(installation.app, 'accounts', id);
  expect(await pollAt(DAY, id)).toEqual([
    expect.stringMatching(/^the clock of this machine is 86\d{3} s ahead of the database's; this daemon polls no mailbox until they agree/),
  ]);
  expect(await pollAt(-DAY, id)).toEqual([expect.stringMatching(/ s behind the database's; this daemon polls no mailbox/)]);
  expect(await rowOf(installation.app, 'accounts', id)).toEqual(before);
});

it('what a wrong clock left behind keeps no mailbox from being polled, and counts as no poll', async () => {
  const { app, clock } = installation;
  const ahead = (by: number) => new Date(clock.now().getTime() + by);
  // Its server refuses connections, so a poll fails.
  const id = await mailboxAccount(app, 1, 'ahead@example.com', { last_batch_at: clock.now() });
  const leave = (next: number, last: number) =>
    app.db.query(sql`update accounts set next_poll_at = ${ahead(next)}, last_polled_at = ${ahead(last)} where id = ${id}`);
  await leave(DAY, DAY);
  expect(await dueMailboxes(app)).toContain(id);
  expect(await new MailboxPoller(app).ensurePolled([id])).toEqual([id]);
  // The latest time that a failed poll may set.
  await leave(HOUR, -HOUR);
  expect(await dueMailboxes(app)).not.toContain(id);
});
