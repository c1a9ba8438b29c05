import type { Caller } from '../access/index.ts';
import { type UnwellAccount, unwellAccounts } from '../accounts/index.ts';
import type { App } from '../app.ts';
import { countHeldForContent, countPendingCalls } from '../campaigns/index.ts';
import { type AccountLine, readAccountLines, readChangeActivity } from '../live/index.ts';
import { readQueueState } from '../monitoring/index.ts';
import { listReplies } from '../replies/index.ts';

/** Maximum number of replies that a summary lists; the rest are only counted. */
const MAX_LINES = 20;
const MAX_ACCOUNTS = 500;
const MAX_CHANGES = 1_000;

/** The news of a day and the things that need action, as far as one user may see them. */
export interface Summary {
  replies: { from: string; from_name: string; subject: string; snippet: string }[];
  /** Number of all new replies; `replies` has the newest. */
  new_replies: number;
  /** Names of completed campaigns, and addresses of accounts that reached their daily limit while emails were waiting. */
  completed: string[];
  limited: string[];
  /** Accounts that are paused or disconnected, or that can't reach their mail server. */
  accounts: Pick<AccountLine, 'email' | 'status' | 'pause_message' | 'connection_error'>[];
  /** Other accounts that should stop sending because of their health. */
  unwell: UnwellAccount[];
  /** Number of emails that the server may or may not have. */
  uncertain: number;
  /** Number of contacts whose next email can't be written. */
  held: number;
  calls: number;
}

/**
 * Reads the summary of what the caller may see.
 * @param news new are replies with an id above `afterReplyId`, and changes to campaigns and accounts after `since`
 */
export async function readSummary({ db, clock }: App, caller: Caller, news: { afterReplyId: number; since: Date }): Promise<Summary> {
  const now = clock.now();
  const [replies, changes, accounts, unwell, queues, held, calls] = await Promise.all([
    listReplies(db, caller, { afterId: news.afterReplyId }, { limit: MAX_LINES, offset: 0 }),
    readChangeActivity(db, caller, { since: news.since, limit: MAX_CHANGES }),
    readAccountLines(db, caller, now, MAX_ACCOUNTS),
    unwellAccounts(db, caller, MAX_ACCOUNTS),
    readQueueState(db, caller, now),
    countHeldForContent(db, caller),
    countPendingCalls(db, caller),
  ]);
  const stopped = accounts.filter(({ status, connection_error }) => status !== 'active' || connection_error !== null);
  const listed = new Set(stopped.map(({ email }) => email));
  return {
    ...{ replies: replies.data, new_replies: replies.pagination.total, accounts: stopped },
    completed: [...new Set(changes.flatMap(({ campaign }) => campaign ?? []))],
    limited: [...new Set(changes.flatMap(({ what, account }) => (what === 'limited' && account !== null ? account : [])))],
    ...{ unwell: unwell.filter(({ email }) => !listed.has(email)), uncertain: queues.unknown, held, calls },
  };
}

/** Returns false if nothing is new and nothing needs action. An account that reached its limit counts as neither. */
export const isWorthSending = ({ new_replies, completed, accounts, unwell, uncertain, held, calls }: Summary): boolean =>
  new_replies + completed.length + accounts.length + unwell.length + uncertain + held + calls > 0;
