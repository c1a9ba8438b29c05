import { disposableEmailBlocklist } from 'disposable-email-domains-js';
import { mailboxKey } from '../../core/email-address.ts';

/** Mailboxes of a function and not of a person: those of RFC 2142, and others that companies commonly use. */
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

/** Built on first use, because most commands don't need it. */
let disposable: ReadonlySet<string> | undefined;

/**
 * True for the domain of a provider of disposable mailboxes, and for its subdomains.
 * @param domain in A-labels and lower case
 */
function isDisposable(domain: string): boolean {
  disposable ??= new Set(disposableEmailBlocklist());
  const labels = domain.split('.');
  return labels.some((_, index) => disposable?.has(labels.slice(index).join('.')));
}

/**
 * Returns the kind of an address by the lists, the worst first: `unread` as noreply@, `disposable` by its domain, or `role` as sales@,
 * which several people read, or none. Undefined for any other. Compares a mailbox without subaddress (RFC 5233), hyphens, dots and
 * underscores.
 */
export function kindOfAddress(email: string): 'unread' | 'disposable' | 'role' | undefined {
  const key = mailboxKey(email);
  const at = key.lastIndexOf('@');
  const name = key.slice(0, at).replaceAll(/[-._]/g, '');
  if (UNREAD.has(name)) return 'unread';
  if (isDisposable(key.slice(at + 1))) return 'disposable';
  return ROLES.has(name) ? 'role' : undefined;
}
