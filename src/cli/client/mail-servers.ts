import { isSameAddress } from '../../core/email-address.ts';
import { type MailUrl, serverName } from '../../mail/mail-url.ts';
import { findPassword, type PasswordSources, passwordIn } from '../password.ts';
import type { Api } from './api.ts';
import { namesOf } from './names.ts';

/** The stored servers of an account with that address, as URLs; an empty object if there is no such account. */
export async function storedServers(api: Api, email: string): Promise<{ smtp_url?: string; imap_url?: string }> {
  const account = (await namesOf(api, 'account')).find(({ name }) => isSameAddress(name, email));
  if (account === undefined) return {};
  const { smtp_url, imap_url } = await api.accountSetup.details.query({ id: account.id });
  return { ...(smtp_url === null ? {} : { smtp_url }), ...(imap_url === null ? {} : { imap_url }) };
}

/** The servers of an account. */
export interface Servers {
  smtp: MailUrl;
  imap: MailUrl | undefined;
}

/** The files that hold their passwords. */
export interface PasswordFiles {
  smtp: string | undefined;
  imap: string | undefined;
}

/** True if a password is given, for a provider that needs none. */
export const hasPassword = ({ smtp, imap }: Servers, files: PasswordFiles) =>
  [smtp.password, imap?.password, files.smtp, files.imap, passwordIn('OUTREACH_SMTP_PASSWORD')].some((password) => password !== undefined);

/** The passwords of the servers, from the sources that `findPassword` knows. */
export async function passwordsFor(
  { smtp, imap }: Servers,
  files: PasswordFiles,
): Promise<{ smtp_password?: string; imap_password?: string }> {
  const sourcesOf = ({ server, password }: MailUrl, file: string | undefined, variable: PasswordSources['variable']) => ({
    given: password,
    file,
    variable,
    question: `Password for ${server.user} at ${serverName(server)}`,
  });
  const own = smtp.server.user === null ? undefined : await findPassword(sourcesOf(smtp, files.smtp, 'OUTREACH_SMTP_PASSWORD'));
  const found = own === undefined ? {} : { smtp_password: own };
  if (imap === undefined) return found;
  const fallback = imap.server.user === smtp.server.user ? own : undefined;
  const sources = { ...sourcesOf(imap, files.imap, 'OUTREACH_IMAP_PASSWORD'), ...(fallback === undefined ? {} : { fallback }) };
  return { ...found, imap_password: await findPassword(sources) };
}
