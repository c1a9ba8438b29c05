import http from 'node:http';
import https from 'node:https';
import { TLSSocket } from 'node:tls';
import { SECOND } from '../core/clock.ts';
import { messageOf } from '../core/errors.ts';
import { type Network, NotPublic, publicAddresses, publicLookup } from '../core/network.ts';
import { certificateExpiry } from '../mail/server-facts.ts';
import { type Check, stop, unreachable, watch } from './check.ts';
import { validity } from './relay.ts';

const TIMEOUT_SECONDS = 5;

/**
 * Checks that a tracking host leads to this installation: otherwise every tracked link in the emails is dead. Requests the tracking image
 * of an email that does not exist, which is served anyway. Connects only to public hosts, because users choose them.
 */
export async function checkTrackingHost(network: Network, origin: string, now: Date): Promise<Check> {
  const remedy = 'forward every path of it to this installation, or remove it with: outreach account set ID --tracking-host none';
  const { host } = new URL(origin);
  try {
    const { status, type, expiresAt } = await ask(network, new URL('/o/0/0', origin));
    if (status !== 200 || type !== 'image/gif')
      return stop('tracking', `${host} returns ${status} for a link of ours, so links in emails are dead`, remedy);
    if (!origin.startsWith('https://'))
      return watch('tracking', `${origin} is not https, so email clients offer no one-click unsubscribe (RFC 8058)`, 'put it behind TLS');
    return validity('tracking', `${origin} leads to this installation`, expiresAt, now);
  } catch (error) {
    if (error instanceof NotPublic)
      return unreachable('tracking', `${host} is not checked, because ${messageOf(error)}`, 'make sure that recipients can reach it');
    const why = (error as NodeJS.ErrnoException).code === 'ENOTFOUND' ? 'it does not exist in DNS' : messageOf(error);
    return stop('tracking', `${host} can't be reached from here (${why}), so links in emails are dead`, remedy);
  }
}

interface HostAnswer {
  status: number | undefined;
  type: string | undefined;
  /** Expiry of its certificate; null over http. */
  expiresAt: Date | null;
}

async function ask(network: Network, url: URL): Promise<HostAnswer> {
  await publicAddresses(network, url.hostname.replace(/^\[|\]$/g, ''));
  const signal = AbortSignal.timeout(TIMEOUT_SECONDS * SECOND);
  return new Promise((resolve, reject) => {
    const request = (url.protocol === 'https:' ? https : http).get(
      url,
      { agent: false, lookup: publicLookup(network), signal },
      (answer) => {
        const expiresAt = answer.socket instanceof TLSSocket ? certificateExpiry(answer.socket) : null;
        resolve({ status: answer.statusCode, type: answer.headers['content-type'], expiresAt });
        answer.destroy();
      },
    );
    request.once('error', reject);
  });
}
