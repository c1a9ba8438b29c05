import type { App } from '../app.ts';
import { conflict, messageOf } from '../core/errors.ts';
import { SEALED } from '../secrets/sealed-columns.ts';

/** What an account proves itself with; stored sealed, as JSON. With tokens the SMTP secret holds them for both servers. */
export interface MailSecret {
  pass?: string;
  accessToken?: string;
  refreshToken?: string;
}

type SecretColumn = keyof typeof COLUMNS;

const COLUMNS = { smtp_secret: SEALED.smtpSecret, imap_secret: SEALED.imapSecret };

const placeOf = (column: SecretColumn, accountId: number) => COLUMNS[column].place(accountId);

/** Seals a secret for the one row and column that it is stored in. */
export const sealSecret = (app: Pick<App, 'sealer'>, column: SecretColumn, accountId: number, secret: MailSecret): string =>
  app.sealer.seal(JSON.stringify(secret), placeOf(column, accountId));

/** Opens it again. Throws `conflict` when the seal is another key's, or of another row. */
export function openSecret(app: Pick<App, 'sealer'>, column: SecretColumn, accountId: number, sealed: string): MailSecret {
  try {
    return JSON.parse(app.sealer.open(sealed, placeOf(column, accountId))) as MailSecret;
  } catch (error) {
    throw conflict(`the credentials of account ${accountId} can't be decrypted: ${messageOf(error)}`);
  }
}
