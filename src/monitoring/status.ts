import { countAccounts, countWaitingAccounts } from '../accounts/index.ts';
import type { App } from '../app.ts';
import { countActiveCampaigns, countHeldForContent, countPendingCalls } from '../campaigns/index.ts';
import { type Daemon, listDaemons } from '../daemons/index.ts';
import { readServerFacts, serverLine } from '../db/server-facts.ts';
import { readEmailsToday } from './emails-today.ts';
import { readQueueState } from './queue-state.ts';

/** The installation in a few lines, named as `outreach status --json` prints them. */
export interface InstallationStatus {
  /** Those that run, on any machine. */
  daemons: Daemon[];
  /** For example `PostgreSQL 15.18, TLSv1.3, JIT off`. */
  database: string;
  /** Neither archived nor deleted. */
  accounts: number;
  /** Those of them that are paused or disconnected. */
  accounts_paused: number;
  /** Those that wait for their mail server, which can't be reached or asks them to. */
  accounts_waiting: number;
  /** Emails that the accounts' servers accepted today, and the sum of the daily limits. */
  emails_today: number;
  emails_today_limit: number;
  campaigns_active: number;
  mails_in_flight: number;
  mails_uncertain: number;
  calls_due: number;
  /** Contacts whose next email can't be written, such as for an unknown placeholder. */
  contacts_held: number;
}

export async function readStatus({ db, clock }: App): Promise<InstallationStatus> {
  const [daemons, server, accounts, waiting, today, campaigns, queues, calls, held] = await Promise.all([
    listDaemons(db),
    readServerFacts(db),
    countAccounts(db),
    countWaitingAccounts(db),
    readEmailsToday(db, clock.now()),
    countActiveCampaigns(db, 'installation'),
    readQueueState(db, 'installation', clock.now()),
    countPendingCalls(db, 'installation'),
    countHeldForContent(db, 'installation'),
  ]);
  const paused = accounts.paused + accounts.disconnected;
  return {
    daemons,
    database: serverLine(server),
    accounts: accounts.active + paused,
    accounts_paused: paused,
    accounts_waiting: waiting,
    emails_today: today.sent,
    emails_today_limit: today.limit,
    campaigns_active: campaigns,
    mails_in_flight: queues.in_flight,
    mails_uncertain: queues.unknown,
    calls_due: calls,
    contacts_held: held,
  };
}
