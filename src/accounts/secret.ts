import type { App } from '../app.ts';
import { conflict, messageOf } from '../core/errors.ts';
import { SEALED } from '../secrets/sealed-columns.ts';

/** Credentials of an account, stored sealed as JSON. OAuth tokens for both servers are in the SMTP secret. */
export interface MailSecret {
  pass?: string;
  accessToken?: string;
  refreshToken?: string;
}

type SecretColumn = keyof typeof COLUMNS;

const COLUMNS = { smtp_secret: SEALED.smtpSecret, imap_secret: SEALED.imapSecret };

const placeOf = (column: SecretColumn, accountId: number) => COLUMNS[column].place(accountId);

/** Seals a secret for one row and column: it can't be opened for another. */
export const sealSecret = (app: Pick<App, 'sealer'>, column: SecretColumn, accountId: number, secret: MailSecret): string =>
  app.sealer.seal(JSON.stringify(secret), placeOf(column, accountId));

/** Opens a sealed secret. Throws `conflict` if it was sealed with another key or for another row. */
export function openSecret(app: Pick<App, 'sealer'>, column: SecretColumn, accountId: number, sealed: string): MailSecret {
  try {
    return JSON.parse(app.sealer.open(sealed, placeOf(column, accountId))) as MailSecret;
  } catch (error) {
    throw conflict(`the credentials of account ${accountId} can't be decrypted: ${messageOf(error)}`);
  }
}
