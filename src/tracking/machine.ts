import { SECOND } from '../core/clock.ts';
import { isOfApple } from './networks.ts';
import { EMAIL_CLIENTS, SCANNERS } from './scanners.ts';

/** A request for an image or a link. */
export interface Hit {
  kind: 'opened' | 'clicked';
  method: string;
  userAgent: string;
  /** As `clientAddress` returns it. */
  ip: string | null;
  /** Request headers in lower case. */
  headers: Readonly<Record<string, string | string[] | undefined>>;
  /** True if it comes from an IP address from which a member of the workspace uses Outreach. */
  isOwnSide: boolean;
  /** Milliseconds since the server accepted the email; null if that is not recorded yet. */
  age: number | null;
}

/** Requests sooner than this after the acceptance of the email can't come from a person: two seconds for images, ten for links. */
const TOO_SOON = { opened: 2 * SECOND, clicked: 10 * SECOND };

/** Matches the user agent of every browser, but of no email client. */
const BROWSER = /\b(Safari|Chrome|Firefox)\//;

/**
 * Returns why a request was made by a machine, or null if a person may have made it. Apple's Mail Privacy Protection fetches every image in
 * advance: its user agent is just `Mozilla/5.0`, or it comes through Apple's relay and is not a browser. People also browse through that
 * relay. Gmail and Yahoo fetch through proxies when a person opens the email.
 */
export function machineReason(hit: Hit): string | null {
  if (hit.method !== 'GET') return `method ${hit.method}`;
  if (hit.headers.purpose === 'prefetch' || hit.headers['sec-purpose']?.includes('prefetch') || hit.headers['x-moz'] === 'prefetch')
    return 'prefetch';
  if (hit.userAgent === '') return 'no user agent';
  if (hit.kind === 'opened' && isAppleMail(hit)) return 'Apple mail privacy';
  if (SCANNERS.matches(hit.userAgent)) return 'scanner';
  if (!hit.userAgent.includes('Mozilla/') && !EMAIL_CLIENTS.matches(hit.userAgent)) return 'no browser or email client';
  if (hit.isOwnSide) return 'own side';
  if (hit.age !== null && hit.age < TOO_SOON[hit.kind]) return 'too soon';
  return null;
}

const isAppleMail = ({ userAgent, ip }: Hit): boolean => userAgent === 'Mozilla/5.0' || (isOfApple(ip) && !BROWSER.test(userAgent));

/** If different links of one email are fetched within this time, a scanner is walking through it. */
export const BURST = 2 * SECOND;
/** If a link is requested with HEAD and then fetched within this time, a machine is checking it. */
export const CHECK = 10 * SECOND;

/**
 * Finds clicks that belong to a burst: two or more different links of one email within two seconds, or one link after a HEAD for it.
 * @param clicks clicks of one email, in any order
 * @returns the clicks that belong to a burst
 */
export function burstsAmong<Click extends { at: Date; url: string; isHead?: boolean }>(clicks: readonly Click[]): Set<Click> {
  const sorted = [...clicks].sort((a, b) => a.at.getTime() - b.at.getTime());
  const bursts = new Set<Click>();
  for (const [index, click] of sorted.entries()) {
    for (const later of sorted.slice(index + 1)) {
      const between = later.at.getTime() - click.at.getTime();
      if (between > (click.isHead ? CHECK : BURST)) break;
      if (later.url === click.url ? click.isHead : between <= BURST) bursts.add(click).add(later);
    }
  }
  return bursts;
}
