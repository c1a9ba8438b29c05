import type { App } from '../app.ts';
import { withAsciiDomain } from '../core/email-address.ts';
import { addPixel, rewriteLinks } from './rewrite.ts';
import { linkPath } from './token.ts';

/** An email that is about to be composed, as tracking needs it. */
export interface EmailToDecorate {
  outboxId: number;
  html: string;
  senderAddress: string;
  /** Value of X-Outreach-Ref. */
  reference: string;
  trackOpens: boolean;
  trackClicks: boolean;
  /** The account's own host for links (`https://links.example.com`), or null for the installation's. */
  trackingHost: string | null;
}

/**
 * Adds what recipients can answer with: the unsubscribe headers (RFC 2369 §3.2; one-click by RFC 8058 where links are
 * https), tracked links and the image. The subject of the address to unsubscribe at has the email's reference, which nobody can
 * guess: a message with it proves which email it is about, whoever sends it. Without a public address of the installation no links of ours are added, and
 * unsubscribing is by email alone.
 */
export function decorateEmail(app: App, email: EmailToDecorate): { html: string; headers: Record<string, string> } {
  const host = email.trackingHost ?? app.config.publicUrl;
  const mailto = `<${mailtoOf(email.senderAddress)}?subject=unsubscribe-${email.reference}>`;
  if (host === null) return { html: email.html, headers: { 'List-Unsubscribe': mailto } };
  const link = (kind: 'o' | 'c' | 'u', url?: string) => `${host}${linkPath(app.sealer, kind, email.outboxId, url)}`;
  let { html } = email;
  if (email.trackClicks) html = rewriteLinks(html, (url) => link('c', url));
  if (email.trackOpens) html = addPixel(html, link('o'));
  const headers: Record<string, string> = { 'List-Unsubscribe': `<${link('u')}>, ${mailto}` };
  if (host.startsWith('https://')) headers['List-Unsubscribe-Post'] = 'List-Unsubscribe=One-Click';
  return { html, headers };
}

/** The address as a URL, in the ASCII that a header field holds (RFC 6068 §2). */
function mailtoOf(address: string): string {
  const ascii = withAsciiDomain(address);
  const at = ascii.lastIndexOf('@');
  return `mailto:${encodeURIComponent(ascii.slice(0, at))}${ascii.slice(at)}`;
}
