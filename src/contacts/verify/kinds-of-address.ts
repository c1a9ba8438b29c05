import { disposableEmailBlocklist } from 'disposable-email-domains-js';
import { mailboxKey } from '../../core/email-address.ts';

/** Mailboxes of a function and not of a person: RFC 2142, and what companies name besides. */
const ROLES = new Set(
  `abuse accounting accounts admin administrator all billing bookings career careers compliance contact customerservice enquiries enquiry
  everyone feedback finance hello help helpdesk hostmaster hr info information inquiries inquiry invoice invoices it job jobs legal mail
  marketing media news newsletter noc office orders postmaster press privacy procurement purchasing recruiting recruitment reception root
  sales security service services staff support sysadmin team webmaster
  administracion bewerbung bonjour buchhaltung comercial contabilidad contacto contato datenschutz einkauf empfang karriere kontakt
  personal post rechnung ventas vendas vertrieb verkauf zentrale`.split(/\s+/),
);

/** Mailboxes that nobody reads, by their names without hyphens, dots and underscores. */
const UNREAD = new Set([
  'noreply',
  'donotreply',
  'dontreply',
  'noanswer',
  'nichtantworten',
  'mailerdaemon',
  'bounce',
  'bounces',
  'nobody',
  'devnull',
]);

/** The local part of an address in lower case, without a subaddress (RFC 5233), hyphens, dots and underscores. */
function mailboxName(email: string): string {
  const key = mailboxKey(email);
  return key.slice(0, key.lastIndexOf('@')).replaceAll(/[-._]/g, '');
}

/** True for an address such as sales@, which several people read, or none. */
export const isRole = (email: string): boolean => ROLES.has(mailboxName(email));

/** True for an address such as noreply@. */
export const isUnread = (email: string): boolean => UNREAD.has(mailboxName(email));

/** Built on first use: most commands never ask. */
let disposable: ReadonlySet<string> | undefined;

/** True for the domain of a provider of mailboxes that are thrown away, and for those below it. @param domain in A-labels and lower case */
export function isDisposable(domain: string): boolean {
  disposable ??= new Set(disposableEmailBlocklist());
  const labels = domain.split('.');
  return labels.some((_, index) => disposable?.has(labels.slice(index).join('.')));
}
