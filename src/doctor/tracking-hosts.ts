import { isLiveAccount } from '../accounts/index.ts';
import type { App } from '../app.ts';
import { SECOND } from '../core/clock.ts';
import { messageOf } from '../core/errors.ts';
import { sql } from '../db/statement.ts';
import { type Finding, fail, ok, warn } from './finding.ts';

const TIMEOUT_SECONDS = 5;

/** Checks that the accounts' own tracking hosts lead to this installation: otherwise every link in their emails is dead. */
export async function checkTrackingHosts(app: App): Promise<Finding[]> {
  const hosts = await app.db.query<{ origin: string }>(sql`
    select distinct a.tracking_host as origin from accounts a where a.tracking_host is not null and ${isLiveAccount('a')} order by 1`);
  return Promise.all(hosts.map(({ origin }) => checkTrackingHost(origin)));
}

/** Requests the tracking image of an email that does not exist, which is served anyway. */
async function checkTrackingHost(origin: string): Promise<Finding> {
  const check = `tracking host ${new URL(origin).host}`;
  const remedy = 'forward every path of it to this installation, or remove it with: outreach account set --tracking-host none';
  try {
    const answer = await fetch(`${origin}/o/0/0`, { redirect: 'manual', signal: AbortSignal.timeout(TIMEOUT_SECONDS * SECOND) });
    await answer.body?.cancel();
    if (answer.status !== 200 || answer.headers.get('content-type') !== 'image/gif')
      return fail(check, `returns ${answer.status} for a link of ours, so links in emails are dead; ${remedy}`);
  } catch (error) {
    return fail(check, `can't be reached from here (${messageOf(error)}), so links in emails are dead; ${remedy}`);
  }
  if (!origin.startsWith('https://'))
    return warn(check, `${origin} is not https, so email clients offer no one-click unsubscribe (RFC 8058); put it behind TLS`);
  return ok(check, `${origin} leads to this installation`);
}
