import type { MxRecord } from 'node:dns';
import { askAddresses, askDns, type DnsLookups } from '../core/dns.ts';

/** The look-ups that find out where the email of a domain goes. */
export type MailLookups = Pick<DnsLookups, 'resolveMx' | 'resolve4' | 'resolve6'>;

/**
 * Where a domain receives email: at the servers of its MX records, or at its own address if it has none (RFC 5321 §5.1). Or why it does not
 * receive email: it has a null MX (RFC 7505), it has neither kind of record, or it does not exist.
 */
export type Reception = 'mx' | 'address' | 'null_mx' | 'none' | 'no_domain';

/** The destination of a domain's email. `reception` is null if name servers did not answer. */
export interface Destination {
  reception: Reception | null;
  /** Empty unless `reception` is `mx`. */
  servers: readonly MxRecord[];
}

/** Queries DNS for the destination of a domain's email. Never rejects. @param name as `publicName` returns it */
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
