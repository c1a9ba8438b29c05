import type { ImapFlow } from 'imapflow';
import {
  type ClaimedPoll,
  type EndedPoll,
  finishPolls,
  type Poll,
  postponePoll,
  releasePoll,
  takePollLease,
  takePollLeases,
  takeSuspectLease,
  wasPolledSince,
} from '../accounts/index.ts';
import type { App } from '../app.ts';
import { disconnectAccount } from '../campaigns/index.ts';
import { MINUTE, SECOND } from '../core/clock.ts';
import { ClockCheck } from '../core/clock-check.ts';
import { withDeadline } from '../core/deadline.ts';
import { MicroBatcher } from '../core/micro-batcher.ts';
import type { Room } from '../core/room.ts';
import { prepared, sql } from '../db/statement.ts';
import type { ImapTimings } from '../mail/imap-client.ts';
import { serverWords } from '../mail/server-words.ts';
import { TokenRefused } from '../oauth/index.ts';
import { FolderLists } from './folders.ts';
import type { PollResult } from './handle.ts';
import { KeptConnections } from './kept-connections.ts';
import { closeFolder } from './mailbox.ts';
import { isAwaited, isPollDue } from './poll-due.ts';
import { type Mailboxes, readMailbox } from './read.ts';
import { sharedReaders } from './read-messages.ts';

/**
 * Milliseconds for a whole poll. After half of them it stops, and the next poll continues where it stopped. If the server lets it read
 * nothing in the whole time, the poll has failed.
 */
const MAX_POLL_TIME = 4 * MINUTE;
/** Milliseconds for which the end of a poll waits to be recorded together with others. */
const POLL_END_LINGER = 10;

/** Polls mailboxes for one daemon. Caches their folders and keeps connections between polls. */
export class MailboxPoller {
  readonly #app: App;
  /** Records the ends of polls in batches: one commit for each would cost more than checking for new messages. */
  readonly #ends: MicroBatcher<EndedPoll, Date | null>;
  readonly #mailboxes: Mailboxes;
  /** With a wrong clock, the next poll would be far in the future, and follow-ups would be sent before replies are read. */
  readonly #clockCheck: ClockCheck;
  readonly #longest: number;

  /** @param options `timings`: timeouts of new connections; `answerWithin` and `longestPoll`: milliseconds */
  constructor(
    app: App,
    { readers = sharedReaders, answerWithin = 15 * SECOND, longestPoll = MAX_POLL_TIME, timings = {} as ImapTimings } = {},
  ) {
    this.#app = app;
    this.#longest = longestPoll;
    this.#ends = new MicroBatcher({
      work: (polls) => finishPolls(app, polls, isAwaited),
      linger: POLL_END_LINGER,
      onePer: ({ accountId }) => accountId,
    });
    this.#clockCheck = new ClockCheck(app, 'polls no mailbox');
    this.#mailboxes = { folders: new FolderLists(app.clock), connections: new KeptConnections(app, timings), answerWithin, readers };
  }

  /**
   * Claims mailboxes that are due for a poll: those that receive replies of a campaign that runs or ran recently, and those whose account
   * sent emails recently, so bounces may come back. The caller must `read` each claimed mailbox. Indexes: accounts_poll, campaigns_page.
   */
  async claimDue(room: Room): Promise<ClaimedPoll[]> {
    const { db, clock } = this.#app;
    // With a wrong clock, every mailbox may become due again and again.
    const [database] = await db.query<{ now: Date }>(prepared('time', sql`select clock_timestamp() as now`));
    const now = clock.now();
    if (database === undefined || this.#clockCheck.isWrong(now, database.now)) return [];
    const claimed = await takePollLeases(this.#app, isPollDue(now), room);
    return [...claimed, ...(await takeSuspectLease(this.#app, isPollDue(now), room))];
  }

  /** Claims and reads an account's mailbox. Returns null if another daemon is polling it, and in the cases of `read`. */
  async poll(accountId: number, signal?: AbortSignal): Promise<PollResult | null> {
    const lease = await takePollLease(this.#app, accountId);
    return lease === null ? null : this.read(lease, signal);
  }

  /** Polls an account whose server has announced a message in INBOX. Opens INBOX even if its STATUS shows no change. */
  pollAnnounced(accountId: number, signal: AbortSignal): Promise<PollResult | null> {
    this.#mailboxes.folders.expect(accountId);
    return this.poll(accountId, signal);
  }

  /**
   * Reads the new messages in a claimed mailbox, and releases it. A failure of the server is not thrown but recorded on the account, which
   * is polled again after a delay that grows with each failure.
   * @returns null if the mailbox was not read, or not completely
   */
  async read(lease: ClaimedPoll, signal?: AbortSignal): Promise<PollResult | null> {
    const app = this.#app;
    const { accountId } = lease;
    const isStopping = () => signal?.aborted === true;
    if (isStopping() || this.#clockCheck.isWrong(lease.since, lease.databaseTime)) {
      await releasePoll(app, accountId);
      return null;
    }
    const limits = { within: this.#longest, endAfter: this.#longest / 2, stopping: signal };
    try {
      return await withDeadline(limits, async (deadline) => {
        const { client, result, warning } = await readMailbox(app, this.#mailboxes, { ...lease, deadline }, deadline.ending);
        try {
          const isWhole = !deadline.ending.aborted;
          const next = isWhole ? await this.#ends.add({ ...lease, warning }) : await releasePoll(app, accountId);
          await this.#leave(lease, client, next);
          return isWhole ? result : null;
        } catch (error) {
          client?.close();
          throw error;
        }
      });
    } catch (error) {
      // The daemon aborted the poll, so the failure says nothing about the server.
      if (isStopping()) return releasePoll(app, accountId);
      const reason = pollFailure(error);
      app.log.warn({ account: accountId, reason }, 'mailbox could not be polled');
      if (error instanceof TokenRefused) await disconnectAccount(app, accountId, error.message);
      await postponePoll(app, lease, reason);
      return null;
    }
  }

  /** Keeps the connection for the next poll if that is worth it, or logs out. */
  async #leave(poll: Poll, client: ImapFlow | null, next: Date | null): Promise<void> {
    if (client === null) return;
    const period = next === null ? Number.POSITIVE_INFINITY : next.getTime() - poll.since.getTime();
    if ((await closeFolder(client)) && this.#mailboxes.connections.keep(poll, client, period)) return;
    await client.logout().catch(() => undefined);
    client.close();
  }

  /** Closes the connections kept between polls. Call it while no poll is running. */
  close(): void {
    this.#mailboxes.connections.close();
  }

  /** Polls the mailboxes that were not polled within the poll interval. Returns the accounts whose mailbox can't be read. */
  async ensurePolled(accountIds: readonly number[]): Promise<number[]> {
    const unread: number[] = [];
    for (const id of accountIds) {
      if (await wasReadRecently(this.#app, id)) continue;
      if ((await this.poll(id)) === null && !(await wasReadRecently(this.#app, id))) unread.push(id);
    }
    return unread;
  }
}

/** Returns the reason why a mailbox could not be polled, in the server's words. */
function pollFailure(error: unknown): string {
  const isRefusedLogin = (error as { authenticationFailed?: boolean }).authenticationFailed === true;
  return `${isRefusedLogin ? 'login: ' : ''}${serverWords(error)}`;
}

function wasReadRecently(app: App, accountId: number): Promise<boolean> {
  const now = app.clock.now();
  return wasPolledSince(app.db, accountId, new Date(now.getTime() - app.config.pollIntervalSeconds * SECOND), now);
}
