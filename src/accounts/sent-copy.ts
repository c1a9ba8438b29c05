import { MINUTE } from '../core/clock.ts';
import { type Queryable, sql } from '../db/statement.ts';
import type { MailServer } from '../mail/mail-url.ts';
import type { AccountSettings } from './settings/account-settings.ts';

/**
 * Servers of providers that automatically put a copy of sent emails into the Sent folder. Gmail: support.google.com/mail/answer/78892.
 * Exchange Online and Outlook.com: learn.microsoft.com, Set-Mailbox, MessageCopyForSMTPClientSubmissionEnabled, which is true by default.
 */
const FILING_PROVIDERS: readonly { smtp: readonly string[]; imap: readonly string[] }[] = [
  { smtp: ['smtp.gmail.com', 'smtp.googlemail.com'], imap: ['imap.gmail.com', 'imap.googlemail.com'] },
  {
    smtp: ['smtp.office365.com', 'smtp-mail.outlook.com'],
    imap: ['outlook.office365.com', 'outlook.office.com', 'imap-mail.outlook.com'],
  },
];

/** Time that a server gets to file its copy, if it is not yet known whether it does. */
const FIRST_CHECK_DELAY = MINUTE;
const MAX_ERROR = 2_000;

/** The columns of an account that decide where copies of its answers are filed. */
export interface FilingAccount extends Pick<AccountSettings, 'sent_copy'> {
  server_files_sent: boolean | null;
  smtp: Pick<MailServer, 'host'>;
  imap: Pick<MailServer, 'host'> | null;
}

/**
 * Returns how many milliseconds after an answer was accepted the Sent folder is checked, and the copy appended if it is missing. Null if
 * copies of the account's answers are not filed, or if its server files them.
 */
export function copyDelayOf({ sent_copy, server_files_sent, smtp, imap }: FilingAccount): number | null {
  if (imap === null || sent_copy === 'never') return null;
  if (sent_copy === 'append') return 0;
  const isKnown = FILING_PROVIDERS.some((one) => one.smtp.includes(smtp.host.toLowerCase()) && one.imap.includes(imap.host.toLowerCase()));
  if (isKnown || server_files_sent === true) return null;
  return server_files_sent === null ? FIRST_CHECK_DELAY : 0;
}

/** Reads the columns that decide where an account's copies are filed. Index: accounts_pkey. */
export async function readFilingAccount(db: Queryable, id: number): Promise<FilingAccount | undefined> {
  const [row] = await db.query<FilingAccount>(sql`
    select a.sent_copy, a.server_files_sent, a.smtp, a.imap from accounts a where a.id = ${id} and a.deleted_at is null`);
  return row;
}

/** Records whether the server files copies itself, as a filed copy showed. Clears the error of earlier copies. */
export async function noteServerFiles(db: Queryable, id: number, serverFiles: boolean): Promise<void> {
  await db.query(sql`
    update accounts set server_files_sent = ${serverFiles}, sent_copy_error = null
    where id = ${id} and (server_files_sent is distinct from ${serverFiles} or sent_copy_error is not null)`);
}

/** Records why a copy could not be filed, for `account show`; null clears it. */
export async function noteSentCopyError(db: Queryable, id: number, error: string | null): Promise<void> {
  const text = error?.slice(0, MAX_ERROR) ?? null;
  await db.query(sql`update accounts set sent_copy_error = ${text} where id = ${id} and sent_copy_error is distinct from ${text}`);
}
