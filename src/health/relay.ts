import type { LookupFunction } from 'node:net';
import { DAY } from '../core/clock.ts';
import { askAddresses, askDns, type DnsLookups } from '../core/dns.ts';
import { messageOf } from '../core/errors.ts';
import type { ServerFacts } from '../mail/server-facts.ts';
import { type Check, good, stop, unanswered, unknown, unreachable, watch } from './check.ts';

/** The server that an account submits its emails to. */
export interface Relay {
  host: string;
  port: number;
  secure: boolean;
  /** Resolves its address; by default the operating system does. */
  lookup?: LookupFunction | undefined;
  /** True if it may be used without TLS. */
  isPlainAllowed: boolean;
}

/** A certificate should have been renewed automatically this many days before it expires. */
const RENEWAL_DAYS = 10;

/** The facts of the relay, or the reason why it could not be reached. */
export type Reached = ServerFacts | { problem: string; isCertificate: boolean };

/** Reads the facts of a server. Never rejects. */
export const reach = (ask: () => Promise<ServerFacts>): Promise<Reached> =>
  ask().catch((error: NodeJS.ErrnoException) => ({
    problem: messageOf(error),
    // Codes of OpenSSL's certificate verification, which Node passes on.
    isCertificate: /CERT|SELF_SIGNED|UNABLE_TO_/.test(error.code ?? ''),
  }));

/** Checks that logins and emails are encrypted, and how long the certificate is valid. */
export function checkTls({ host, port, isPlainAllowed }: Relay, reached: Reached, now: Date): Check {
  const server = `${host}:${port}`;
  if ('problem' in reached)
    return reached.isCertificate
      ? stop('tls', `${server}: ${reached.problem}, so nothing is sent`, 'have the server show a valid certificate for its name')
      : unreachable('tls', `${server}: ${reached.problem}`, 'to see what fails, run: outreach account test');
  if (!reached.isEncrypted)
    return isPlainAllowed
      ? good('tls', `${server} offers no TLS, which the account allows`)
      : stop('tls', `${server} offers no TLS, so nothing is sent`, 'turn on STARTTLS at the server');
  return validity('tls', server, reached.expiresAt, now);
}

/** Judges the expiry of a certificate. */
export function validity(check: 'tls' | 'tracking', server: string, expiresAt: Date | null, now: Date): Check {
  if (expiresAt === null) return good(check, server);
  const days = Math.floor((expiresAt.getTime() - now.getTime()) / DAY);
  const until = `${server}, certificate until ${expiresAt.toISOString().slice(0, 10)}`;
  return days < RENEWAL_DAYS ? watch(check, until, 'renew it, and find out why it was not renewed automatically') : good(check, until);
}

/**
 * Checks that the account's own relay has a name that resolves back to its address, and that it greets with a name that resolves to it,
 * too.
 * @param addresses its public addresses, as far as they are known
 */
export async function checkPtr(addresses: readonly string[], reached: Reached, dns: DnsLookups): Promise<Check> {
  const [address] = addresses;
  if (address === undefined) return unknown('ptr', 'the public address of the relay is not known here');
  const answer = await askDns(() => dns.reverse(address));
  if (answer.kind === 'unanswered') return unanswered('ptr', answer.code);
  const remedy = `have the provider of the server set the PTR record of ${address} to its host name, and point that name at ${address}`;
  if (answer.kind === 'none') return stop('ptr', `${address} has no PTR record, so Gmail and others refuse its emails`, remedy);
  const [name = ''] = answer.rows;
  if (!(await resolvesTo(name, address, dns)))
    return stop('ptr', `the name of ${address} is ${name}, but that name does not resolve to it`, remedy);
  const greeting = 'greeting' in reached ? reached.greeting : null;
  if (greeting !== null && !(await resolvesTo(greeting, address, dns)))
    return watch(
      'ptr',
      `the name of ${address} is ${name}, but the server greets as ${greeting}, which does not resolve to it`,
      `set its HELO name to ${name} (Postfix: myhostname)`,
    );
  return good('ptr', `${address} is ${name}${greeting === null ? '' : `, and greets as ${greeting}`}`);
}

async function resolvesTo(name: string, address: string, dns: DnsLookups): Promise<boolean> {
  const answer = await askAddresses(name, dns);
  return answer.kind === 'unanswered' || (answer.kind === 'found' && answer.rows.includes(address));
}
