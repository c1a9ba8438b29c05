import { audit, type Caller, renewHistory } from '../access/index.ts';
import { pauseEveryAccount } from '../accounts/index.ts';
import type { App } from '../app.ts';
import { pauseEveryCampaign } from '../campaigns/index.ts';
import { refuseDaemons } from '../daemons/index.ts';
import { type Queryable, sql } from '../db/statement.ts';
import type { Tx } from '../db/transaction.ts';

/** Numbers of accounts and campaigns that were active and have been paused. */
export interface PausedSending {
  accounts_paused: number;
  campaigns_paused: number;
}

/**
 * Pauses every account and campaign of a database that went back in time in another way than by `restore`: it does not know about emails
 * that were sent since, and would send them again. Throws `conflict` while daemons run.
 */
export async function pauseRecovered(app: App, caller: Caller): Promise<PausedSending> {
  await refuseDaemons(app.db);
  return app.db.tx(async (tx) => {
    await renewHistory(tx);
    return pauseAll(tx, app, caller);
  });
}

/**
 * Pauses everything for a daemon that has noticed that the database went back in time. Returns undefined if another daemon has already done
 * so.
 * @param history the history id of the database that went back
 */
export const pauseGoneBack = (app: App, caller: Caller, history: string): Promise<PausedSending | undefined> =>
  app.db.tx(async (tx) => ((await renewHistory(tx, history)) ? pauseAll(tx, app, caller) : undefined));

async function pauseAll(tx: Tx, { clock }: App, caller: Caller): Promise<PausedSending> {
  const paused = await pauseSending(tx, clock.now());
  const action = { action: 'installation.recovered', resourceType: 'installation', resourceId: null } as const;
  await audit(tx, caller, clock.now(), { ...action, changes: { ...paused } });
  return paused;
}

/** Pauses accounts and campaigns as pausing each account would: resuming an account resumes its formerly active campaigns. */
export async function pauseSending(tx: Queryable, now: Date): Promise<PausedSending> {
  const [paused] = await tx.query<{ accounts: number; campaigns: number }>(sql`
    with stopped as (${pauseEveryCampaign(now)}), paused as (${pauseEveryAccount(now)})
    select (select count(*)::int from paused) as accounts, (select count(*)::int from stopped) as campaigns`);
  await tx.query(sql`
    do $$ begin if to_regclass('public.agenda_jobs') is not null then delete from agenda_jobs; end if; end $$`);
  return { accounts_paused: paused?.accounts ?? 0, campaigns_paused: paused?.campaigns ?? 0 };
}
