import { openImapSecret, openSmtpSecret, sealImapSecret, sealSmtpSecret } from '../../src/accounts/secret.ts';
import type { App } from '../../src/app.ts';
import { sql } from '../../src/db/statement.ts';
import type { MailServer } from '../../src/mail/mail-url.ts';
import { rowOf } from './rows.ts';

interface AccountRow {
  id: number;
  provider: 'smtp';
  smtp: MailServer;
  imap: MailServer;
  smtp_secret: string;
  imap_secret: string;
}

/** Changes the port of an account's server, and seals its credentials for it, without logging in. */
export async function moveServer(app: App, accountId: number, protocol: 'smtp' | 'imap', port: number): Promise<void> {
  const row = await rowOf<AccountRow>(app, 'accounts', accountId);
  const { id, provider } = row;
  const server = { ...row[protocol], port };
  const secret =
    protocol === 'smtp'
      ? sealSmtpSecret(app, { id, provider, server }, openSmtpSecret(app, { id, provider, server: row.smtp }, row.smtp_secret))
      : sealImapSecret(app, { id, server }, openImapSecret(app, { id, server: row.imap }, row.imap_secret));
  const json = JSON.stringify(server);
  await app.db.query(
    protocol === 'smtp'
      ? sql`update accounts set smtp = ${json}::jsonb, smtp_secret = ${secret} where id = ${id}`
      : sql`update accounts set imap = ${json}::jsonb, imap_secret = ${secret} where id = ${id}`,
  );
}
