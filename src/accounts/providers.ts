import type { MailServer } from '../mail/mail-url.ts';
import type { Provider } from './words.ts';

type Server = Omit<MailServer, 'user'>;

/** Servers of the known providers. */
const PRESETS: Record<Exclude<Provider, 'smtp'>, { smtp: Server; imap: Server }> = {
  google: {
    smtp: { host: 'smtp.gmail.com', port: 465, secure: true, tls: 'required' },
    imap: { host: 'imap.gmail.com', port: 993, secure: true, tls: 'required' },
  },
  microsoft: {
    smtp: { host: 'smtp.office365.com', port: 587, secure: false, tls: 'required' },
    imap: { host: 'outlook.office365.com', port: 993, secure: true, tls: 'required' },
  },
};

/**
 * Emails that a provider's server accepts from one mailbox in a minute, by host. Exchange Online and Outlook.com: 30
 * (learn.microsoft.com/office365/servicedescriptions, "Exchange Online limits", message rate limit). Google publishes daily limits only.
 */
const MINUTE_LIMITS = new Map([
  ['smtp.office365.com', 30],
  ['smtp-mail.outlook.com', 30],
]);

/** Returns how many emails a minute the server accepts; null if its provider publishes no such limit. */
export const minuteLimitOf = ({ host }: Pick<MailServer, 'host'>): number | null => MINUTE_LIMITS.get(host.toLowerCase()) ?? null;

/** Returns the provider's servers, with the address as user name; null for `smtp`, whose servers the user must give. */
export function presetServers(provider: Provider, email: string): { smtp: MailServer; imap: MailServer } | null {
  if (provider === 'smtp') return null;
  const { smtp, imap } = PRESETS[provider];
  return { smtp: { ...smtp, user: email }, imap: { ...imap, user: email } };
}
