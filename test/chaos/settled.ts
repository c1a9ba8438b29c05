import { setTimeout as wait } from 'node:timers/promises';
import type { App } from '../../src/app.ts';
import { messageOf } from '../../src/core/errors.ts';
import { sql } from '../../src/db/statement.ts';
import { waitUntil } from '../support/wait-until.ts';
import type { Traffic } from './traffic.ts';
import { polledAccounts, type World } from './world.ts';

/**
 * True if no email is in flight or due, except those of the account with the small limit. Retries are brought forward, because they would
 * take a quarter of an hour.
 */
async function isSettled({ app, accounts }: World): Promise<boolean> {
  const others = [...accounts].filter(([, { isLimited }]) => !isLimited).map(([id]) => id);
  await bringForward(app, others);
  await wait(1_000);
  const [row] = await app.db.query<{ left: number }>(sql`
    select (select count(*) from outbox o join enrolments e on e.id = o.enrolment_id
        where o.state in ('claimed', 'transmitting', 'uncertain')
          or (o.state = 'retry' and e.status = 'active' and o.account_id = any(${others}::int[])))
      + (select count(*) from enrolments e join campaigns c on c.id = e.campaign_id
        where c.account_id = any(${others}::int[]) and e.status = 'active' and e.due_at is not null) as left`);
  return Number(row?.left) === 0;
}

/**
 * Ends the traffic and waits until every email is settled, every mailbox has been polled after the last answer, and every reply has been
 * delivered to the receiver. Then returns undefined; at the deadline, returns what is missing.
 * @param deadline milliseconds since this process began
 */
export async function comeToRest(world: World, traffic: Traffic, deadline: number): Promise<string | undefined> {
  const left = () => Math.max(0, (deadline - performance.now()) / 1_000);
  try {
    await waitUntil('every email is settled', () => isSettled(world), left());
    await traffic.end();
    const lastAnswerAt = await databaseTime(world);
    await waitUntil('every mailbox is polled after the last answer, and every reply told', () => isTold(world, lastAnswerAt), left());
    return undefined;
  } catch (error) {
    await traffic.end();
    return messageOf(error);
  }
}

/** Reads the database's time. */
async function databaseTime({ app }: World): Promise<Date> {
  const [row] = await app.db.query<{ now: Date }>(sql`select clock_timestamp() as now`);
  return row?.now ?? new Date(Number.NaN);
}

/**
 * True if every mailbox has been read completely by a poll that began after that time, and the receiver has got everything that was found.
 */
async function isTold(world: World, since: Date): Promise<boolean> {
  const { app, webhook } = world;
  await wait(500);
  const [row] = await app.db.query<{ unread: number; replied: number }>(sql`
    select (select count(*)::int from accounts where id = any(${polledAccounts(world)}::int[])
        and (last_polled_at between ${since} and now()) is not true) as unread,
      (select count(*)::int from events where type = 'replied') as replied`);
  return row?.unread === 0 && webhook.receiver.received.length >= row.replied;
}

/** Makes emails due that wait for a retry, and accounts that wait for their server or their next batch. */
async function bringForward({ db }: App, accounts: readonly number[]): Promise<void> {
  await db.query(sql`
    update enrolments set due_at = now() where status = 'active' and due_at > now()
      and campaign_id in (select id from campaigns where account_id = any(${accounts}::int[]))`);
  await db.query(sql`
    update accounts set connect_after = null, last_batch_at = null, next_batch_at = now(), wakes = wakes + 1
    where id = any(${accounts}::int[]) and (connect_after > now() or next_batch_at > now())`);
}
