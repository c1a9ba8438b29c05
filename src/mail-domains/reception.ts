import type { MxRecord } from 'node:dns';
import { askAddresses, askDns, type DnsLookups } from '../core/dns.ts';

/** The look-ups that say where the email of a domain goes. */
export type MailLookups = Pick<DnsLookups, 'resolveMx' | 'resolve4' | 'resolve6'>;

/**
 * The place where a domain receives email: the servers of its MX records, or without any its own address (RFC 5321 §5.1); or the reason
 * why it receives none: it says so with a null MX (RFC 7505), it has neither record, or it does not exist.
 */
export type Reception = 'mx' | 'address' | 'null_mx' | 'none' | 'no_domain';

/** Where the email of a domain goes. `reception` is null if name servers did not answer. */
export interface Destination {
  reception: Reception | null;
  /** Empty unless `reception` is `mx`. */
  servers: readonly MxRecord[];
}

/** Asks name servers where the email of a domain goes. Never rejects. @param name as `publicName` has it */
export async function askDestination(name: string, dns: MailLookups): Promise<Destination> {
  const mx = await askDns(() => dns.resolveMx(name));
  if (mx.kind === 'found') {
    const isNull = mx.rows.every(({ exchange }) => exchange === '' || exchange === '.');
    return isNull ? { reception: 'null_mx', servers: [] } : { reception: 'mx', servers: mx.rows };
  }
  if (mx.kind === 'unanswered') return { reception: null, servers: [] };
  if (mx.isUnknownName) return { reception: 'no_domain', servers: [] };
  const addresses = await askAddresses(name, dns);
  if (addresses.kind === 'unanswered') return { reception: null, servers: [] };
  return { reception: addresses.kind === 'found' ? 'address' : 'none', servers: [] };
}
