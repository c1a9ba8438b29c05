import type { App } from '../app.ts';
import { mailtoUrl } from '../mail/mailto.ts';
import { addPixel, rewriteLinks } from './rewrite.ts';
import { type LinkKind, linkPath } from './token.ts';

/** An email that is about to be written, as its own links need it. */
export interface LinkedEmail {
  outboxId: number;
  /** The mailbox that gets requests to be removed by email: one that is read; null where none is. */
  optOutAddress: string | null;
  /** Value of X-Entity-Ref-ID. */
  reference: string;
  /** A copy for somebody else: its links neither count for the contact nor unsubscribe them, but write an email. */
  isCopy?: boolean;
  /** The account's own host for links (`https://links.example.com`), or null for the installation's. */
  trackingHost: string | null;
}

/** An email that is about to be composed, as tracking needs it. */
export interface EmailToDecorate extends LinkedEmail {
  html: string;
  trackOpens: boolean;
  trackClicks: boolean;
}

const hostOf = (app: App, email: LinkedEmail) => (email.isCopy ? null : (email.trackingHost ?? app.config.publicUrl));
const mailtoOf = ({ optOutAddress, reference }: LinkedEmail) =>
  optOutAddress === null ? null : mailtoUrl(optOutAddress, `unsubscribe-${reference}`);

/**
 * A link in an email. Without a public address of the installation there is only the one to unsubscribe by: an email to a mailbox that is
 * read. Empty where there is none.
 */
export function linkOf(app: App, email: LinkedEmail, kind: LinkKind, url?: string): string {
  const host = hostOf(app, email);
  return host === null ? (mailtoOf(email) ?? '') : `${host}${linkPath(app.sealer, kind, email.outboxId, url)}`;
}

/**
 * Adds what recipients can answer with: the unsubscribe headers (RFC 2369 §3.2; one-click by RFC 8058 where links are
 * https), tracked links and the image. The subject of the address to unsubscribe at has the email's reference, which nobody can
 * guess: a message with it proves which email it is about, whoever sends it. Without a public address of the installation no
 * links of ours are added, and unsubscribing is by email alone.
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
