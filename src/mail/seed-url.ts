import { emailAddress } from '../core/email-address.ts';
import { invalid } from '../core/errors.ts';
import { type MailServer, parseMailUrl } from './mail-url.ts';

/**
 * Reads the URL of a seed mailbox for placement tests, `imap[s]://USER@HOST[:PORT]`. Throws `invalid_request` with the name of `field`,
 * also if the URL contains a password, because others could read it there.
 */
export function seedAt(imapUrl: string, field: string): { email: string; server: MailServer } {
  const { server, password } = parseMailUrl(imapUrl, 'imap', field);
  if (password !== undefined) throw invalid(`${field}: leave the password out of the URL`);
  if (server.user?.includes('@') !== true)
    throw invalid(`${field}: the user must be the address of the mailbox, with @ as %40: imaps://zoe%40example.org@imap.example.org`);
  return { email: emailAddress(server.user, field), server };
}
