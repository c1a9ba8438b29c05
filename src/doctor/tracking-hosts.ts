import http from 'node:http';
import https from 'node:https';
import { isLiveAccount } from '../accounts/index.ts';
import type { App } from '../app.ts';
import { SECOND } from '../core/clock.ts';
import { messageOf } from '../core/errors.ts';
import { type Network, NotPublic, publicAddresses, publicLookup } from '../core/network.ts';
import { sql } from '../db/statement.ts';
import { type Finding, fail, ok, warn } from './finding.ts';

const TIMEOUT_SECONDS = 5;

/** Checks that the accounts' own tracking hosts lead to this installation: otherwise every link in their emails is dead. */
export async function checkTrackingHosts(app: App): Promise<Finding[]> {
  const hosts = await app.db.query<{ origin: string }>(sql`
    select distinct a.tracking_host as origin from accounts a where a.tracking_host is not null and ${isLiveAccount('a')} order by 1`);
  return Promise.all(hosts.map(({ origin }) => checkTrackingHost(app.network, origin)));
}

/** Requests the tracking image of an email that does not exist, which is served anyway. Users name the hosts, so only public ones are asked. */
async function checkTrackingHost(network: Network, origin: string): Promise<Finding> {
  const check = `tracking host ${new URL(origin).host}`;
  const remedy = 'forward every path of it to this installation, or remove it with: outreach account set --tracking-host none';
  try {
    const { status, type } = await ask(network, new URL('/o/0/0', origin));
    if (status !== 200 || type !== 'image/gif')
      return fail(check, `returns ${status} for a link of ours, so links in emails are dead; ${remedy}`);
  } catch (error) {
    if (error instanceof NotPublic) return warn(check, `not checked, because ${messageOf(error)}; recipients reach it only from there`);
    return fail(check, `can't be reached from here (${messageOf(error)}), so links in emails are dead; ${remedy}`);
  }
  if (!origin.startsWith('https://'))
    return warn(check, `${origin} is not https, so email clients offer no one-click unsubscribe (RFC 8058); put it behind TLS`);
  return ok(check, `${origin} leads to this installation`);
}

async function ask(network: Network, url: URL): Promise<{ status: number | undefined; type: string | undefined }> {
  await publicAddresses(network, url.hostname.replace(/^\[|\]$/g, ''));
  const signal = AbortSignal.timeout(TIMEOUT_SECONDS * SECOND);
  return new Promise((resolve, reject) => {
    const request = (url.protocol === 'https:' ? https : http).get(
      url,
      { agent: false, lookup: publicLookup(network), signal },
      (answer) => {
        resolve({ status: answer.statusCode, type: answer.headers['content-type'] });
        answer.destroy();
      },
    );
    request.once('error', reject);
  });
}
