import { emailAddress } from '../core/email-address.ts';
import { invalid } from '../core/errors.ts';
import { type MailServer, parseMailUrl } from './mail-url.ts';

/**
 * Reads the URL of a seed of placement tests, `imap[s]://USER@HOST[:PORT]`. Throws `invalid_request`, naming `field`: also for a password in
 * it, which others could read there.
 */
export function seedAt(imapUrl: string, field: string): { email: string; server: MailServer } {
  const { server, password } = parseMailUrl(imapUrl, 'imap', field);
  if (password !== undefined) throw invalid(`${field}: leave the password out of the URL`);
  if (server.user?.includes('@') !== true)
    throw invalid(`${field}: the user must be the address of the mailbox, with @ as %40: imaps://zoe%40example.org@imap.example.org`);
  return { email: emailAddress(server.user, field), server };
}
