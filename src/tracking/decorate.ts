import type { App } from '../app.ts';
import { mailtoUrl } from '../mail/mailto.ts';
import { addPixel, rewriteLinks } from './rewrite.ts';
import { type LinkKind, linkPath } from './token.ts';

/** Fields of an email from which its links are made. */
export interface LinkedEmail {
  outboxId: number;
  /** The mailbox that receives unsubscribe requests by email; null if no mailbox is read. */
  optOutAddress: string | null;
  /** Value of X-Entity-Ref-ID. */
  reference: string;
  /** True for a copy (cc or bcc): it gets only a mailto link to unsubscribe, which neither counts for nor unsubscribes the contact. */
  isCopy?: boolean;
  /** The account's own host for links (`https://links.example.com`), or null for the installation's. */
  trackingHost: string | null;
}

/** An email to which tracking adds links and headers. */
export interface EmailToDecorate extends LinkedEmail {
  html: string;
  trackOpens: boolean;
  trackClicks: boolean;
}

const hostOf = (app: App, email: LinkedEmail) => (email.isCopy ? null : (email.trackingHost ?? app.config.publicUrl));
const mailtoOf = ({ optOutAddress, reference }: LinkedEmail) =>
  optOutAddress === null ? null : mailtoUrl(optOutAddress, `unsubscribe-${reference}`);

/**
 * Returns a link for an email. Without a public URL of the installation, the only link is a mailto link to unsubscribe at a mailbox that is
 * read. Empty if there is no such mailbox either.
 */
export function linkOf(app: App, email: LinkedEmail, kind: LinkKind, url?: string): string {
  const host = hostOf(app, email);
  return host === null ? (mailtoOf(email) ?? '') : `${host}${linkPath(app.sealer, kind, email.outboxId, url)}`;
}

/**
 * Adds the unsubscribe headers (RFC 2369 §3.2; one-click by RFC 8058 if links are https), tracked links and the tracking image. The subject
 * of the unsubscribe mailto link contains the email's reference, which cannot be guessed, so a message with it proves which email it is
 * about, whoever sends it. Without a public URL of the installation, no links of ours are added, and recipients can only unsubscribe by
 * email.
 */
export function decorateEmail(app: App, email: EmailToDecorate): { html: string; headers: Record<string, string> } {
  const host = hostOf(app, email);
  const mailto = mailtoOf(email);
  const byEmail = mailto === null ? [] : [`<${mailto}>`];
  if (host === null) return { html: email.html, headers: mailto === null ? {} : { 'List-Unsubscribe': `<${mailto}>` } };
  const optOut = linkOf(app, email, 'u');
  let { html } = email;
  if (email.trackClicks) html = rewriteLinks(html, (url) => linkOf(app, email, 'c', url), optOut);
  if (email.trackOpens) html = addPixel(html, linkOf(app, email, 'o'));
  const headers: Record<string, string> = { 'List-Unsubscribe': [`<${optOut}>`, ...byEmail].join(', ') };
  if (host.startsWith('https://')) headers['List-Unsubscribe-Post'] = 'List-Unsubscribe=One-Click';
  return { html, headers };
}
