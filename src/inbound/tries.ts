import type { App } from '../app.ts';
import { HOUR, MINUTE } from '../core/clock.ts';
import { sql } from '../db/statement.ts';
import { type FoundMessage, type PolledFolder, quarantine } from './apply.ts';
import type { MissingMessage } from './fetch.ts';

/**
 * Counts an attempt to read a message before it begins, so that a message that crashes the daemon is not read again and again. Returns the
 * number of attempts, including this one. Index: reading_tries_pkey.
 */
export async function countTry(app: App, { accountId, folder, message }: FoundMessage): Promise<number> {
  const [row] = await app.db.query<{ tries: number }>(sql`
    insert into reading_tries as t (account_id, folder, uid_validity, uid) values (${accountId}, ${folder.path}, ${folder.uidValidity}, ${message.uid})
    on conflict (account_id, folder, uid_validity, uid) do update set tries = t.tries + 1 returning tries`);
  return row?.tries ?? 1;
}

/**
 * Deletes the attempts at a message that did not crash the daemon, and at earlier ones of its folder, except for messages that wait for a
 * retry.
 */
export async function forgetTries(app: App, { accountId, folder, message }: FoundMessage): Promise<void> {
  await app.db.query(sql`
    delete from reading_tries where account_id = ${accountId} and folder = ${folder.path}
      and (uid_validity <> ${folder.uidValidity} or (uid <= ${message.uid} and retry_at is null) or uid = ${message.uid})`);
}

/** Delays between attempts to fetch a message that the server does not return, in total a day. The first retry is at the next poll. */
const WAITS = [0, 20 * MINUTE, HOUR, 5 * HOUR, 18 * HOUR];

/**
 * Records messages that the server did not return, with its words and the time of the next attempt. Quarantines a message after a day of
 * attempts.
 * @param tries number of earlier attempts for each message
 */
export async function noteMissing(
  app: App,
  place: PolledFolder,
  missing: readonly MissingMessage[],
  tries: ReadonlyMap<number, number>,
): Promise<void> {
  const { accountId, folder } = place;
  for (const { uid, reason } of missing) {
    const count = (tries.get(uid) ?? 0) + 1;
    const wait = WAITS[count - 1];
    const line = { account: accountId, folder: folder.path, uid, reason };
    if (wait === undefined) {
      await quarantine(app, { ...place, message: { uid, raw: Buffer.alloc(0), receivedAt: null } }, reason);
      await endWaiting(app, place, [uid]);
      app.log.error(line, 'the server does not return a message; quarantined it');
    } else {
      const retryAt = new Date(app.clock.now().getTime() + wait);
      await app.db.query(sql`
        insert into reading_tries as t (account_id, folder, uid_validity, uid, tries, reason, retry_at)
        values (${accountId}, ${folder.path}, ${folder.uidValidity}, ${uid}, ${count}, ${reason}, ${retryAt})
        on conflict (account_id, folder, uid_validity, uid) do update set tries = excluded.tries, reason = excluded.reason, retry_at = excluded.retry_at`);
      app.log.warn(line, 'the server did not return a message; will retry');
    }
  }
}

/** Ends the retries of messages that came, were deleted or were retried long enough. */
export async function endWaiting(app: App, { accountId, folder }: PolledFolder, uids: readonly number[]): Promise<void> {
  if (uids.length === 0) return;
  await app.db.query(sql`
    delete from reading_tries where account_id = ${accountId} and folder = ${folder.path} and uid_validity = ${folder.uidValidity}
      and uid = any(${uids}::bigint[])`);
}
