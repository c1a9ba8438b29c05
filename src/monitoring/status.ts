import { countAccounts, countUnreadMailboxes, countWaitingAccounts } from '../accounts/index.ts';
import type { App } from '../app.ts';
import { countActiveCampaigns, countHeldForContent, countPendingCalls } from '../campaigns/index.ts';
import { type Daemon, listDaemons } from '../daemons/index.ts';
import { readServerFacts, serverLine } from '../db/server-facts.ts';
import { countMissing } from '../inbound/index.ts';
import { type JobTime, readJobTimes } from '../jobs/index.ts';
import { readEmailsToday } from './emails-today.ts';
import { readQueueState } from './queue-state.ts';

/** The state of the installation, with the names that `outreach status --json` prints. */
export interface InstallationStatus {
  /** Running daemons, on any machine. */
  daemons: Daemon[];
  /** For example `PostgreSQL 15.18, TLSv1.3, JIT off`. */
  database: string;
  /** Accounts that are neither archived nor deleted. */
  accounts: number;
  /** Accounts that are paused or disconnected. */
  accounts_paused: number;
  /** Accounts that wait because their mail server can't be reached or asks them to come back later. */
  accounts_waiting: number;
  /** Accounts whose mailbox can't be polled. */
  mailboxes_unread: number;
  /** Messages that a server does not return and that are requested again. */
  messages_missing: number;
  /** Emails that the accounts' servers accepted today, and the sum of the daily limits. */
  emails_today: number;
  emails_today_limit: number;
  campaigns_active: number;
  emails_in_flight: number;
  emails_uncertain: number;
  calls_due: number;
  /** Contacts whose next email can't be written, such as for an unknown placeholder. */
  contacts_held: number;
  /** When each recurring job last began. */
  jobs: JobTime[];
}

export async function readStatus(app: App): Promise<InstallationStatus> {
  const { db, clock } = app;
  const [daemons, server, accounts, waiting, unread, missing, today, campaigns, queues, calls, held, jobs] = await Promise.all([
    listDaemons(db),
    readServerFacts(db),
    countAccounts(db),
    countWaitingAccounts(db),
    countUnreadMailboxes(db),
    countMissing(db),
    readEmailsToday(db, clock.now()),
    countActiveCampaigns(db, 'installation'),
    readQueueState(db, 'installation', clock.now()),
    countPendingCalls(db, 'installation'),
    countHeldForContent(db, 'installation'),
    readJobTimes(app),
  ]);
  const countOf = (isActive: boolean) =>
    accounts.filter(({ status }) => (status === 'active') === isActive).reduce((sum, { count }) => sum + count, 0);
  return {
    daemons,
    database: serverLine(server),
    accounts: countOf(true) + countOf(false),
    accounts_paused: countOf(false),
    accounts_waiting: waiting,
    mailboxes_unread: unread,
    messages_missing: missing,
    emails_today: today.sent,
    emails_today_limit: today.limit,
    campaigns_active: campaigns,
    emails_in_flight: queues.in_flight,
    emails_uncertain: queues.unknown,
    calls_due: calls,
    contacts_held: held,
    jobs,
  };
}
