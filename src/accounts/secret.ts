import type { App } from '../app.ts';
import { conflict, messageOf } from '../core/errors.ts';
import type { MailServer } from '../mail/mail-url.ts';
import { type Place, SEALED } from '../secrets/sealed-columns.ts';
import type { Provider } from './words.ts';

/** Credentials of an account, stored sealed as JSON. OAuth tokens for both servers are in the SMTP secret. */
export interface MailSecret {
  pass?: string;
  accessToken?: string;
  refreshToken?: string;
}

/** The row and the server that an account's secret is sealed for. It can't be opened for others. */
export interface SecretPlace {
  id: number;
  provider: Provider;
  server: MailServer;
}

/** Seals the secret of an account's SMTP server, or its OAuth tokens. */
export const sealSmtpSecret = (app: Pick<App, 'sealer'>, at: SecretPlace, secret: MailSecret): string =>
  app.sealer.seal(JSON.stringify(secret), SEALED.smtpSecret.place(at.id, at.provider, at.server));

export const sealImapSecret = (app: Pick<App, 'sealer'>, at: Omit<SecretPlace, 'provider'>, secret: MailSecret): string =>
  app.sealer.seal(JSON.stringify(secret), SEALED.imapSecret.place(at.id, at.server));

/** Opens the secret of an account's SMTP server. Throws `conflict` if it was sealed with another key, or for another row, server or user. */
export const openSmtpSecret = (app: Pick<App, 'sealer'>, at: SecretPlace, sealed: string): MailSecret =>
  open(app, at.id, sealed, SEALED.smtpSecret.place(at.id, at.provider, at.server));

/** Opens the secret of an account's IMAP server, like `openSmtpSecret`. */
export const openImapSecret = (app: Pick<App, 'sealer'>, at: Omit<SecretPlace, 'provider'>, sealed: string): MailSecret =>
  open(app, at.id, sealed, SEALED.imapSecret.place(at.id, at.server));

function open(app: Pick<App, 'sealer'>, accountId: number, sealed: string, place: Place): MailSecret {
  try {
    return JSON.parse(app.sealer.open(sealed, place)) as MailSecret;
  } catch (error) {
    throw conflict(`the credentials of account ${accountId} can't be decrypted: ${messageOf(error)}`);
  }
}
